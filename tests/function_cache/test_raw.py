"""What words of memory tell of an object: whatever changes it changes them, and nothing else does."""

import collections
import copy
import gc
import itertools
import random
import types
import weakref

import pytest
from firststep_agent.boost.cache_functions.proof import raw
from firststep_agent.boost.cache_functions.proof.glance import Held


class Plain:
    pass


def module_attributes():
    return vars(types.ModuleType("made"))


def globals_of_code(text):
    """Of what writes global names with the instructions that Python has for them."""
    space = {}
    exec(text, space)
    return space


TABLES = {"dictionary": dict, "with a default": lambda: collections.defaultdict(list), "of a module": module_attributes,
          "keyed by all": lambda: {(1, 2): 3, 1.5: 4}}
WRITES = [
    lambda table, key, value: table.__setitem__(key, value),
    lambda table, key, value: table.update({key: value}),
    lambda table, key, value: table.update([(key, value)]),
    lambda table, key, value: table.setdefault(key, value),
    lambda table, key, value: table.pop(key, None),
    lambda table, key, value: table.__ior__({key: value}),
    lambda table, key, value: table.__delitem__(key) if key in table else None,
    lambda table, key, value: table.popitem() if table else None,
    lambda table, key, value: table.clear(),
    lambda table, key, value: table.update(dict.fromkeys(range(40), value)),
    lambda table, key, value: dict.__init__(table, {key: value}),
    lambda table, key, value: table[key] if isinstance(table, collections.defaultdict) else None,
]
READS = [
    lambda table: list(table), lambda table: list(table.items()), lambda table: table.get("a"), lambda table: "a" in table,
    lambda table: dict(table), copy.copy, lambda table: table == {}, str, lambda table: gc.collect(0),
]


def content(table):
    return [(id(key), id(value)) for key, value in table.items()]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", TABLES)
def test_whatever_changes_a_dictionary_changes_its_number(kind, seed):
    drawn, table = random.Random(seed), TABLES[kind]()
    at = raw.places([table])
    values = [Plain() for _ in range(5)]
    changed = 0
    for _ in range(3000):
        before, number = content(table), raw.changes(at)
        drawn.choice(WRITES)(table, drawn.choice(("a", "b", "c", 1, 2.5, (1,))), drawn.choice(values))
        assert not table or not any(raw.sharing(at))  # before Python 3.11 all that are empty share their keys
        if content(table) != before:
            changed += 1
            assert raw.changes(at) != number
        number = raw.changes(at)
        drawn.choice(READS)(table)
        assert raw.changes(at) == number
    assert changed > 500


def test_names_that_code_writes_change_the_number_of_its_globals():
    space = globals_of_code("def write(value):\n global a\n a = value\ndef remove():\n global a\n del a\n")
    at = raw.places([space])
    for value in range(100):  # often enough for the instructions to be specialised
        number = raw.changes(at)
        space["write"](value + 1000)
        assert raw.changes(at) != number
    number = raw.changes(at)
    space["remove"]()
    assert raw.changes(at) != number


def test_attributes_that_code_writes_change_the_number_of_a_class_and_of_a_module():
    def write(owner, value):
        owner.a = value

    made, module = type("Made", (), {}), types.ModuleType("made")
    for owner, table in ((made, gc.get_referents(vars(made))[0]), (module, vars(module))):
        at = raw.places([table])
        for value in range(100):
            number = raw.changes(at)
            write(owner, value + 1000)
            assert raw.changes(at) != number


def test_a_dictionary_that_shares_its_keys_is_told_from_others():
    """Python writes attributes of an object straight into it, and may leave the number as it is."""
    one, two = Plain(), Plain()
    one.a = two.a = 1
    assert list(map(bool, raw.sharing(raw.places([vars(one), {1: 2}, module_attributes()])))) == [True, False, False]


