"""What a trace reads, without TensorFlow: any Python function can be watched while it runs, and verified afterwards."""

import argparse
import array
import builtins
import collections
import collections.abc
import contextvars
import enum
import functools
import hashlib
import io
import json
import logging
import operator
import pickle
import random
import sys
import threading
import types
import weakref

import numpy as np
import pytest

from faked_run import Run as FakedRun
from firststep_agent.boost.cache_functions.reads.stands import Stands
from firststep_agent.boost.cache_functions.reads.trace_reads import TraceReads
from firststep_agent.boost.cache_functions.reads.verify import verify
from firststep_agent.boost.objects.paths import Finder, resolve
from firststep_agent.boost.objects.refusal import Refused
from firststep_agent.boost.objects.roots import Called
from firststep_agent import ownership
from firststep_agent.run import Run
from firststep_agent.boost.cache_functions.reads import hashing, names, outside, views, whole
from firststep_agent.boost.objects import bytecode, special

STANDS = Stands(FakedRun(None))
SCALE = 1.0
CALLS = []
FILLED = [0.5]


def learned(function, *arguments):
    learner = TraceReads(function, STANDS)
    with learner:
        function(*arguments)
    return json.loads(json.dumps(learner.manifest()))


def refused(function, *arguments):
    learner = TraceReads(function, STANDS)
    with learner:
        function(*arguments)
    with pytest.raises(Refused) as raised:
        learner.manifest()
    return str(raised.value)


def by_global(x):
    return x * SCALE


def test_a_global_counts_by_value(monkeypatch):
    manifest = learned(by_global, 2.0)
    assert verify(manifest, by_global) is None
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert verify(manifest, by_global) == "`by_global` (test_what_a_trace_reads.py:%d): `SCALE` is 2.0, it was 1.0" % by_global.__code__.co_firstlineno


class Holder:
    def __init__(self):
        self.scale = 1.0
        self.created = object()
        self.lock = threading.Lock()
        self.numbers = (number for number in range(3))

    def run(self, x):
        return x * self.scale

    def locked(self, x):
        with self.lock:
            return x * self.scale

    def numbered(self, x):
        return x if self.numbers is None else x * 2

    def dynamic(self, x):
        return x * getattr(self, "".join(["sca", "le"]))

    def by_a_constant_name(self, x):
        return x * getattr(self, "scale", 1.0) * (2 if hasattr(self, "turned") else 1) * len("a-b".replace("-", ""))


def test_only_attributes_that_the_code_names_count():
    holder = Holder()
    manifest = learned(holder.run, 2.0)
    holder.created = 5
    assert verify(manifest, holder.run) is None
    holder.scale = 2.0
    assert "`self.scale` is 2.0, it was 1.0" in verify(manifest, holder.run)


def test_a_lock_is_no_state():
    holder = Holder()
    assert verify(learned(holder.locked, 2.0), holder.locked) is None


def test_what_cannot_be_compared_and_is_named_is_refused_by_name():
    words = refused(Holder().numbered, 2.0)
    assert "object `Holder` keeps a `generator` in `self.numbers`" in words


def test_computed_attribute_names_make_every_attribute_count():
    assert "generator" in refused(Holder().dynamic, 2.0)


def test_of_constant_names_those_alone_count():
    holder = Holder()
    manifest = learned(holder.by_a_constant_name, 2.0)
    holder.created = 5
    assert verify(manifest, holder.by_a_constant_name) is None
    holder.turned = None
    assert "`self.turned`" in verify(manifest, holder.by_a_constant_name)


def test_aliases_are_part_of_the_key():
    def make(aliased):
        first = [1.0]
        second = first if aliased else [1.0]
        return lambda x: first[0] + second[0] + x

    manifest = learned(make(True), 1.0)
    assert verify(manifest, make(True)) is None
    assert verify(manifest, make(False)) is not None


