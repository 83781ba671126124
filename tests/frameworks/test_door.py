"""The door to the frameworks: one wrapper per place, listeners in order, guarded, gone at their time whoever came after."""

import contextlib
import functools
import gc
import signal
import sys
import traceback
import types
import warnings
import weakref
from unittest.mock import Mock, call

import pytest
from faked_run import Run

from firststep_agent.frameworks import points, versions
from firststep_agent.frameworks.listening import CALL, Answer, Call, Instead
from firststep_agent.frameworks.points import REPLACED, Point
from firststep_agent.frameworks.replacements import EXIT, READY, WATCHED, Replacements, _exchange, call_straight_on, put_back_copies
from firststep_agent.imports import FILE

FAR, NEAR = "prebuild-variables", "steps"  # of the two the first is the outer one


class HouseRun(Run):
    """In a process that has imported one module."""

    def __init__(self, module, **plan):
        super().__init__(**plan)
        self.module, self.over, self.later = module, [], {}

    def after_import(self, name, callback):
        if name == self.module.__name__:
            callback(self.module)
        else:
            self.later[name] = callback

    def note(self, remedy, what, **labels):
        self.notes.append((remedy, what, labels["reason"]))

    def wrapped_over(self, name):
        self.over.append(name)


class House:
    """A framework of one module, with a door into it."""

    def __init__(self, **plan):
        self.module = types.ModuleType("house")
        exec(compile(SOURCE, "house.py", "exec"), vars(self.module))
        self.run = HouseRun(self.module, **plan)
        self.door = self.run.door

    def wrap(self, attribute, listener, by=NEAR, until=READY, **told):
        point = Point("house", attribute, "for a test", **{"package": "house", "by": (FAR, NEAR), **told})
        self.door.wrap(point, listener, by, until)

    def own(self, attribute):
        """Whether the framework's own object is there."""
        owner, name = (self.module.Cat, attribute[4:]) if attribute.startswith("Cat.") else (self.module, attribute)
        found = vars(owner).get(name)
        return found is ORIGINALS[self].get(attribute)


@contextlib.contextmanager
def copied_while(house, told):
    """The While in which a listener stood, of what another module has taken a copy then; both modules are imported."""
    scope, _ = house.door.scope("something")
    house.wrap("plain", hears(told, "it"), until=scope)
    other = types.ModuleType("other_house")
    with pytest.MonkeyPatch.context() as patches:
        patches.setitem(sys.modules, "other_house", other)
        patches.setitem(sys.modules, "house", house.module)
        with scope:
            other.plain = house.module.plain
        yield scope, other


def looked_for_copies(house):
    """As at ready, once the program has run on for a while."""
    house.run.look_for_copies()
    house.run.beside.complete()


ORIGINALS: dict = {}
SOURCE = '''
VALUE = 7
def plain(a, b=1):
    """Adds."""
    if a == "wrong":
        raise ValueError("it is wrong")
    return a, b
class Animal:
    def run(self, way):
        return "ran", way
class Cat(Animal):
    def purr(self, loud=False):
        return "purr", loud
    @classmethod
    def make(cls):
        return cls()
    @staticmethod
    def count(n):
        return n
'''


@pytest.fixture
def house():
    made = House()
    ORIGINALS[made] = {"plain": made.module.plain, "Cat.purr": vars(made.module.Cat)["purr"]}
    yield made
    ORIGINALS.clear()


