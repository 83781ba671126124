"""How often a replay is traced instead, to check it: what that costs a start on average is bounded."""

from __future__ import annotations

import pytest

from firststep_agent.boost.cache_functions import lookup
from firststep_agent.boost.cache_functions.store import Entry


@pytest.mark.parametrize(("seconds", "setting", "one_in"), [
    (0.1, None, 64), (1.9, None, 64), (19.2, None, 640), (19.2, 1, 1), (0.1, 4, 4),
])
def test_dear_functions_are_checked_more_rarely(monkeypatch, seconds, setting, one_in):
    asking = lookup.Lookup(None, None, None, setting)
    entry = Entry({"trace_ns": int(seconds * 1e9), "first_call_ns": 0}, {})
    drawn = iter(range(6400))
    monkeypatch.setattr(lookup.os, "urandom", lambda count: next(drawn).to_bytes(count, "little"))
    assert sum(bool(asking._is_sampled(entry)) for _ in range(6400)) == 6400 // one_in


def test_none_is_checked_where_that_is_switched_off():
    entry = Entry({"trace_ns": 0, "first_call_ns": 0}, {})
    assert not any(lookup.Lookup(None, None, None, 0)._is_sampled(entry) for _ in range(100))
