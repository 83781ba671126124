"""How often a replay is traced instead, to check it: what that costs a start on average is bounded."""

from __future__ import annotations

import pytest

from firststep_agent.boost.cache_functions import lookup
from firststep_agent.boost.cache_functions.store import Entry


class CountedUses:
    def __init__(self, uses):
        self._uses = iter(uses)

    def use(self, entry):
        return next(self._uses)


@pytest.mark.parametrize(("seconds", "setting", "one_in"), [
    (0.1, None, 64), (1.9, None, 64), (19.2, None, 640), (19.2, 1, 1), (0.1, 4, 4),
])
def test_dear_functions_are_checked_more_rarely(seconds, setting, one_in):
    entry = Entry({"trace_ns": int(seconds * 1e9), "first_call_ns": 0, "form": "optimised"}, {})
    asking = lookup.Lookup(None, CountedUses(range(1, 6401)), None, setting)
    due = [number for number in range(1, 6401) if asking._is_due(entry)]
    assert due == list(range(one_in, 6401, one_in))


@pytest.mark.parametrize(("uses", "setting"), [(range(1, 101), 0), ([None] * 100, None)])
def test_none_is_checked_where_that_is_switched_off_or_cannot_be_counted(uses, setting):
    entry = Entry({"trace_ns": 0, "first_call_ns": 0, "form": "optimised"}, {})
    asking = lookup.Lookup(None, CountedUses(uses), None, setting)
    assert not any(asking._is_due(entry) for _ in range(100))