def ours(function):
    """The function as if it were the agent's own."""
    made = type(function)(function.__code__.replace(co_filename=FILE), {**function.__globals__, "__name__": "firststep_agent.observe"},
                          function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def hears(told, name):
    def listener(*args, **kwargs):
        told.append((name, "before", args, kwargs))
        result = yield CALL
        told.append((name, "after", result))

    return listener


def test_a_listener_hears_a_call_and_its_result(house):
    told = []
    house.wrap("plain", hears(told, "it"))
    assert house.module.plain(1, b=2) == (1, 2)
    assert told == [("it", "before", (1,), {"b": 2}), ("it", "after", (1, 2))]


def test_a_place_is_wrapped_once_and_its_listeners_have_their_declared_order(house):
    told = []
    house.wrap("plain", hears(told, "near"), NEAR)
    first = house.module.plain
    house.wrap("plain", hears(told, "far"), FAR)
    assert house.module.plain is first
    assert house.module.plain.__wrapped__ is ORIGINALS[house]["plain"]
    house.module.plain(1)
    assert [(name, when) for name, when, *_ in told] == [("far", "before"), ("near", "before"), ("near", "after"), ("far", "after")]


def test_what_stands_there_looks_like_the_frameworks_own(house):
    house.wrap("plain", hears([], "it"))
    shown = house.module.plain
    assert (shown.__name__, shown.__module__, shown.__doc__) == ("plain", "house", "Adds.")
    import inspect

    assert list(inspect.signature(shown).parameters) == ["a", "b"]


def test_a_listener_may_change_answer_or_take_over_a_call(house):
    def changes(a, b=1):
        yield Call((a + 1,), {"b": b})

    house.wrap("plain", changes, FAR)
    assert house.module.plain(1) == (2, 1)

    def answers(a, b=1):
        if a == 5:
            yield Answer("five")

    house.wrap("plain", answers, NEAR)
    assert house.module.plain(4) == "five"
    assert house.module.plain(1) == (2, 1)


def test_the_plain_way_of_one_that_takes_over_passes_those_inside_it(house):
    told = []
    house.wrap("plain", hears(told, "near"), NEAR)

    def takes_over(*args, **kwargs):
        yield Instead(lambda proceed: (proceed(1), proceed(2)))

    house.wrap("plain", takes_over, FAR)
    assert house.module.plain(0) == ((1, 1), (2, 1))
    assert len(told) == 4


def fails_before(*args, **kwargs):
    raise RuntimeError("ours")
    yield


def fails_binding():
    yield CALL


def fails_after(*args, **kwargs):
    yield CALL
    raise RuntimeError("ours")


def fails_in_finally(*args, **kwargs):
    try:
        yield CALL
    finally:
        raise RuntimeError("ours")


def yields_twice(*args, **kwargs):
    yield CALL
    yield CALL


def fails_instead(*args, **kwargs):
    def function(proceed):
        raise RuntimeError("ours")

    yield Instead(function)


def fails_instead_afterwards(*args, **kwargs):
    def function(proceed):
        proceed(*args, **kwargs)
        raise RuntimeError("ours")

    yield Instead(ours(function))


FAILING = [fails_before, fails_binding, fails_after, fails_in_finally, yields_twice, fails_instead, fails_instead_afterwards]


@pytest.mark.parametrize("failing", FAILING)
@pytest.mark.parametrize("order", [(FAR, NEAR), (NEAR, FAR)])
def test_an_error_of_a_listener_is_never_the_programs(house, failing, order):
    told = []
    house.wrap("plain", failing, order[0])
    house.wrap("plain", hears(told, "other"), order[1])
    for _ in range(3):
        assert house.module.plain(1) == (1, 1)
    assert [when for _, when, *_ in told] == ["before", "after"] * 3
    with pytest.raises(ValueError, match="it is wrong"):
        house.module.plain("wrong")
    if failing is not yields_twice:
        assert [where for where, _ in house.run.errors] == ["house.plain"], "noted, and once"


@pytest.mark.parametrize("when", ["before", "after", "giving up"])
def test_what_a_signals_handler_raises_in_a_listener_is_the_programs(house, when):
    class Alarm(Exception):
        pass

    def handler(number, frame):
        raise Alarm

    def interrupted(a, *arguments):
        if when == "before":
            signal.raise_signal(signal.SIGUSR1)
        try:
            yield CALL
        finally:
            if when != "before":
                signal.raise_signal(signal.SIGUSR1)

    house.wrap("plain", interrupted)
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        with pytest.raises(Alarm):
            house.module.plain("wrong" if when == "giving up" else 1)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert house.run.errors == []


def test_what_a_remedy_failed_at_is_noted(house):
    house.wrap("plain", fails_before, FAR)
    house.module.plain(1)
    assert house.run.notes == [(FAR, "error", "at house.plain: RuntimeError: ours")]


def test_the_programs_call_runs_once_whatever_fails(house):
    calls = []
    house.module.plain = lambda *arguments: calls.append(arguments)
    for failing in FAILING:
        house.wrap("plain", failing, FAR)
    house.module.plain(1)
    assert calls == [(1,)]


def test_the_programs_own_mistakes_are_told_in_the_frameworks_words(house):
    house.wrap("plain", fails_binding)
    house.wrap("plain", hears([], "it"), FAR)
    with pytest.raises(TypeError, match=r"plain\(\) missing 1 required positional argument: 'a'"):
        house.module.plain()
    with pytest.raises(TypeError, match="unexpected keyword argument 'c'"):
        house.module.plain(1, c=2)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="before Python 3.11 a bare raise puts the frame back")
@pytest.mark.parametrize("failing", [*FAILING, None])
def test_no_frame_of_ours_is_in_the_tracebacks_of_the_program(house, failing):
    def takes_over(*args, **kwargs):
        yield Instead(ours(lambda proceed: proceed(*args, **kwargs)))

    house.wrap("plain", hears([], "it"))
    house.wrap("plain", failing or takes_over, FAR)
    with pytest.raises(ValueError) as caught:
        house.module.plain("wrong")
    assert [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)][1:] == ["plain"]