@pytest.mark.parametrize(("a", "b"), [(1, True), (1, 1.0), (0.0, -0.0), ("a", b"a"), ((1, 2), [1, 2]), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({1}, frozenset({1}))])
def test_values_that_compare_equal_are_told_apart(a, b):
    def make(value):
        return lambda x: (value, x)

    assert verify(learned(make(a), 1), make(a)) is None
    assert verify(learned(make(a), 1), make(b)) is not None


def test_sets_of_strings_are_refused_where_their_order_is_drawn_anew(monkeypatch):
    if hashing._is_seeded():
        pytest.skip("these tests run with a hash seed")
    monkeypatch.setenv("PYTHONHASHSEED", "0")  # as a program does that believes this to be in time
    assert "PYTHONHASHSEED" in refused(lambda x, value={"a", "b"}: "a" in value, 1)


def _holders():
    names = {"a", "b"}
    within = types.SimpleNamespace
    return {
        "namespace": (within(names=names), lambda x, held: held.names),
        "arguments": (argparse.Namespace(names=names), lambda x, held: held.names),
        "default": (collections.defaultdict(set, k=names), lambda x, held: held["k"]),
        "ordered": (collections.OrderedDict(k=frozenset(names)), lambda x, held: held["k"]),
        "queue": (collections.deque([names]), lambda x, held: held[0]),
        "chain": (collections.ChainMap({"k": names}), lambda x, held: held["k"]),
        "read only": (types.MappingProxyType({"k": names}), lambda x, held: held["k"]),
        "own list": (collections.UserList([names]), lambda x, held: held[0]),
        "partial": (functools.partial(min, names), lambda x, held: held()),
        "attribute of a class": (type("Settings", (), {"names": names, "__module__": __name__}), lambda x, held: held.names),
        "subclass": (type("Names", (set,), {"__module__": __name__})(names), lambda x, held: held),
    }


@pytest.mark.parametrize("name", _holders())
def test_sets_of_strings_are_refused_whoever_holds_them(monkeypatch, name):
    monkeypatch.setattr(hashing, "_is_seeded", lambda: False)
    held, reads = _holders()[name]

    def go_through(x):
        for each in reads(x, held):
            x += len(each)
        return x

    assert "whose order may be another" in refused(go_through, 1)


def test_sets_of_strings_that_a_librarys_module_keeps_are_refused_where_they_are_named(monkeypatch):
    monkeypatch.setattr(hashing, "_is_seeded", lambda: False)
    assert "whose order may be another" in refused(lambda x: x + len(next(iter(hashlib.algorithms_guaranteed))), 1)
    assert learned(lambda x: x + len(hashlib.sha256().digest()), 1)


def test_a_librarys_class_may_have_sets_of_its_own(monkeypatch):
    monkeypatch.setattr(hashing, "_is_seeded", lambda: False)

    class Sized(collections.abc.MutableMapping):
        __len__ = __iter__ = __getitem__ = __setitem__ = __delitem__ = lambda *arguments: 0

    sized = Sized()
    assert learned(lambda x: x + len(sized), 1)


@pytest.mark.parametrize("seeded", (False, True))
def test_sets_of_objects_are_refused_whatever_the_seed(monkeypatch, seeded):
    monkeypatch.setattr(hashing, "_is_seeded", lambda: seeded)
    held = {Holder, types.SimpleNamespace}
    living = weakref.WeakSet(held)
    assert "whose order may be another" in refused(lambda x: [each.__name__ for each in held], 1)
    assert "whose order may be another" in refused(lambda x: [each.__name__ for each in living], 1)


@pytest.mark.parametrize("code", ("set(x)", "{x, 1}", "{each for each in x}", "{*x}", "frozenset(x)"))
def test_sets_of_anything_are_not_made_whatever_the_seed(monkeypatch, code):
    monkeypatch.setattr(hashing, "_is_seeded", lambda: True)
    assert "makes a set" in refused(eval(f"lambda x: {code}"), (1, 2))  # noqa: S307


@pytest.mark.parametrize("code", ("id(x) % 3", "sorted([x, y], key=id)", "x.__hash__()", "object.__hash__(x)", "{id(x): y}", "alias(x)",
                                  "operator.methodcaller('__hash__')(x)", "getattr(x, '__hash__')()"))
