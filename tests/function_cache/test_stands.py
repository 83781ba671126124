"""Where a trace is listened to: what cannot be heard is known, whatever the reason."""

import sys
import types

import pytest

from firststep_agent.boost.cache_functions.reads.stands import Stands, Unheard
from firststep_agent.frameworks.points import Point
from faked_run import Run

POINT = Point("of_a_test", "read", "for a test", package="of_a_test", by=("cache-functions",))


@pytest.fixture
def module(monkeypatch):
    made = types.ModuleType("of_a_test")
    made.read = lambda: 1
    monkeypatch.setitem(sys.modules, "of_a_test", made)
    return made


def stands():
    run = Run(None)
    made = Stands(run)
    run.wrap(POINT, lambda *arguments: iter(()), "cache-functions", until=made.scope, installed=made.needs(POINT))
    return made


def is_heard(made):
    with made:
        try:
            made.check()
        except Unheard as unheard:
            assert "of_a_test.read" in str(unheard)
            return False
    return True


def test_what_is_there_is_heard(module):
    assert is_heard(stands())


def test_what_is_not_there_is_not(module):
    del module.read
    assert not is_heard(stands())


def test_what_somebody_has_put_there_is_not(module):
    made = stands()
    module.read = lambda: 2
    assert not is_heard(made)


def test_a_module_that_nobody_has_imported_reads_nothing():
    assert is_heard(stands())