def test_the_stack_levels_of_warnings_pass_us_over(house):
    def warns(*args, **kwargs):
        warnings.warn("look there", stacklevel=2)

    house.module.plain = warns
    house.wrap("plain", hears([], "it"))
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        house.module.plain()
    assert seen[0].filename == __file__


def test_everything_leaves_at_its_time(house):
    told = []
    house.wrap("plain", hears(told, "ready"), NEAR, READY)
    house.wrap("plain", hears(told, "exit"), FAR, EXIT)
    house.wrap("Cat.purr", hears(told, "watched"), NEAR, WATCHED)
    house.door.leave(READY)
    assert not house.own("plain") and not house.own("Cat.purr")
    house.module.plain(1)
    assert {name for name, *_ in told} == {"exit"}
    house.door.leave(READY, WATCHED, EXIT)
    assert house.own("plain") and house.own("Cat.purr")
    assert house.run.over == []


def test_what_somebody_else_wrapped_over_calls_straight_on_and_is_said(house):
    told = []
    house.wrap("plain", hears(told, "it"))
    below = house.module.plain
    house.module.plain = theirs = lambda *arguments: ("theirs", below(*arguments))
    house.door.leave(READY)
    assert house.module.plain is theirs
    assert house.module.plain(1) == ("theirs", (1, 1))
    assert (told, house.run.over) == ([], ["house.plain"])


def test_what_somebody_else_wrapped_before_us_is_left_alone(house):
    """A point's function is taken when its module comes; a While joins later."""
    told, (scope, _) = [], house.door.scope("something")
    house.wrap("plain", hears(told, "it"), until=scope)
    house.module.plain = theirs = lambda *arguments: "theirs"
    with scope:
        assert house.module.plain is theirs
    assert house.module.plain is theirs and told == []


def test_what_other_modules_took_is_put_back_under_whatever_name(house):
    house.wrap("plain", hears([], "it"))
    other, behind = types.ModuleType("other_house"), types.ModuleType("behind_it")
    other.plain = other._renamed = behind.plain = house.module.plain
    other._tfmw_wrapped_module = behind
    sys.modules["other_house"] = other
    try:
        house.run.put_back(READY)
        looked_for_copies(house)
        assert {other.plain, other._renamed, behind.plain} == {ORIGINALS[house]["plain"]}
    finally:
        del sys.modules["other_house"]


def test_what_leaves_early_leaves_its_copies_for_later(house):
    told, standing = [], []
    point = Point("house", "plain", "for a test", package="house", by=(FAR, NEAR))
    house.door.wrap(point, hears(told, "it"), NEAR, installed=lambda plain, listening: standing.append(listening))
    other = sys.modules["other_house"] = types.ModuleType("other_house")
    other.plain = house.module.plain
    try:
        standing[0].leave()
        assert house.own("plain") and other.plain is not ORIGINALS[house]["plain"]
        assert other.plain(1) == (1, 1) and told == []
        looked_for_copies(house)
        assert other.plain is ORIGINALS[house]["plain"]
        with pytest.MonkeyPatch.context() as patches:
            patches.setattr(house.run.beside, "begin", house.run.beside.complete)  # a thread would look in its own time
            house.door.wrap(point, hears(told, "it"), NEAR, installed=lambda plain, listening: standing.append(listening))
            other.plain = house.module.plain
            standing[1].leave()
        assert other.plain is ORIGINALS[house]["plain"], "what leaves after ready as well"
    finally:
        del sys.modules["other_house"]


def test_what_stands_again_is_no_copy(house):
    """Copies of the first time are put back all the same once it has left for good."""
    told = []
    with copied_while(house, told) as (scope, other):
        with scope:
            looked_for_copies(house)
            assert not house.own("plain") and house.module.plain(1) == (1, 1) and len(told) == 2
        house.run.beside.complete()
        assert house.own("plain") and other.plain is ORIGINALS[house]["plain"] and not house.run.over


def test_nothing_stands_again_while_copies_are_looked_for(house):
    """The look would find it where it stands, and another thread would put it back there."""
    told = []
    with copied_while(house, told) as (scope, _):
        house.run.look_for_copies()
        with scope:
            house.run.beside.complete()
            assert not house.own("plain") and house.module.plain(1) == (1, 1) and len(told) == 2