def test_addresses_are_asked_for_whatever_the_seed(monkeypatch, code):
    """Two starts may agree in a few bits of them by chance."""
    for seeded in (True, False):
        monkeypatch.setattr(hashing, "_is_seeded", lambda: seeded)  # noqa: B023
        assert "`id`" in refused(eval(f"lambda x, y=2: {code}", {"alias": id, "operator": operator}), "a")  # noqa: S307


@pytest.mark.parametrize("code", ("x.ctypes.data >> 12 & 1", "x.__array_interface__['data'][0]", "getattr(x, 'ctypes').data", "bounds(x)[0]",
                                  "bounds(x[1:])[0] - bounds(x)[0]", "array.array('d', x).buffer_info()[0]", "plain(x)"))
def test_where_an_array_is_in_memory_is_another_place_in_each_start(code):
    """As whether it is aligned: in two starts of two it may be."""
    bounds = getattr(np.lib, "array_utils", np).byte_bounds
    known = {"bounds": bounds, "array": array, "plain": functools.partial(operator.attrgetter("ctypes.data"))}
    assert "in memory" in refused(eval(f"lambda x: {code}", known), np.ones(100))  # noqa: S307


class Settable:
    def set(self, value):
        return value

    hash = frozenset = id = set


def test_methods_of_such_names_make_none(monkeypatch):
    monkeypatch.setattr(hashing, "_is_seeded", lambda: False)
    held = Settable()
    assert learned(lambda x: held.set(x) + held.hash(x) + held.frozenset(x) + held.id(x), 1)


@pytest.mark.parametrize("code", ("b.set(x)", "b.hash(x)", "alias(x)", "held.made(x)", "builtins.frozenset(x)"))
def test_sets_by_another_name_are_made_all_the_same(monkeypatch, code):
    monkeypatch.setattr(hashing, "_is_seeded", lambda: False)
    scope = {"b": builtins, "builtins": builtins, "alias": set, "held": types.SimpleNamespace(made=frozenset)}
    assert "a set or a hash" in refused(eval(f"lambda x: {code}", scope), (1, 2))  # noqa: S307


@pytest.mark.parametrize("code", ("x in {1, 'a'}", "x in {'a', 'b', 'c', 'd'}", "[each for each in {'a', 'b', 'c', 'd'}]", "hash(x)"))
def test_sets_of_text_have_an_order_where_there_is_a_seed(monkeypatch, code):
    monkeypatch.setattr(hashing, "_is_seeded", lambda: True)
    assert learned(eval(f"lambda x: {code}"), "a")  # noqa: S307


@pytest.mark.parametrize("code", ("a.keys() & b.keys()", "a.keys() - ['x']", "b | a.items()", "a.keys() ^ f(b, 1)[0]", "b - a.keys()"))
def test_views_that_are_joined_make_sets(monkeypatch, code):
    monkeypatch.setattr(hashing, "_is_seeded", lambda: False)
    joins = eval(f"lambda x, a={{'p': 1, 'q': 2}}, b={{'p': 1}}, f=None: {code}")  # noqa: S307
    assert views.are_joined(joins.__code__)


@pytest.mark.parametrize("code", ("len(a.keys()) - 3", "[k - 1 for k in a.keys()]", "(a.keys(), 4 - b)", "max(a.items()) | 3", "a[b - 1].keys()"))
def test_views_that_are_only_gone_through_make_none(code):
    goes = eval(f"lambda x, a=None, b=None: {code}")  # noqa: S307
    assert not any(views.are_joined(each) for each in bytecode.nested(goes.__code__))


def test_sets_of_strings_have_no_order(monkeypatch):
    monkeypatch.setattr(hashing, "_is_seeded", lambda: True)

    def make(value):
        return lambda x: "a" in value

    assert verify(learned(make({"a", "b", "c"}), 1), make({"c", "b", "a"})) is None


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


