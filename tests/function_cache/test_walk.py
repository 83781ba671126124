"""The lines of a walk: two that are equal tell of the same objects, whatever texts and names stand in these."""

import collections
import ctypes
import functools
import itertools
import sys
import types
import typing
import weakref
from types import ModuleType, SimpleNamespace

import pytest

from firststep_agent.boost.cache_functions.proof import thorough
from firststep_agent.boost.objects.expand import expand
from firststep_agent.boost.objects.parts.containers import entries
from firststep_agent.boost.objects.reading import Everything, Reading
from firststep_agent.boost.objects.walk import walk
from firststep_agent.collector import CollectorWatch


def digest(value):
    return walk([("root", value)], Reading()).digest()


@pytest.mark.parametrize("one, other", [
    ({"a": "b=sc"}, {"a=sb": "c"}),
    ({"a": "1\x1f.b=s2"}, {"a": "1", "b": "2"}),
    ({"a": "1\n.b"}, {"a": "1"}),
    ({"a": "1\n"}, {"a": "1\\n"}),
    ({"a=": "x"}, {"a": "=x"}),
    ({"a": "@1"}, {"a": object}),
    ({"a": "None"}, {"a": None}),
    ({"a": "i1"}, {"a": 1}),
    ({"a": "x" * 300}, {"a": "x" * 301}),
    ({"a": "b'x'"}, {"a": b"x"}),
    ({"a": float("nan")}, {"a": -float("nan")}),
    ({"a": complex(0, float("nan"))}, {"a": complex(0, -float("nan"))}),
    ({"a": collections.deque([1], 2)}, {"a": collections.deque([1], 3)}),
    ({"a": collections.deque([1], 2)}, {"a": collections.deque([1])}),
    ({"a": compile("u * u + 1", "<string>", "eval")}, {"a": compile("u * u + 2", "<string>", "eval")}),
    ({"a": compile("u * u", "<string>", "eval")}, {"a": compile("u * v", "<string>", "eval")}),
    ({"a": typing.TypeVar("a", bound=int)}, {"a": typing.TypeVar("a", bound=float)}),
    ({"a": typing.TypeVar("a", int, str)}, {"a": typing.TypeVar("a", int, bytes)}),
])
def test_no_text_and_no_name_stands_for_another_object(one, other):
    assert digest(SimpleNamespace(**one)) != digest(SimpleNamespace(**other))
    assert digest(one) != digest(other)


def test_what_is_the_same_has_the_same_lines():
    made = [{"a=b": "c\n", "d": ["e" * 300], "f": compile("{1, 2, 'x'} and u * 2.5", "<string>", "eval")} for _ in range(2)]
    assert digest(SimpleNamespace(**made[0])) == digest(SimpleNamespace(**made[1]))


def test_a_library_in_c_is_told_by_its_name_and_what_was_set_on_it():
    one, other = ctypes.CDLL(None), ctypes.CDLL(None)
    other._handle += 64
    assert digest(one) == digest(other) != digest(ctypes.PyDLL(None))
    other.level = 3
    assert digest(one) != digest(other)


def test_an_object_of_ours_tells_nothing_of_what_firststep_does():
    watch = CollectorWatch()
    hook = {"hook": lambda: watch}
    before = digest(hook)
    watch._times.append((1, 2))
    assert digest(hook) == before


def test_what_has_no_name_is_ordered_by_what_it_holds_and_not_by_its_address():
    """As Keras 2 keeps the nodes between layers: in a set, which goes by the address."""
    class Node:
        def __init__(self, layer):
            self.layer = layer

    def model(names):
        return SimpleNamespace(nodes={Node(SimpleNamespace(_name=name)) for name in names})

    made = [model(names) for names in itertools.permutations("abcd")]
    assert len({digest(each) for each in made}) == 1
    assert digest(made[0]) != digest(model("abce"))


def test_a_proof_asks_in_which_order_attributes_stand_only_of_the_programs_objects():
    """Keras 2 takes an attribute out before it sets it to what it was: whoever is called moves it behind the others."""
    def in_order(kind, names):
        made = kind()
        for name in names:
            setattr(made, name, 1)
        return walk([("root", made)], Reading(unread=True)).digest()

    layer = type("Layer", (), {"__module__": "keras.src.layers.layer"})
    own = type("Own", (), {"__module__": "train"})
    assert in_order(layer, "ab") == in_order(layer, "ba")
    assert in_order(own, "ab") != in_order(own, "ba")


def of_keras2(name, base=object, **attributes):
    made = type(name, (base,), {"__module__": "keras.src.backend"})()
    vars(made).update(attributes)
    return made


def in_a_proof(value):
    return walk([("root", value)], Reading(unread=True)).digest()


def test_what_is_kept_for_the_graph_of_a_trace_is_no_state():
    """The mask of an RNN's dropout, under its graph: only operations of that graph ask for it. What is kept for others counts."""
    def graph(name):
        return type(name, (), {"__module__": "tensorflow.python.framework.func_graph"})

    class Own:
        pass

    function, body, eager, own = graph("FuncGraph")(), type("WhileBody", (graph("FuncGraph"),), {})(), graph("Eager")(), Own()
    masks = of_keras2("ContextValueCache", weakref.WeakKeyDictionary, default_factory=None)
    before = in_a_proof(masks)
    masks[function] = masks[body] = [1]
    assert in_a_proof(masks) == before
    for key in (eager, own):
        masks[key] = [2]
        assert in_a_proof(masks) != before
        del masks[key]
    plain = weakref.WeakKeyDictionary()
    before = in_a_proof(plain)
    plain[function] = [1]
    assert in_a_proof(plain) != before