@pytest.mark.parametrize("for_good", [True, False])
def test_what_is_imported_while_it_stands_may_keep_a_copy_until_the_look_where_it_ends_for_good(house, monkeypatch, for_good):
    told, (scope, _) = [], house.door.scope("something")
    house.wrap("plain", hears(told, "it"), until=scope)
    scope.__enter__()
    other = types.ModuleType("other_house")
    monkeypatch.setitem(sys.modules, "other_house", other)
    other.plain = house.module.plain
    (scope.end if for_good else scope.__exit__)()
    assert house.own("plain") and other.plain(1) == (1, 1) and told == []
    assert (other.plain is ORIGINALS[house]["plain"]) is not for_good
    looked_for_copies(house)
    assert other.plain is ORIGINALS[house]["plain"]


def test_what_the_program_has_put_there_meanwhile_is_not_put_back(house):
    house.wrap("plain", hears([], "it"))
    other = sys.modules["other_house"] = types.ModuleType("other_house")
    other.plain = ours = house.module.plain
    try:
        _exchange(vars(other), "plain", theirs := object(), None)
        assert other.plain is ours
        _exchange(vars(other), "plain", ours, theirs)
        assert other.plain is theirs
        _exchange(vars(other), "nothing", ours, theirs)
        assert not hasattr(other, "nothing")
    finally:
        del sys.modules["other_house"]


def test_an_inherited_method_is_inherited_again(house):
    told = []
    house.wrap("Cat.run", hears(told, "it"), inherited=True)
    assert house.module.Cat().run("home") == ("ran", "home") and told
    assert house.module.Animal().run("home") == ("ran", "home") and len(told) == 2
    house.door.leave(READY)
    assert "run" not in vars(house.module.Cat)


def test_an_inherited_method_is_what_it_is_plainly_at_each_call(house):
    """What the program has put into the class above, or what a class of its own has in between."""
    told, Animal, Cat = [], house.module.Animal, house.module.Cat
    house.wrap("Cat.run", hears(told, "it"), inherited=True)

    class Between(Animal):
        def run(self, way):
            return "between", super().run(way)

    class Mixed(Cat, Between):
        pass

    assert Mixed().run("home") == ("between", ("ran", "home")) and told
    Animal.run = lambda self, way: ("patched", way)
    assert Cat().run("home") == ("patched", "home") and Mixed().run("home") == ("between", ("patched", "home"))
    Animal.run = Mock(return_value="mocked")  # it is not told of the object, as plainly
    assert Cat().run("home") == "mocked" and Animal.run.call_args == call("home")


def test_methods_of_classes_and_static_ones_stay_what_they_are(house):
    told = []
    house.wrap("Cat.make", hears(told, "it"))
    house.wrap("Cat.count", hears(told, "it"))
    assert type(house.module.Cat.make()) is house.module.Cat
    assert (house.module.Cat().count(3), house.module.Cat.count(4)) == (3, 4)
    assert len(told) == 6


def test_a_while_listens_only_while_it_is_open(house):
    told, (scope, _) = [], house.door.scope("something")
    house.wrap("plain", hears(told, "it"), until=scope)
    assert house.own("plain")
    with scope:
        with scope:
            house.module.plain(1)
        house.module.plain(2)
        assert not house.own("plain")
    assert house.own("plain")
    house.module.plain(3)
    assert [args for _, when, args, *_ in told if when == "before"] == [(1,), (2,)]


def test_a_while_ends_in_the_middle_of_a_call(house):
    scope, _ = house.door.scope("something")

    def closes(*args, **kwargs):
        scope.__exit__()
        yield CALL

    house.wrap("plain", closes, until=scope)
    scope.__enter__()
    assert house.module.plain(1) == (1, 1)
    assert house.own("plain")


def test_ready_may_come_while_a_while_is_open(house):
    """One wrapper for both: whichever leaves last, the attribute holds the framework's own then."""
    told, (scope, _) = [], house.door.scope("something")
    house.wrap("Cat.purr", hears(told, "until ready"))
    house.wrap("Cat.purr", hears(told, "while"), FAR, until=scope)
    with scope:
        house.door.leave(READY, WATCHED)
        house.module.Cat().purr()
        assert {name for name, *_ in told} == {"while"} and not house.own("Cat.purr")
    assert house.own("Cat.purr") and house.run.over == []
    with scope:
        assert not house.own("Cat.purr")
    assert house.own("Cat.purr")


def test_ready_may_come_in_the_middle_of_a_call(house):
    told = []

    def ready(*args, **kwargs):
        yield CALL
        house.door.leave(READY, WATCHED)

    house.wrap("plain", hears(told, "it"), FAR)
    house.wrap("plain", ready)
    assert house.module.plain(1) == (1, 1)
    assert house.own("plain") and len(told) == 2


@pytest.mark.parametrize("attribute", ["gone", "Cat.gone", "Dog.bark", "VALUE", "VALUE.real", "Cat.run"])
def test_what_is_not_there_is_noted(house, attribute):
    house.wrap(attribute, hears([], "it"), NEAR)
    house.wrap(attribute, hears([], "it"), FAR)
    assert house.run.records == [("missing", "house", attribute)]
    ((remedy, what, reason),) = house.run.notes
    assert (remedy, what) == (FAR, "refused") and "house" in reason


