"""The hook points are data that anybody can read without a framework, and say where they exist."""

import enum
import subprocess
import sys
from dataclasses import dataclass

from firststep_agent.frameworks.points import all_points
from firststep_agent.observe.labels.arguments import kind_of
from firststep_agent.observe.labels.retracing import Traces, differences


def test_points_need_no_framework():
    program = ("import sys; sys.modules.update(tensorflow=None, keras=None, h5py=None); "
               "from firststep_agent.frameworks.points import all_points; print(len(all_points()))")
    count = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
    assert int(count) == len(all_points()) > 100


def test_no_point_is_watched_twice_in_any_version():
    versions = {"tensorflow": range(15, 22), "keras": (), "tf_keras": range(15, 22)}
    for package, minors in versions.items():
        wanted = [(2, minor) for minor in minors]
        if package == "keras":
            wanted = [(2, 15)] + [(3, minor) for minor in range(16)]
        for version in wanted:
            there = [(point.module, point.attribute) for point in all_points()
                     if point.package == package and point.exists_in(version)]
            assert there and len(there) == len(set(there)), (package, version)


def test_versions_are_told_as_people_write_them():
    told = {point.versions for point in all_points()}
    assert {"tensorflow", "tensorflow >= 2.14", "tensorflow < 2.14", "keras >= 3.0", "h5py"} <= told


@dataclass(frozen=True)
class Spec:
    shape: tuple
    dtype: str
    __module__ = "tensorflow.made"


@dataclass(frozen=True)
class Literal:
    value: object
    __module__ = "tensorflow.made"


class Parameter:
    def __init__(self, kind):
        self.type_constraint = kind


def told(**constraints):
    return {name: kind_of(constraint) for name, constraint in constraints.items()}


def test_differences_are_told_in_words():
    assert differences(told(x=Spec((8, 4), "float32")), told(x=Spec((3, 4), "float64"))) == [
        "x: shape (8, 4) -> (3, 4)", "x: dtype float32 -> float64"]
    assert differences(told(n=Literal(2)), told(n=Literal(3))) == ["n: Python value 2 -> 3"]
    assert differences(told(x=Literal(2)), told(x=Literal(2), y=Literal(1)))[-1] == "y: given this time"


class Own:
    """An argument's type, or a value, of the program's."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        raise AssertionError("it is compared")

    __hash__ = object.__hash__
    __repr__ = __eq__


def test_what_is_of_the_programs_is_neither_compared_nor_printed():
    def changed(earlier, later):
        return differences(told(x=earlier), told(x=later))

    mode = enum.IntEnum("Mode", {"TRAIN": 1, "TEST": 2})
    one = Own(1)
    assert changed(Own(1), Own(1)) == [] and changed(Own([Spec((2,), "a")]), Own([Spec((3,), "a")])) == ["x: shape (2,) -> (3,)"]
    assert changed(Literal(one), Literal(one)) == [] and changed(Literal(one), Literal(Own(1))) == ["x: another Own"]
    assert changed(Literal(mode.TRAIN), Literal(mode.TEST)) == ["x: Python value Mode.TRAIN -> Mode.TEST"]
    assert changed(Literal("a" * 99), Literal("a" * 98 + "b"))[0].startswith("x: Python value 'aaa")


def test_a_function_that_has_the_place_of_one_that_is_gone_is_another():
    def make():
        def function():
            pass
        return function

    traces, parameters = Traces(), {"x": Parameter(Spec((8,), "float32"))}
    first = make()
    assert traces.describe(first, 1, parameters, "")["trace"] == 1
    assert traces.describe(first, 1, parameters, "")["trace"] == 2
    del first
    described = traces.describe(make(), 1, parameters, "")
    assert (described["trace"], described["why"]) == (1, "new function with the same code (made in a loop)")


class Tensor:
    def __init__(self):
        self.dtype = Named("resource")


class Named:
    def __init__(self, name):
        self.name = name


RATE = 1


def test_functions_of_one_code_that_cannot_be_one_are_not_made_in_a_loop(monkeypatch):
    """Methods of objects that all live, closures over other objects or numbers, other globals, variables or arguments."""
    def make(held):
        def function(x, other=None):
            return held, RATE
        return function

    class Agent:
        def learn(self):
            pass

    def whys(*made):
        traces = Traces()
        return [traces.describe(function, number, {"x": Parameter(Spec(shape, "float32"))}, "", captured)["why"][:12]
                for number, (function, shape, captured) in enumerate(made)]

    again = ["first trace", "new function"]
    one, other, agent = Tensor(), Tensor(), Agent()
    assert whys((make(1), (2,), [one]), (make(1), (2,), [one])) == again
    assert whys((make(1), (2,), [one]), (make(1), (2,), [other])) == ["first trace"] * 2
    assert whys((make(1), (2,), []), (make(2), (2,), [])) == ["first trace"] * 2
    assert whys((make(one), (2,), []), (make(other), (2,), [])) == ["first trace"] * 2
    assert whys((make(1), (2,), []), (make(1), (3,), [])) == ["first trace"] * 2
    assert whys((make(1), (2,), []), (make(1), (3,), []), (make(1), (2,), [])) == ["first trace", *again]
    assert whys((agent.learn, (2,), []), (agent.learn, (2,), [])) == again  # wrapped anew
    assert whys((agent.learn, (2,), []), (Agent().learn, (2,), [])) == ["first trace"] * 2
    assert whys((Agent().learn, (2,), [])) == ["first trace"]
    traces = Traces()
    traces.describe(make(1), 1, {}, "")
    monkeypatch.setattr(sys.modules[__name__], "RATE", 2)
    assert traces.describe(make(1), 2, {}, "")["why"] == "first trace"
    for number in (1, 2):  # each is gone when the next is made
        described = traces.describe(Agent().learn, number + 2, {}, "")
    assert described["why"].startswith("new function")


def test_a_trace_is_compared_with_the_nearest_one_before():
    traces = Traces()

    def function():
        pass

    def describe(shape, times):
        parameters = {"x": Parameter(Spec(shape, "float32")), "times": Parameter(Literal(times))}
        return traces.describe(function, 1, parameters, "VARIABLE_CREATION")

    assert describe((8,), 2)["why"] == "first trace"
    describe((3,), 5)
    assert describe((3,), 2)["why"] == "x: shape (8,) -> (3,)"
    assert describe((3,), 6)["why"] == "times: Python value 5 -> 6"
    assert describe((9,), 6)["trace"] == 5
