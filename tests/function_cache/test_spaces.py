"""What a proof sees of modules, classes and what stands in them, beside what the function leads to."""

import abc
import collections
import gc
import itertools
import sys
import threading
import types
import weakref

import numpy
import pytest
from firststep_agent.boost.cache_functions.proof import spaces
from firststep_agent.boost.cache_functions.proof.tracked import Remembered, Tracked

NAME = "pytest.of_a_library"
pytestmark = pytest.mark.usefixtures("without_the_collector")


class Held:
    """What stands in a library's container, and can be referred to weakly."""


def library_module(name, **attributes):
    module = types.ModuleType(name)
    module.__file__ = pytest.__file__
    vars(module).update(attributes)
    return module


def library_class(**attributes):
    return type("OfALibrary", (), {"__module__": "pytest", **attributes})


@pytest.fixture
def look(monkeypatch):
    """Puts a module of a library with these attributes among the imported ones, and gives it with what there is before the trace."""
    def of(**attributes):
        module = library_module(NAME, **attributes)
        monkeypatch.setitem(sys.modules, NAME, module)
        return module, spaces.Spaces([NAME], Tracked(spaces.is_wanted))
    return of


def words(seen):
    """{(block, place): token} of all blocks that have changed."""
    return {(block, place): token for block in seen.changed() for place, token in seen.words(block).items()}


def changes(seen, before):
    """Names of what is another than it was before, as two forks tell it."""
    return {seen.name(block, place) for (block, place), token in words(seen).items() if before[block].get(place, token) != token}


def all_words(seen):
    return {block: seen.words(block) for block in range(len(seen._blocks))}


def function(a=1, *, b=2):
    return a, b


def changed_code():
    return None


def of_library():
    found = types.FunctionType(function.__code__, {}, "f", (1,))
    found.__module__, found.__kwdefaults__ = NAME, {"b": 2}
    return found


def annotated():
    def found(a: int, b: "str" = "") -> None:
        pass

    found.__module__ = NAME
    return found


def with_code_of_its_own():
    found = of_library()
    found.__code__ = found.__code__.replace(co_firstlineno=7)
    return found


def with_another_code_in_its_place(function):
    """The next code that is made is likely to lie where this one did."""
    function.__code__ = changed_code.__code__
    return changed_code.__code__.replace(co_firstlineno=8)