def test_a_point_of_other_versions_is_not_looked_for(house, monkeypatch):
    monkeypatch.setitem(versions._installed, "house", (2, 3))
    house.wrap("gone", hears([], "it"), since=(2, 4))
    house.wrap("plain", hears([], "it"), before=(2, 3))
    assert house.run.records == [] and house.own("plain")


def test_a_remedy_refuses_versions_that_were_not_tried(house, monkeypatch):
    monkeypatch.setitem(versions.TRIED, "house", ((2, 15), (2, 21)))
    monkeypatch.setitem(versions.SHOWN, "house", "House")
    monkeypatch.setitem(versions._installed, "house", (2, 99))
    for _ in range(2):
        house.wrap("plain", hears([], "it"), FAR)
    assert house.own("plain")
    ((remedy, what, reason),) = house.run.notes
    assert (remedy, what) == (FAR, "refused")
    assert reason == "House 2.99 is not known: it was tried on 2.15 to 2.21 (--untested-versions allows it)"
    house.wrap("plain", hears([], "it"), NEAR)
    assert not house.own("plain"), "an observer looks all the same"


@pytest.mark.parametrize("own,goes", [("2.20.1", False), ("2.99.0", True)])
def test_what_rests_on_a_version_goes_when_the_package_tells_another(house, monkeypatch, own, goes):
    """The installer's record is there first; what the package says of itself comes in the middle of its import."""
    monkeypatch.setitem(versions.TRIED, "house", ((2, 15), (2, 21)))
    monkeypatch.setitem(versions.SHOWN, "house", "House")
    monkeypatch.setitem(versions._installed, "house", (2, 20))
    monkeypatch.setitem(versions._NAMED_IN, "house", "house.version")
    told, scope = [], house.door.scope("a trace")[0]
    house.wrap("plain", hears(told, "far"), FAR)
    house.wrap("plain", hears(told, "near"), NEAR)
    house.wrap("Cat.purr", hears(told, "far"), FAR, until=scope)
    house.door.put(Point("house", "VALUE", "for a test", package="house", by=(FAR,), how=REPLACED), lambda plain: plain + 1, FAR)
    assert (house.module.VALUE, house.run.notes) == (8, [])

    module = types.ModuleType("house.version")
    module.__version__ = own
    monkeypatch.setitem(sys.modules, "house.version", module)
    house.run.later["house.version"](module)
    house.module.plain(1)
    with scope:
        house.module.Cat().purr()
    assert (7 if goes else 8) == house.module.VALUE
    assert {name for name, *_ in told} == ({"near"} if goes else {"near", "far"})
    assert len(told) == (2 if goes else 6)
    assert [(remedy, what) for remedy, what, _ in house.run.notes] == ([(FAR, "refused")] if goes else []), "said once"


def test_untested_versions_can_be_allowed(monkeypatch):
    house = House(untested_versions=True)
    monkeypatch.setitem(versions.TRIED, "house", ((2, 15), (2, 21)))
    monkeypatch.setitem(versions._installed, "house", (2, 99))
    house.wrap("plain", hears([], "it"), FAR)
    assert house.run.notes == [] and house.module.plain.__wrapped__


@pytest.mark.parametrize("here,outside", [((2, 15), False), ((2, 21), False), ((2, 14), True), ((2, 22), True), ((3, 0), True)])
def test_both_ends_of_what_was_tried_belong_to_it(monkeypatch, here, outside):
    assert (versions.untried("tensorflow", [here]) is not None) is outside
    assert (versions.untried("tensorflow", [(2, 20), here]) is not None) is outside, "whoever tells it"


def test_a_version_that_nobody_tells_was_not_tried():
    assert versions.untried("tensorflow", []) == "the version of TensorFlow cannot be told"


@pytest.mark.parametrize("text,numbers", [("2.21.0", (2, 21)), ("2.21.0rc1", (2, 21)), ("2.22.0.dev20260101", (2, 22)), ("", None),
                                          (None, None), ("unknown", None), ("2", None)])
def test_versions_as_they_are_written(text, numbers):
    assert versions.numbers(text) == numbers