LISTS = [
    lambda some, value: some.append(value), lambda some, value: some.pop() if some else None, lambda some, value: some.insert(0, value),
    lambda some, value: some.reverse(), lambda some, value: some.clear(), lambda some, value: some.extend([value] * 20),
    lambda some, value: some.__setitem__(slice(0, 1), [value]), lambda some, value: some.sort(key=id),
    lambda some, value: some.__init__([value]),
]
SETS = [
    lambda some, value: some.add(value), lambda some, value: some.discard(value), lambda some, value: some.clear(),
    lambda some, value: some.update(range(1000, 1030)), lambda some, value: some.pop() if some else None,
    lambda some, value: some.symmetric_difference_update([value]), lambda some, value: some.__init__([value]),
]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("make", "ways", "seen"), [(list, LISTS, raw.in_lists), (set, SETS, raw.in_sets)], ids=["list", "set"])
def test_whatever_changes_a_list_or_a_set_changes_its_words(make, ways, seen, seed):
    drawn, some, values = random.Random(seed), make(), [Plain() for _ in range(12)]
    at = raw.places([some])
    told = {}
    for _ in range(4000):
        now = list(map(id, some)) if make is list else frozenset(map(id, some))
        words = tuple(seen(at))
        assert words == tuple(seen(at))
        assert told.setdefault(words, now) == now  # the same words, the same content
        drawn.choice(ways)(some, drawn.choice(values))
    assert len(told) > 300


def function(a=(1, 2), *, b=3):
    return a, b


FUNCTIONS = {
    "code": lambda f: setattr(f, "__code__", (lambda a, *, b: None).__code__),
    "defaults": lambda f: setattr(f, "__defaults__", (3,)),
    "no defaults": lambda f: setattr(f, "__defaults__", None),
    "defaults for keywords": lambda f: setattr(f, "__kwdefaults__", {"b": 4}),
    "an attribute": lambda f: setattr(f, "put_on", 1),
    "all attributes": lambda f: setattr(f, "__dict__", {"put_on": 1}),
    "another value": lambda f: (setattr(f, "was", 2)),
    "its name": lambda f: setattr(f, "__name__", "g"),
    "its longer name": lambda f: setattr(f, "__qualname__", "C.f"),
    "its module": lambda f: setattr(f, "__module__", "another"),
    "its text": lambda f: setattr(f, "__doc__", "Another."),
}


@pytest.mark.parametrize("change", FUNCTIONS)
def test_whatever_changes_a_function_changes_its_words(change):
    one = types.FunctionType(function.__code__, {}, "f", (1,))
    one.__kwdefaults__, one.was = {"b": 2}, 1
    at, names = raw.places([one]), ("__code__", "__defaults__", "__kwdefaults__", "__name__", "__dict__")
    assert [heads[0] for heads in raw.of_functions(at, *names)] == [id(getattr(one, name)) for name in names]
    before = tuple(raw.in_functions(at))
    assert tuple(raw.in_functions(at)) == before
    FUNCTIONS[change](one)
    assert tuple(raw.in_functions(at)) != before


def test_a_function_that_nothing_was_put_on_has_no_dictionary_made_for_it():
    one = types.FunctionType(function.__code__, {})
    assert raw.of_functions(raw.places([one]), "__code__", "__defaults__", "__dict__") == [(id(one.__code__),), (0,), (0,)]


def test_what_is_referred_to_weakly_is_told_until_it_goes():
    one = Plain()
    weak = weakref.ref(one)
    at = raw.places([weak])
    assert raw.referred(at) == (id(one),)
    del one
    assert raw.referred(at) == (id(None),)


def test_only_what_nobody_else_holds_is_let_go_of():
    one, both = Plain(), [Plain()]
    held = Held([one, *both, Plain()])
    assert held.let_go()
    assert list(held.numbered()) == [(0, one), (1, both[0])]
    both.clear()
    assert held.let_go() and not held.let_go()
    assert list(held.numbered()) == [(0, one)]


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_words_of_any_number_of_places(count):
    some = [Plain() for _ in range(count)]
    assert raw.words([place + 1 for place in raw.places(some)]) == tuple(itertools.repeat(id(Plain), count))


@pytest.mark.parametrize(("name", "by"), [
    ("_TAG", -1), ("_TAG", 1), ("_VALUES", -1), ("_LENGTH", -1), ("_LENGTH", 1), ("_OF_TUPLE", -1), ("_FILL", -1), ("_USED", 1), ("_MASK", -1), ("_MASK", 1),
    ("_REFERRED", -1), ("_REFERRED", 1)])
def test_a_python_that_keeps_them_elsewhere_is_refused(monkeypatch, name, by):
    """Then there is no verdict."""
    monkeypatch.setattr(raw, name, getattr(raw, name) + by)
    raw._memory.cache_clear()
    with pytest.raises(RuntimeError, match="is not known"):
        raw.references(raw.places([function]))
    raw._memory.cache_clear()