CASES = {
    "an attribute": (lambda: {"a": 1}, lambda m: setattr(m, "a", 2)),
    "an equal number": (lambda: {"a": 1}, lambda m: setattr(m, "a", True)),
    "an attribute more": (dict, lambda m: setattr(m, "a", None)),
    "one less": (lambda: {"a": 1}, lambda m: delattr(m, "a")),
    "another name": (lambda: {"a": 1}, lambda m: (delattr(m, "a"), setattr(m, "b", 1))),
    "an item": (lambda: {"a": [1, [2, {"x": 3}]]}, lambda m: m.a[1][1].update(x=4)),
    "an item of the same address": (lambda: {"a": [1000.5]}, lambda m: m.a.append(m.a.pop() + 1)),
    "a key": (lambda: {"a": {1: 2}}, lambda m: (m.a.clear(), m.a.update({3: 2}))),
    "order": (lambda: {"a": {1: 2, 3: 4}}, lambda m: m.a.update({1: m.a.pop(1)})),
    "an ordered dictionary's order": (lambda: {"a": collections.OrderedDict({1: 2, 3: 4})}, lambda m: m.a.move_to_end(1)),
    "a set": (lambda: {"a": {1, 2}}, lambda m: m.a.add(3)),
    "in a tuple": (lambda: {"a": (1, [2])}, lambda m: m.a[1].append(3)),
    "a deque": (lambda: {"a": collections.deque([1])}, lambda m: m.a.append(3)),
    "an array's items": (lambda: {"a": numpy.zeros(4)}, lambda m: m.a.__setitem__(2, 1.0)),
    "an array in a list": (lambda: {"a": [numpy.zeros(4)]}, lambda m: m.a[0].__setitem__(2, 1.0)),
    "a count": (lambda: {"a": itertools.count()}, lambda m: next(m.a)),
    "a thread's": (lambda: {"a": threading.local()}, lambda m: setattr(m.a, "stack", [1])),
    "a default": (lambda: {"f": of_library()}, lambda m: setattr(m.f, "__defaults__", (2,))),
    "a default for a keyword": (lambda: {"f": of_library()}, lambda m: m.f.__kwdefaults__.update(b=3)),
    "a function's code, at the same address": (
        lambda: {"f": with_code_of_its_own()}, lambda m: setattr(m.f, "__code__", with_another_code_in_its_place(m.f))),
    "a function's code": (lambda: {"f": of_library()}, lambda m: setattr(m.f, "__code__", changed_code.__code__)),
    "a function's attribute": (lambda: {"f": of_library()}, lambda m: setattr(m.f, "calls", 1)),
    "a function": (lambda: {"f": of_library()}, lambda m: setattr(m, "f", of_library())),
    "a method's default": (lambda: {"C": library_class(f=of_library())}, lambda m: m.C.f.__kwdefaults__.update(b=3)),
    "a static method's default": (
        lambda: {"C": library_class(f=staticmethod(of_library()))}, lambda m: m.C.f.__kwdefaults__.update(b=3)),
    "a property's default": (
        lambda: {"C": library_class(f=property(of_library()))}, lambda m: m.C.f.fget.__kwdefaults__.update(b=3)),
    "a class's attribute": (lambda: {"C": library_class(a=1)}, lambda m: setattr(m.C, "a", 2)),
    "in a class": (lambda: {"C": library_class(a=[1])}, lambda m: m.C.a.append(2)),
    "what a function is called": (lambda: {"f": of_library()}, lambda m: setattr(m.f, "__name__", "g")),
    "what a function says of itself": (lambda: {"f": of_library()}, lambda m: setattr(m.f, "__doc__", "Another.")),
    "whose a function is": (lambda: {"f": of_library()}, lambda m: setattr(m.f, "__module__", "pytest.another")),
    "a function's annotations": (lambda: {"f": annotated()}, lambda m: m.f.__annotations__.update(a=float)),
    "other annotations of a function": (lambda: {"f": annotated()}, lambda m: setattr(m.f, "__annotations__", {"a": float})),
    "a class's annotations": (
        lambda: {"C": library_class(__annotations__={"a": int})}, lambda m: m.C.__annotations__.update(a=float)),
    "annotations that are empty": (lambda: {"C": library_class(__annotations__={})}, lambda m: m.C.__annotations__.update(a=float)),
    "what a property says of itself": (lambda: {"C": library_class(f=property(of_library()))}, lambda m: setattr(m.C.f, "__doc__", "Another.")),
    "a property that begins anew": (
        lambda: {"C": library_class(f=property(of_library()))}, lambda m: m.C.f.__init__(annotated())),
    "a static method that begins anew": (
        lambda: {"C": library_class(f=staticmethod(of_library()))}, lambda m: vars(m.C)["f"].__init__(annotated())),
    "what a class is called": (lambda: {"C": library_class()}, lambda m: setattr(m.C, "__name__", "Another")),
    "what a class is called in full": (lambda: {"C": library_class()}, lambda m: setattr(m.C, "__qualname__", "Another.OfALibrary")),
    "a class's bases": (lambda: {"C": type("C", (library_class(),), {"__module__": "pytest"})}, lambda m: setattr(m.C, "__bases__", (Held,))),
    "a class's class": (
        lambda: {"C": type("Meta", (type,), {})("C", (), {"__module__": "pytest"})},
        lambda m: setattr(m.C, "__class__", type("Another", (type,), {}))),
    "a module's class": (dict, lambda m: setattr(m, "__class__", type("Lazy", (types.ModuleType,), {}))),
    "another module": (dict, lambda m: sys.modules.update({NAME: library_module(NAME)})),
    "no module": (dict, lambda m: sys.modules.pop(NAME)),
}


@pytest.mark.parametrize("case", CASES)
def test_what_changes_is_told(look, case):
    make, change = CASES[case]
    module, seen = look(**make())
    before = all_words(seen)
    assert changes(seen, before) == set()
    change(module)
    seen.let_go()
    assert changes(seen, before)