class TestOverridden:
    """What classes below one have of their own under the name of its method."""

    @pytest.fixture
    def scope(self, house):
        return house.door.scope("something")[0]

    def listen(self, house, scope, told):
        listening = []
        point = Point("house", "Cat.purr", "for a test", package="house", by=(FAR, NEAR))
        house.door.wrap(point, hears(told, "it"), FAR, scope, lambda plain, one: listening.append(one), overridden=True)
        return listening[0]

    def test_they_are_heard_whenever_they_were_made_and_hold_their_own_again(self, house, scope):
        told = []
        self.listen(house, scope, told)
        with scope:
            pass

        class Lion(house.module.Cat):
            def purr(self, loud=True):
                return "roar", super().purr(loud)

        class Cub(Lion):
            @staticmethod
            def purr():
                return "squeak"

        own = [vars(one)["purr"] for one in (house.module.Cat, Lion, Cub)]
        with scope:
            assert (Lion().purr(), Cub().purr()) == (("roar", ("purr", True)), "squeak")
        assert [args[0] if args else None for _, when, args, *_ in told if when == "before"] == [told[0][2][0]] * 2 + [None]
        assert [vars(one)["purr"] for one in (house.module.Cat, Lion, Cub)] == own
        Lion().purr()
        assert len(told) == 6

    def test_the_wrapper_is_the_one_that_is_there(self, house, scope):
        """Of another who listens at a class below, until ready or as long as it likes."""
        told = []

        class Lion(house.module.Cat):
            def purr(self):
                return "roar"

        house.module.Lion, own = Lion, vars(Lion)["purr"]
        house.wrap("Lion.purr", hears(told, "near"))
        theirs = vars(Lion)["purr"]
        self.listen(house, scope, told)
        with scope:
            assert vars(Lion)["purr"] is theirs
            Lion().purr()
            assert [name for name, *_ in told] == ["it", "near", "near", "it"]
            house.door.leave(READY)
        assert vars(Lion)["purr"] is own and house.run.over == []
        with scope:
            Lion().purr()
        assert vars(Lion)["purr"] is own

    def test_a_class_is_not_held(self, house, scope):
        told = []
        self.listen(house, scope, told)

        class Lion(house.module.Cat):
            def purr(self):
                return "roar"

        with scope:
            Lion().purr()
        told.clear()
        gone = weakref.ref(Lion)
        del Lion
        gc.collect()
        assert gone() is None and len(house.door._places) == 1

    def test_what_somebody_put_there_meanwhile_is_heard_and_put_back(self, house, scope):
        told, own = [], house.module.Cat.purr
        house.wrap("Cat.purr", hears(told, "near"))
        self.listen(house, scope, told)
        below = house.module.Cat.purr
        house.module.Cat.purr = theirs = lambda *arguments: ("theirs", below(*arguments))
        with scope:
            assert house.module.Cat().purr() == ("theirs", ("purr", False))
            assert [name for name, *_ in told] == ["it", "near", "near", "it"]
            house.door.leave(READY)
        assert house.module.Cat.purr is theirs
        house.module.Cat.purr = lambda *arguments: "others"
        with scope:
            assert house.module.Cat().purr() == "others"
        assert [name for name, *_ in told][4:] == ["it", "it"]
        house.module.Cat.purr = own
        with scope:
            house.module.Cat().purr()
        assert house.own("Cat.purr") and len(told) == 8

    @pytest.mark.parametrize("kind", ["a property", "a partial method", "a class that lets nobody set it"])
    def test_what_cannot_be_heard_is_told_and_left_alone(self, house, scope, kind):
        class Shut(type):
            def __setattr__(cls, name, value):
                raise TypeError("it is shut")

        if kind == "a property":
            class Lion(house.module.Cat):
                purr = property(lambda self: lambda: "roar")
        elif kind == "a partial method":
            class Lion(house.module.Cat):
                purr = functools.partialmethod(lambda self, what: what, "roar")
        else:
            class Lion(house.module.Cat, metaclass=Shut):
                def purr(self):
                    return "roar"

        told, own = [], vars(Lion)["purr"]
        listening = self.listen(house, scope, told)
        with scope:
            assert not listening.place.stands
            assert vars(Lion)["purr"] is own and Lion().purr() == "roar"
            assert house.module.Cat().purr() == ("purr", False)
        assert house.own("Cat.purr") and len(told) == 2 and house.run.errors == []

    def test_whether_all_are_heard_is_asked_each_time(self, house, scope):
        listening = self.listen(house, scope, [])

        class Lion(house.module.Cat):
            purr = property(lambda self: None)

        with scope:
            assert not listening.place.stands
        del Lion
        gc.collect()
        with scope:
            assert listening.place.stands

    def test_it_goes_with_who_rests_on_it(self, house, scope):
        listening = self.listen(house, scope, [])
        with scope:
            listening.leave()
            assert house.own("Cat.purr")
        assert house.own("Cat.purr")


