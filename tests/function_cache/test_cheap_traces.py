"""A function that is traced quickly is not answered: its proof would take longer. What counts is the trace that nobody watched."""

from types import SimpleNamespace

import pytest
from firststep_agent.boost.cache_functions.answer.lookup import Lookup
from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry, Trust
from firststep_agent.boost.cache_functions.keep.header import Header

MS = 1_000_000


class Kept:
    """A store of one entry, whose trace took so long, watched and not."""

    def __init__(self, watched_ms, measured_ms):
        self.entry = FunctionEntry(Header("f", trace_ns=watched_ms * MS, signature="one"), {})
        self.measured = Trust(confirmed=True, trace_ns=measured_ms * MS)

    def candidates(self, primary):
        return [self.entry]

    def trust(self, entry):
        return self.measured

    def was_there(self, entry):
        return True


def looked_up(monkeypatch, watched_ms, measured_ms, signature="one"):
    lookup = Lookup(None, Kept(watched_ms, measured_ms), None, None, SimpleNamespace(heard=lambda listener: None), {}, None, 300 * MS, "cheap")
    monkeypatch.setattr(lookup, "_mismatch", lambda trace, entry: ("it is looked at", ()))
    return lookup.find(SimpleNamespace(primary="k", signature=signature))


@pytest.mark.parametrize(("watched_ms", "measured_ms"), [(400, 90), (2000, 5)])
def test_one_that_took_long_because_it_was_watched_is_traced(monkeypatch, watched_ms, measured_ms):
    assert looked_up(monkeypatch, watched_ms, measured_ms).plainly == "cheap"


@pytest.mark.parametrize(("watched_ms", "measured_ms"), [(400, 200), (400, 0), (2000, 1000)])
def test_one_that_takes_long_is_looked_at(monkeypatch, watched_ms, measured_ms):
    found = looked_up(monkeypatch, watched_ms, measured_ms)
    assert (found.plainly, found.reason) == (None, "it is looked at")


def test_one_with_other_arguments_may_take_longer(monkeypatch):
    assert looked_up(monkeypatch, 400, 90, signature="another").plainly is None


def test_one_that_was_learned_where_less_was_asked_for_is_left_out(monkeypatch):
    found = looked_up(monkeypatch, 200, 200)
    assert (found.plainly, found.reason) == (None, None)