def test_who_was_registered_with_an_abstract_class_is_told(look):
    module, seen = look(C=abc.ABCMeta("OfALibrary", (), {"__module__": "pytest"}))
    before = all_words(seen)
    module.C.register(Held)
    assert "pytest.OfALibrary" in changes(seen, before)


@pytest.mark.skipif(sys.version_info < (3, 10), reason="before Python 3.10 they have none")
@pytest.mark.parametrize("wraps", [staticmethod, classmethod])
def test_an_attribute_of_what_wraps_a_method_is_told(look, wraps):
    module, seen = look(C=library_class(f=wraps(of_library())))
    before = all_words(seen)
    vars(module.C)["f"].put_on = 1
    assert changes(seen, before) == {"pytest.OfALibrary"}


SAME = {
    "annotations that are made when they are asked for": (lambda: {"C": library_class(), "f": annotated()}, lambda m: (
        m.C.__annotations__ if sys.version_info >= (3, 10) else None, m.f.__annotations__)),
    "attributes of what wraps a method, looked at": (
        lambda: {"C": library_class(f=staticmethod(of_library()))}, lambda m: dir(vars(m.C)["f"])),
    "an equal list": (lambda: {"a": {"of": [1, [2]]}}, lambda m: m.a.update({"of": [1, [2]]})),
    "away and back": (lambda: {"a": [1, 2]}, lambda m: m.a.append(m.a.pop())),
    "an equal text": (lambda: {"a": ["text"]}, lambda m: m.a.__setitem__(0, "".join(["te", "xt"]))),
    "what a framework makes empty in a thread": (lambda: {"a": threading.local()}, lambda m: setattr(m.a, "stack", [])),
    "a submodule": (dict, lambda m: setattr(m, "sub", library_module(NAME + ".sub"))),
    "which warnings were shown": (dict, lambda m: setattr(m, "__warningregistry__", {1: 2})),
}


@pytest.mark.parametrize("case", SAME)
def test_what_is_as_it_was_is_not_told(look, case):
    make, change = SAME[case]
    module, seen = look(**make())
    before = all_words(seen)
    change(module)
    seen.let_go()
    assert changes(seen, before) == set()


def test_a_container_says_whose_it_is(look):
    module, seen = look(registry={"names": []})
    before = all_words(seen)
    module.registry["names"].append("one")
    assert changes(seen, before) == {NAME}


def test_what_a_container_alone_held_goes_before_anybody_looks(look):
    """The container is held until then. What it does when it goes is what it would have done."""
    one, said = Held(), []
    weakref.finalize(one, said.append, "gone")
    module, seen = look(registry=[{"held": (one,)}])
    del one
    module.registry = []
    assert not said
    seen.let_go()
    assert said == ["gone"]


def test_nothing_of_the_library_is_kept_alive(look):
    module, seen = look(C=library_class(), made=Held())
    gone = [weakref.ref(module.C), weakref.ref(module.made), weakref.ref(module)]
    del sys.modules[NAME], module
    seen.let_go()
    gc.collect()
    assert [each() for each in gone] == [None, None, None]


def test_remembered_objects_are_those_that_are_there_still():
    class WithoutWeak:
        __slots__ = ()

    def addresses():
        return [id(each) for each in remembered.now()]

    weak, other = Held(), WithoutWeak()
    both, of_other = [id(weak), id(other)], [id(other)]
    remembered = Remembered([weak, other])
    assert addresses() == both
    del weak
    assert addresses() == of_other
    assert [number for number, _ in remembered.numbered()] == [1]  # as at the beginning
    del other
    remembered.let_go()
    assert addresses() == []
    assert remembered.number == 2


def failed_import():
    """The error of an import that left its module in a frame, as TensorFlow's do that try one name after the other."""
    module = library_module("pytest.left_over", left=[])
    try:
        raise ImportError("another name is tried", module.left)
    except ImportError as error:
        return error


def test_a_module_that_only_an_ended_frame_holds_is_not_looked_at():
    error = failed_import()
    kept = {"module": library_module("pytest.kept", left=[])}
    seen = spaces.Spaces([], Tracked(spaces.is_wanted))
    before = all_words(seen)
    error.args[1].append(1)
    assert not changes(seen, before)
    kept["module"].left.append(1)
    assert changes(seen, before) == {"pytest.kept"}
