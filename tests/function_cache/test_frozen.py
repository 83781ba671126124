"""What a program has taken from the collector (`gc.freeze`) is looked at, too."""

import gc

import pytest
from firststep_agent.boost.cache_functions.proof import state, tracked


class Own:
    pass


@pytest.fixture(autouse=True)
def frozen(without_the_collector):
    one = Own()
    gc.freeze()
    yield one
    gc.unfreeze()


def objects():
    return tracked.Tracked(lambda kind: kind is Own).of(lambda kind: kind is Own)


def test_what_is_frozen_is_found(frozen):
    assert list(objects()) == []
    with tracked.unfrozen():
        assert list(objects()) == [(frozen, Own)]
    assert list(objects()) == []


def test_it_is_told_whether_a_trace_freezes_what_there_is():
    before = state.BeforeTrace()
    assert not before.is_frozen()
    made = [Own()]
    assert not before.is_frozen()
    gc.freeze()
    assert before.is_frozen()
    assert made


def test_nothing_is_frozen_where_nothing_was():
    gc.unfreeze()
    state.BeforeTrace()
    assert gc.get_freeze_count() == 0