def test_what_tensorflow_gives_each_object_when_it_first_asks_is_no_change():
    """A list that a trace sets on a layer is another than the one that a checkpoint has asked for its parts."""
    trackable = type("Trackable", (), {"__module__": "tensorflow.python.trackable.base"})
    wrapper, own = (type(name, (trackable,), {"__module__": module}) for name, module in (
        ("ListWrapper", "tensorflow.python.trackable.data_structures"), ("Own", "train")))
    for kind in (wrapper, own):
        fresh, asked, waits, untracked = (kind() for _ in range(4))
        for one in (asked, waits):
            one._self_update_uid, one._self_name_based_restores, one._self_unconditional_deferred_dependencies = -1, set(), {}
        waits._self_unconditional_deferred_dependencies = {"kernel": 1}
        untracked._self_setattr_tracking = False
        assert in_a_proof(fresh) == in_a_proof(asked)
        assert len({in_a_proof(one) for one in (fresh, waits, untracked)}) == 3
    elsewhere, nothing = SimpleNamespace(_self_update_uid=-1), SimpleNamespace()
    assert in_a_proof(elsewhere) != in_a_proof(nothing)


def test_a_librarys_function_is_what_it_was_before_autograph_met_it():
    """What AutoGraph makes of a decorated one it puts into its `__wrapped__`; what the program puts there counts."""
    def wrapped(x):
        return x

    def others(x):
        return x

    def told(file, **attributes):
        made = types.FunctionType(compile("def of(x): return x", file, "exec").co_consts[0], globals(), "decorated")
        made.__qualname__ = "decorating.<locals>.decorated"
        vars(made).update(attributes)
        return in_a_proof(made)

    api = compile("def wrapper(x): pass", "/site-packages/tensorflow/python/autograph/impl/api.py", "exec").co_consts[0]
    converted = types.FunctionType(api, {})
    converted.__wrapped__ = wrapped
    noted = {"__wrapped__": converted, "autograph_info__": None}
    library = "/site-packages/tensorflow/python/util/dispatch.py"
    assert told(library, __wrapped__=wrapped) == told(library, **noted) != told(library, __wrapped__=others)
    assert told("/train.py", __wrapped__=wrapped) != told("/train.py", __wrapped__=wrapped, autograph_info__=None)  # goes by it later


def test_what_keras_2_keeps_by_ids_is_told_without_them():
    def node(inputs, places=(0, 1)):
        return of_keras2("Node", flat_input_ids=inputs, flat_output_ids=["7"], _keras_inputs_ids_and_indices=list(zip(inputs, places)))

    assert in_a_proof(node(["1", "2"])) == in_a_proof(node(["3", "4"]))
    assert in_a_proof(node(["1", "2"])) != in_a_proof(node(["1"])) and in_a_proof(node(["1", "2"])) != in_a_proof(node(["1", "2"], (0, 2)))
    functional = type(of_keras2("Functional"))
    own = type("Own", (functional,), {"__module__": "train"})
    for kind in (functional, own):
        one, other, used_twice = kind(), kind(), kind()
        one._tensor_usage_count, other._tensor_usage_count, used_twice._tensor_usage_count = {"1": 1, "2": 1}, {"3": 1, "4": 1}, {"1": 1, "2": 2}
        assert in_a_proof(one) == in_a_proof(other) != in_a_proof(used_twice)
    elsewhere = SimpleNamespace(_tensor_usage_count={"1": 1}), SimpleNamespace(_tensor_usage_count={"3": 1})
    assert in_a_proof(elsewhere[0]) != in_a_proof(elsewhere[1])


def test_a_function_that_a_librarys_call_has_made_is_what_it_holds():
    """Each set of weak references has one of its own, wherever it lies; what a module has is that one alone."""
    def told(value):
        reading = Reading(None, Everything(), unread=True)
        return walk([("root", value)], reading, thorough.parts(reading)).lines

    one, other = weakref.WeakSet(), weakref.WeakSet()
    kept = weakref.WeakSet([told])
    assert one._remove is not other._remove and told(one) == told(other) != told(kept)
    assert told(one._remove) == told(other._remove) != told(weakref.WeakKeyDictionary()._remove)
    again = types.FunctionType(functools.wraps.__code__, functools.wraps.__globals__, "wraps", functools.wraps.__defaults__)
    assert told(functools.wraps) != told(again)


def test_the_agents_own_modules_count_nowhere(monkeypatch):
    """They come when the agent needs them, from any thread, between two looks at a library that leads to `sys.modules`."""
    def told():
        head, children, _ = expand(sys.modules, Reading())
        return head, [step for step, _ in children]

    before = told()
    monkeypatch.setitem(sys.modules, "firststep_agent.boost.nearly", ModuleType("firststep_agent.boost.nearly"))
    assert told() == before
    assert not [name for name, _ in entries(sys.modules) if name.startswith("firststep_agent")]
    monkeypatch.setitem(sys.modules, "another", ModuleType("another"))
    assert told() != before


def test_a_flag_that_gives_copies_is_taken_apart_into_what_it_keeps():
    flags = pytest.importorskip("absl.flags")
    pytest.importorskip("absl.logging")  # has a flag of a dictionary
    found = [dict(expand(flags.FLAGS, Reading())[1]) for _ in range(2)]
    assert all(found[0][name] is found[1][name] for name in found[0])
    assert str(found[0][".logger_levels"]) == "{}"
