"""The plan of a boosted run: all remedies, less those switched off, and a probe that sees ready."""

from __future__ import annotations

from collections.abc import Collection

from firststep import exit_codes
from firststep.cache.place import cache_refused, cache_root
from firststep.errors import FirststepError
from firststep.model.plan import OBSERVE_READY, Plan, Until
from firststep.remedies import all_remedies


def boost_plan(
    until: Until | None = None, without: Collection[str] = (), only: Collection[str] = (), *, watch_steps: int = 0
) -> Plan:
    """until: None for the first step. Raises FirststepError where `without` or `only` names no remedy."""
    remedies = all_remedies()
    known = [remedy.id for remedy in remedies]
    for name in (*without, *only):
        if name not in known:
            raise FirststepError(f"no remedy is called {name}", "", "one of: " + ", ".join(known), exit_codes.USAGE)
    chosen = {r.id: r.settings for r in remedies if r.id not in without and (not only or r.id in only)}
    if cache_refused():
        chosen = {r.id: r.settings for r in remedies if r.id in chosen and not r.needs_cache}
    return Plan(until=until or Until(), observe=OBSERVE_READY, boost=chosen, watch_steps=watch_steps, cache=str(cache_root()))
