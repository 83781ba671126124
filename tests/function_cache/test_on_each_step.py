"""What stands in a concrete function and is passed by each step: as little as its guards need, and gone when nothing is asked any more."""

import weakref
from types import SimpleNamespace

import pytest

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.answer import by_content
from firststep_agent.boost.cache_functions.keep.pending import CALLED_OTHERWISE, Pending
from firststep_agent.boost.cache_functions.key import guards
from firststep_agent.frameworks.points import MOST_IN_VAIN


class Function:
    """As much of a concrete function."""

    def __init__(self):
        self.calls = []

    def _call_flat(self, tensor_inputs, captured_inputs):
        self.calls.append((tensor_inputs, captured_inputs))
        return "plain"


class Told:
    """A run and a store that nothing is asked of."""

    on_fork = staticmethod(lambda callback: None)

    def __init__(self):
        self.notes = []

    def note(self, *words, **labels):
        self.notes.append(words)


class Context:
    """As much of TensorFlow's context."""

    device_name = ""
    function_call_options = SimpleNamespace(config_proto_serialized=b"of the first call")

    def devices(self):
        return ["/device:CPU:0"]


@pytest.fixture
def context(monkeypatch):
    made = Context()
    monkeypatch.setattr(guards, "eager", lambda: (lambda: made, None))
    return made


@pytest.fixture
def executes(monkeypatch, context):
    """A list of what `guards.may_execute` says, the last one for ever; an error is raised."""
    said = [True]

    def may_execute():
        found = said.pop(0) if len(said) > 1 else said[0]
        if isinstance(found, BaseException):
            raise found
        return found

    monkeypatch.setattr(guards, "may_execute", may_execute)
    monkeypatch.setattr(guards, "no_gradient_is_asked", lambda function, inputs: False)
    return said


@pytest.fixture
def learned():
    recorded = Pending.__new__(Pending)
    recorded.used_inside = recorded.written = None
    recorded.is_over = False
    return recorded


@pytest.fixture
def watched(context, learned):
    function = Function()
    function.__dict__["_call_flat"] = by_content._watching(Function._call_flat, weakref.ref(function), learned)
    return function


def test_a_learned_function_is_watched_while_its_entry_may_be_taken_back(executes, learned, watched):
    taken_back = []
    learned.written = taken_back.append
    for _ in range(1000):
        assert watched._call_flat([1], [2]) == "plain"
    assert "_call_flat" in vars(watched) and not taken_back
    executes[0] = False
    assert [watched._call_flat([1], [2]) for _ in range(3)] == ["plain"] * 3
    assert "_call_flat" not in vars(watched) and len(taken_back) == 1 and len(watched.calls) == 1003


def test_one_whose_entry_was_refused_is_watched_no_longer(executes, learned, watched):
    watched._call_flat([1], [2])
    learned.let_go()  # nothing was written
    assert watched._call_flat([1], [2]) == "plain"
    assert "_call_flat" not in vars(watched) and len(watched.calls) == 2


def test_one_whose_entry_was_written_is_still_watched(executes, learned, watched):
    learned.written = lambda reason: None
    learned.let_go()
    watched._call_flat([1], [2])
    assert "_call_flat" in vars(watched)


def test_a_guard_that_fails_takes_the_entry_back(executes, learned, watched):
    executes[0] = AttributeError("gone")
    assert watched._call_flat([1], [2]) == "plain"
    assert "_call_flat" not in vars(watched) and learned.used_inside


def test_a_call_on_the_device_that_it_has_anyway_is_like_any_other(executes, context, learned, watched):
    context.device_name = "/device:CPU:0"
    assert watched._call_flat([1], [2]) == "plain"
    assert "_call_flat" in vars(watched) and not learned.used_inside


def test_a_call_under_other_options_takes_the_entry_back(executes, context, learned, watched):
    watched._call_flat([1], [2])
    context.function_call_options = SimpleNamespace(config_proto_serialized=b"others")
    assert [watched._call_flat([1], [2]) for _ in range(2)] == ["plain"] * 2
    assert learned.used_inside == CALLED_OTHERWISE


def test_nothing_that_it_reads_had_changed_when_it_was_called_under_other_options(executes, context, learned, watched):
    asked = []
    learned.has_changed = lambda: asked.append(1) is not None
    context.function_call_options = SimpleNamespace(config_proto_serialized=b"others")
    assert [watched._call_flat([1], [2]) for _ in range(3)] == ["plain"] * 3
    assert "_call_flat" in vars(watched) and not learned.used_inside and asked == [1]


def test_an_interrupt_in_a_guard_is_the_programs(executes, learned, watched):
    executes[0] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        watched._call_flat([1], [2])
    assert "_call_flat" in vars(watched) and not watched.calls


def test_that_an_entry_is_taken_back_is_said_once(learned):
    said = []
    learned.written = said.append
    for reason in ("first", "second", "first"):
        learned.is_used_inside(reason)
    assert said == ["first"] and learned.used_inside == "first"


def test_one_that_was_used_inside_before_it_was_written_is_taken_back_by_who_writes(learned):
    learned.is_used_inside("early")
    assert learned.used_inside == "early" and learned.written is None


@pytest.fixture
def asks(learned):
    function = Function()
    found = by_content.ByContent(Told(), None, None, None, lambda: None)
    found.watch(function, learned)
    return function


def test_calls_under_a_tape_are_watched_until_enough_were_in_vain(executes, asks):
    executes[0] = False
    for number in range(MOST_IN_VAIN):
        assert "_call_flat" in vars(asks), number
        assert asks._call_flat([1], [2]) == "plain"
    assert "_call_flat" not in vars(asks) and len(asks.calls) == MOST_IN_VAIN


def test_what_another_threads_first_call_has_put_there_is_left(executes, asks):
    executes[0] = False
    watching = vars(asks)["_call_flat"]
    for _ in range(MOST_IN_VAIN - 1):
        watching([1], [2])
    vars(asks)["_call_flat"] = stored = object()
    watching([1], [2])
    assert vars(asks)["_call_flat"] is stored


@pytest.mark.parametrize("some, others, same", [
    ([], [], True), ([1], [], False), ([Function], [Function], True), ([1.5, Function], [1.5, Told], False),
])
def test_the_same_objects(some, others, same):
    assert kinds.same(some, others) is same


def test_objects_that_compare_as_tensors_do_are_not_compared():
    class Tensor:
        def __eq__(self, other):
            raise AssertionError

    one, other = Tensor(), Tensor()
    assert kinds.same([one], [one]) and not kinds.same([one], [other])