class TestPutWhile:
    """A value that stands only while something is under way."""

    @pytest.fixture
    def scope(self, house):
        return house.door.scope("something")[0]

    def put(self, house, scope, make, attribute="plain"):
        house.door.put(Point("house", attribute, "for a test", package="house", by=(FAR,), how=REPLACED), make, FAR, scope)

    def test_it_stands_while_that_is_open_and_is_made_once(self, house, scope):
        made = []
        self.put(house, scope, lambda plain: made.append(plain) or (lambda *arguments: ("ours", plain(*arguments))))
        assert house.own("plain")
        for _ in range(2):
            with scope:
                with scope:
                    assert house.module.plain(1) == ("ours", (1, 1))
                assert not house.own("plain")
            assert house.own("plain")
        assert len(made) == 1

    def test_what_a_module_took_of_it_is_put_back(self, house, scope):
        self.put(house, scope, lambda plain: lambda *arguments: "ours")
        other = sys.modules["other_house"] = types.ModuleType("other_house")
        try:
            with scope:
                other.taken = house.module.plain
                assert other.taken(1) == "ours"
            assert other.taken is ORIGINALS[house]["plain"]
        finally:
            del sys.modules["other_house"]

    def test_what_somebody_put_there_is_left_alone(self, house, scope):
        self.put(house, scope, lambda plain: lambda *arguments: "ours")
        house.module.plain = theirs = lambda *arguments: "theirs"
        with scope:
            assert house.module.plain is theirs
        assert house.module.plain is theirs and house.run.over == ["house.plain"]

    def test_what_somebody_wraps_over_it_stays(self, house, scope):
        self.put(house, scope, lambda plain: lambda *arguments: ("ours", *plain(*arguments)))
        with scope:
            below = house.module.plain
            house.module.plain = theirs = lambda *arguments: ("theirs", *below(*arguments))
        assert house.module.plain is theirs and house.module.plain(1) == ("theirs", "ours", 1, 1)
        assert house.run.over == ["house.plain"]

    def test_nothing_is_put_where_there_is_nothing_to_put(self, house, scope):
        self.put(house, scope, lambda plain: None)
        with scope:
            assert house.own("plain")

    def test_a_version_that_was_not_tried_has_none(self, house, scope, monkeypatch):
        monkeypatch.setitem(versions.TRIED, "house", ((2, 15), (2, 21)))
        monkeypatch.setitem(versions.SHOWN, "house", "House")
        monkeypatch.setitem(versions._installed, "house", (2, 20))
        monkeypatch.setitem(versions._NAMED_IN, "house", "house.version")
        self.put(house, scope, lambda plain: lambda *arguments: "ours")
        module = types.ModuleType("house.version")
        module.__version__ = "2.99.0"
        monkeypatch.setitem(sys.modules, "house.version", module)
        with scope:
            assert not house.own("plain")
            house.run.later["house.version"](module)
            assert house.own("plain")
        with scope:
            assert house.own("plain")


class TestCode:
    """Another code in a function that stays the framework's own."""

    POINT = Point("house", "plain.__code__", "for a test", package="house", by=(FAR, NEAR), how=REPLACED)

    @staticmethod
    def larger(code):
        return code.replace(co_stacksize=33_000)

    def put(self, house, by=FAR, make=None, until=READY):
        house.door.put(self.POINT, make or self.larger, by, until)

    def test_it_is_put_back_at_its_time(self, house):
        plain, code = house.module.plain, house.module.plain.__code__
        self.put(house)
        assert house.module.plain is plain and plain(1) == (1, 1) and plain.__code__.co_stacksize == 33_000
        house.door._run.replacements.leave(READY)
        assert plain.__code__ is code

    def test_it_is_the_frameworks_own_also_where_ours_stands(self, house):
        told, own = [], house.module.plain
        house.wrap("plain", hears(told, "it"))
        self.put(house)
        assert own.__code__.co_stacksize == 33_000 and house.module.plain.__code__.co_stacksize < 33_000
        house.door._run.replacements.leave(READY)
        assert own.__code__.co_stacksize < 33_000

    def test_two_may_put_it_and_leave_in_any_order(self, house):
        plain, code = house.module.plain, house.module.plain.__code__
        self.put(house, FAR, until=READY)
        self.put(house, NEAR, until=EXIT)
        house.door._run.replacements.leave(READY)
        assert plain.__code__.co_stacksize == 33_000
        house.door._run.replacements.leave(EXIT)
        assert plain.__code__ is code and house.run.over == []

    def test_what_somebody_put_there_meanwhile_stays(self, house):
        self.put(house)
        theirs = house.module.plain.__code__ = house.module.plain.__code__.replace(co_name="theirs")
        house.door._run.replacements.leave(READY)
        assert house.module.plain.__code__ is theirs and house.run.over == ["plain.__code__"]

    @pytest.mark.parametrize("attribute", ["gone.__code__", "VALUE.__code__", "Cat.gone.__code__", "Dog.bark.__code__"])
    def test_what_has_none_is_noted(self, house, attribute):
        house.door.put(Point("house", attribute, "for a test", package="house", by=(FAR,), how=REPLACED), self.larger, FAR)
        ((remedy, what, reason),) = house.run.notes
        assert (remedy, what, reason) == (FAR, "refused", f"there is no house.{attribute}")

    def test_a_version_that_was_not_tried_keeps_its_own(self, house, monkeypatch):
        monkeypatch.setitem(versions.TRIED, "house", ((2, 15), (2, 21)))
        monkeypatch.setitem(versions.SHOWN, "house", "House")
        monkeypatch.setitem(versions._installed, "house", (2, 99))
        code = house.module.plain.__code__
        self.put(house)
        assert house.module.plain.__code__ is code and [what for _, what, _ in house.run.notes] == ["refused"]