def test_enumerations_partials_and_cached_functions():
    def make(colour, by, cached):
        @functools.lru_cache(maxsize=4)
        def setting(name):
            return cached

        setting("scale")
        scaled = functools.partial(lambda x, by: x * by, by=by)
        return lambda x: (colour, scaled(x), setting("scale"))

    manifest = learned(make(Colour.RED, 2, 3), 1)
    assert verify(manifest, make(Colour.RED, 2, 3)) is None
    assert verify(manifest, make(Colour.BLUE, 2, 3)) is not None
    assert verify(manifest, make(Colour.RED, 9, 3)) is not None
    assert verify(manifest, make(Colour.RED, 2, 9)) is not None


def appends(x):
    CALLS.append(object())
    return x


def fills(x):
    FILLED.append(x)
    return x


def counts(x):
    global SCALE
    SCALE = SCALE + 0.0
    Holder.count = getattr(Holder, "count", 0) + 1
    return x


def test_effects_on_the_users_objects_are_refused_but_for_plain_values():
    assert "tracing changes `CALLS` of `appends`" in refused(appends, 1)
    changes = learned(fills, 1)["effects"]["set"]
    assert [change[2:] for change in changes] == [["items", {"before": [[None, ["f0.5"]]], "after": [[None, {"was": 0}], [None, [1]]]}]]
    changes = learned(counts, 1)["effects"]["set"]
    assert [change[2:] for change in changes] == [[".count", [1]]], changes


FACTOR = contextvars.ContextVar("factor", default=2.0)


def by_context(x):
    return x * FACTOR.get()


def test_a_context_variable_counts_by_what_it_is_now():
    manifest = learned(by_context, 2.0)
    assert verify(manifest, by_context) is None
    reset = FACTOR.set(3.0)
    assert verify(manifest, by_context) is not None
    FACTOR.reset(reset)
    assert verify(manifest, by_context) is None


class class_property(property):
    def __get__(self, instance, owner):
        return self.fget(owner)


class WithDefaults:
    factor = 2.0

    @class_property
    def scale(cls):
        return cls.factor

    def run(self, x):
        return x * self.scale


def test_a_property_of_a_class_of_its_own_is_code_like_any_other(monkeypatch):
    manifest = learned(WithDefaults().run, 2.0)
    assert verify(manifest, WithDefaults().run) is None
    monkeypatch.setattr(WithDefaults, "factor", 3.0)
    assert verify(manifest, WithDefaults().run) is not None
    monkeypatch.undo()
    monkeypatch.setattr(WithDefaults, "scale", class_property(lambda cls: 5.0))
    assert verify(manifest, WithDefaults().run) is not None


def test_clock_and_randomness_are_refused_where_the_user_calls_them():
    import random
    import time

    def clock(x):
        return x * time.time()

    def draw(x):
        return x * random.random()

    assert "reads the clock (time.time) while it is traced" in refused(clock, 1)
    assert "draws from Python's random" in refused(draw, 1)


def test_what_is_unpickled_may_hold_a_set():
    written = pickle.dumps({"a", "b"})
    assert "unpickles" in refused(lambda x: (x, pickle.loads(written)), 1)
    assert refused(lambda x: (x, pickle.Unpickler(io.BytesIO(written)).load()), 1)


def test_the_clock_is_read_by_no_call_that_shows():
    assert "reads the clock" in refused(lambda x: (x, np.datetime64("now")), 1)
    assert "reads the clock" in refused(lambda x: (x, np.datetime64("today", "D")), 1)
    assert "reads the clock" in refused(lambda x: (x, logging.makeLogRecord({}).created), 1)
    assert learned(lambda x: (x, np.datetime64("2020-01-01")), 1)


def test_files_and_environment_count_by_content(tmp_path, monkeypatch):
    import os

    path = tmp_path / "setting.txt"
    path.write_text("1.5")
    monkeypatch.setenv("SOME_SETTING", "1")

    def read(x):
        with open(path) as file:
            return x * float(file.read()) * float(os.environ["SOME_SETTING"])

    manifest = learned(read, 1)
    assert verify(manifest, read) is None
    path.write_text("2.5")
    assert "setting.txt" in verify(manifest, read)
    path.write_text("1.5")
    monkeypatch.setenv("SOME_SETTING", "2")
    assert "SOME_SETTING" in verify(manifest, read)