class TestReplacements:
    """Values of ours in the place of another's whole."""

    @pytest.fixture
    def replaced(self, house):
        made = Replacements(house.run)
        made.put(house.module, "plain", lambda a, b=2: "ours", READY)
        return made

    def test_it_is_put_back(self, house, replaced):
        ours = house.module.plain
        assert house.module.plain(1) == "ours"
        replaced.leave(READY)
        assert house.own("plain")
        assert ours(1) == (1, 1), "whoever has kept it goes straight on"

    def test_what_somebody_else_wrapped_over_calls_straight_on_and_is_said(self, house, replaced):
        below = house.module.plain
        house.module.plain = lambda *arguments: ("theirs", below(*arguments))
        replaced.leave(READY)
        assert house.module.plain(1) == ("theirs", (1, 1))
        assert house.run.over == ["house.plain"]

    def test_what_was_not_there_is_not_there_again(self, house, replaced):
        replaced.put(house.module, "compile", compile, READY)
        replaced.leave(READY)
        assert not hasattr(house.module, "compile")

    def test_a_copy_that_is_put_as_well_is_put_back_to_the_frameworks_own(self, house, replaced):
        ours = house.module.plain
        house.module._plain = ours  # as `from house import plain as _plain` makes it
        replaced.put(house.module, "_plain", ours, READY)
        replaced.leave(READY)
        assert house.module._plain is house.module.plain is ORIGINALS[house]["plain"]

    def test_only_what_is_due_leaves(self, house, replaced):
        replaced.leave(EXIT, WATCHED)
        assert house.module.plain(1) == "ours"

    def test_a_closure_and_a_partial_call_straight_on(self):
        from functools import partial

        kept = [1]

        def ours(*arguments):
            return kept

        for function in (ours, partial(ours)):
            call_straight_on(function, lambda *arguments, **keywords: (arguments, keywords))
            assert function(1, n=2) == ((1,), {"n": 2})


def test_every_point_says_what_it_is_for_who_uses_it_and_where():
    everywhere = points.all_points()
    assert len({(one.package, one.since, one.before, one.name) for one in everywhere}) == len(everywhere)
    for one in everywhere:
        assert one.why and one.users and one.versions, one.name
        assert set(one.users) <= set(points.ORDER) | {"run-operations-directly", "defer-source-lines", "memoise-signatures",
                                                         "presize-data-stack", "door"}, one.name
        same_for_all = one.attribute.endswith(".__code__")
        assert one.how != REPLACED or same_for_all or len(one.users) == 1, f"{one.name} has one value, and so one user"


def test_only_a_name_in_the_table_can_be_asked_for():
    with pytest.raises(KeyError):
        points.points_at("tensorflow", "tensorflow.python.eager.context", "Context.of_no_table")


def test_what_a_module_took_of_a_replacement_is_put_back(house):
    plain, value = house.module.plain, lambda: "ours"
    replacements = Replacements(house.run)
    replacements.put(house.module, "plain", value, READY)
    replacements.put(house.module, "number", None, READY)  # no function: others' None is none of ours
    other = types.ModuleType("other_house")
    other.taken, other.nothing = house.module.plain, None
    sys.modules["other_house"] = other
    try:
        list(put_back_copies(replacements.leave(READY)))
        assert other.taken is plain and other.nothing is None
    finally:
        del sys.modules["other_house"]


def test_what_was_put_first_may_go_first(house):
    first, second = (lambda: "first"), (lambda: "second")
    plain = house.module.plain
    replacements = Replacements(house.run)
    replacements.put(house.module, "plain", first, READY)
    replacements.put(house.module, "plain", second, EXIT)
    replacements.leave(READY)
    assert house.module.plain is second and not house.run.over
    replacements.leave(EXIT)
    assert house.module.plain is plain and not house.run.over