def test_the_environment_is_as_before_afterwards(monkeypatch):
    import os

    plain = os.environ._data
    learned(lambda x: os.environ.get("HOME"), 1)
    assert os.environ._data is plain


def test_code_of_helpers_counts():
    def make(body):
        scope = {}
        exec(f"def helper(x):\n    return {body}\ndef outer(x):\n    return helper(x)", scope)
        return scope["outer"]

    manifest = learned(make("x * 1.5"), 1)
    assert verify(manifest, make("x * 1.5")) is None
    assert verify(manifest, make("x * 2.5")) is not None


def test_access_paths_lead_back():
    target = Holder()
    other = Holder()

    def make(first, second):
        table = {"a": [first], ("b", 1): {"deep": second}}
        return functools.partial(lambda x, options: (table, x, options), options={"k": first})

    function = make(target, other)
    for value in (target, other):
        path = Finder(function).path(value)
        assert json.loads(json.dumps(path)) == path
        assert resolve(function, path) is value
    new = Holder()
    assert resolve(make(target, new), Finder(function).path(other)) is new
    assert Finder(function).path(Holder()) is None


def test_an_access_path_leads_to_where_an_object_stands_now():
    first, second = Holder(), Holder()
    held = [first, second]
    function = functools.partial(lambda x, held: x, held=held)
    find = Finder(function).path
    before = find(second)
    held.insert(0, Holder())
    path = find(second)
    assert path != before
    assert resolve(function, path) is second
    held.remove(first)
    held[0].elsewhere, held[1] = second, None
    assert resolve(function, find(second)) is second


def test_no_access_path_leads_through_an_object_of_ours():
    """It holds what is under way in this process."""
    only_there, elsewhere_too = Holder(), Holder()
    ours = Run.__new__(Run)
    vars(ours).update(one=only_there, two=elsewhere_too)
    function = functools.partial(lambda x, held: x, held=[ours, [[elsewhere_too]]])
    assert resolve(function, Finder(function).path(elsewhere_too)) is elsewhere_too
    assert Finder(function).path(elsewhere_too)[-2:] == ["#0", "#0"]
    assert Finder(function).path(only_there) is None


def test_a_step_that_cannot_be_taken_is_a_lookup_error():
    with pytest.raises(LookupError):
        resolve(by_global, ["function", "global NOTHING"])


def test_what_is_active_profiling_stops_learning():
    import cProfile

    profile = cProfile.Profile()
    profile.enable()
    try:
        learner = TraceReads(by_global, STANDS)
        with learner:
            by_global(1)
    finally:
        profile.disable()
    with pytest.raises(Refused, match="profiler"):
        learner.manifest()


def test_globals_are_found_behind_extended_arguments():
    body = "\n".join(f"    a{i} = G{i}" for i in range(400))
    scope = {}
    exec(f"def many():\n{body}\n    return G399", scope)
    assert bytecode.globals_named(scope["many"].__code__) == tuple(f"G{i}" for i in range(400))


def test_digests_do_not_depend_on_sharing_of_constants():
    source = "def f():\n    return ('abc' * 1, (1, 'abc'), frozenset({'x', 'y'}))"
    import marshal

    fresh = compile(source, "a.py", "exec").co_consts[0]
    loaded = marshal.loads(marshal.dumps(compile(source, "a.py", "exec"))).co_consts[0]
    assert bytecode.digest(fresh) == bytecode.digest(loaded)


def test_dotted_constants_are_names():
    code = compile("attrgetter('first.second')", "a.py", "eval")
    assert {"first", "second"} <= bytecode.attribute_names(code)
    found = names.Names.of([code], [code], {})
    assert found.by_kind[special.OWN] is None  # attrgetter may be given any name


def test_the_program_is_the_users_and_the_standard_library_is_not():
    assert ownership.is_user(by_global)
    assert ownership.owner(threading.__file__) == ownership.STDLIB
    assert ownership.module_owner("keras.src.layers") == ownership.FRAMEWORK
    assert ownership.module_owner(types.ModuleType("unheard_of").__name__) == ownership.USER
    assert ownership.module_owner_of(types.ModuleType("os")) == ownership.USER


class Record(dict):
    """As many projects keep their settings: names of a dictionary are attributes."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    __setattr__ = dict.__setitem__


@pytest.mark.parametrize("make", [lambda v: Record(scale=v), lambda v: types.SimpleNamespace(scale=v)])
def test_settings_with_attributes_count_by_what_they_hold(make):
    def using(settings):
        return lambda x: x * settings.scale

    assert verify(learned(using(make(1.0)), 2.0), using(make(1.0))) is None
    assert verify(learned(using(make(1.0)), 2.0), using(make(3.0))) is not None


def test_a_cached_property_that_nobody_has_asked_for_is_none():
    class Lazy:
        scale = 2.0

        @functools.cached_property
        def twice(self):
            return 2 * self.scale

    lazy = Lazy()
    manifest = learned(lambda x: x * lazy.scale if x else lazy.twice, 2.0)
    assert manifest["state"]


def test_a_stream_that_nothing_is_drawn_from_may_stand_anywhere():
    stream = random.Random(1)

    def draw(x, noisy=False):
        return x + stream.random() if noisy else x

    manifest = learned(draw, 2.0)
    stream.random()
    assert verify(manifest, draw) is None
    assert refused(draw, 2.0, True)


def test_objects_among_the_arguments_count():
    def scaled(settings, x):
        return x * settings.scale

    def called(value):
        return Called(scaled, [types.SimpleNamespace(scale=value)])

    learner = TraceReads(called(1.0), STANDS)
    with learner:
        scaled(types.SimpleNamespace(scale=1.0), 2.0)
    manifest = json.loads(json.dumps(learner.manifest()))
    assert verify(manifest, called(1.0)) is None
    assert verify(manifest, called(3.0)) is not None
    assert resolve(called(5.0), ["arguments", "#0", ".scale"]) == 5.0


def test_a_generator_that_has_no_state_hinders_nothing():
    dice = random.SystemRandom()

    def keeps(x):
        return x if dice else -x

    assert verify(learned(keeps, 1), keeps) is None
    assert whole.Whole(keeps).differences(whole.Whole(keeps).parts) == []


def test_a_set_that_the_program_puts_on_a_frameworks_object_is_the_programs(monkeypatch):
    monkeypatch.setattr(hashing, "_is_seeded", lambda: False)
    layer = type("Layer", (), {"__module__": "keras.src.layers"})()
    layer._own = {"a", "b"}
    assert learned(lambda x: len(layer._own), 1)
    layer.names = {"a", "b"}
    assert "whose order may be another" in refused(lambda x: len(layer.names), 1)


def assign_variable_op(resource):
    name = "AssignVariableOp"
    return name, resource


@pytest.mark.parametrize("caller, acts", [("resource_variable_ops", False), ("gen_state_ops", True)])
def test_a_variable_that_is_made_is_no_effect(monkeypatch, caller, acts):
    definition = types.SimpleNamespace(is_stateful=True)
    registry = types.SimpleNamespace(get=lambda name: definition if name == "AssignVariableOp" else None)
    monkeypatch.setitem(sys.modules, "tensorflow", types.ModuleType("tensorflow"))
    monkeypatch.setitem(sys.modules, "tensorflow.python", types.ModuleType("tensorflow.python"))
    framework = types.ModuleType("tensorflow.python.framework")
    framework.op_def_registry = registry
    monkeypatch.setitem(sys.modules, "tensorflow.python.framework", framework)

    def of(file):
        return assign_variable_op.__code__.replace(co_filename=f"/x/tensorflow/python/ops/{file}.py")

    at_once = ["<built-in method tensorflow.python._pywrap_tfe.TFE_Py_FastPathExecute>"]
    callers = [of("resource_variable_ops"), of(caller)]
    assert outside.acts_at_once(of("gen_resource_variable_ops"), at_once, callers) is acts
