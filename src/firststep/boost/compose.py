"""The plan of a boosted run: all remedies, less those switched off, and a probe that sees ready."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from firststep import exit_codes
from firststep.cache.place import cache_refused, made_root
from firststep.errors import FirststepError
from firststep.model.plan import OBSERVE_READY, Plan, Until
from firststep.remedies import all_remedies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def boost_plan(
    until: Until | None = None, without: Collection[str] = (), only: Collection[str] = (), *, watch_steps: int = 0,
    settings: Collection[str] = (), untested_versions: bool = False,
) -> Plan:
    """until: None for the first step; settings: as `cache-functions.replay_over_ms=0`. Raises FirststepError where one of them
    names no remedy or setting, or gives a value of another type."""
    remedies = all_remedies()
    known = [remedy.id for remedy in remedies]
    for name in (*without, *only):
        if name not in known:
            raise FirststepError(f"no remedy is called {name}", "", "one of: " + ", ".join(known), exit_codes.USAGE)
    chosen = {r.id: dict(r.settings) for r in remedies if r.id not in without and (not only or r.id in only)}
    for setting in settings:
        _set({r.id: r.settings for r in remedies}, chosen, setting)
    if cache_refused():
        chosen = {r.id: r.settings for r in remedies if r.id in chosen and not r.needs_cache}
    return Plan(until=until or Until(), observe=(*OBSERVE_READY, "program-code"), boost=chosen, watch_steps=watch_steps,
                cache=made_root(), untested_versions=untested_versions)


def _set(known: Mapping[str, Mapping[str, Any]], chosen: dict[str, dict[str, Any]], setting: str) -> None:
    """Puts one setting of the form `remedy.name=value` into the chosen remedies."""
    import json

    place, equals, text = setting.partition("=")
    remedy, _, name = place.rpartition(".")
    names = [f"{one}.{each}" for one, settings in known.items() for each in settings]
    if not equals or f"{remedy}.{name}" not in names:
        raise FirststepError(f"no setting is called {place}", "", "one of: " + ", ".join(names), exit_codes.USAGE)
    default = known[remedy][name]
    try:
        value = json.loads(text) if not isinstance(default, str) else text
    except ValueError:
        value = None
    if type(value) is not type(default):
        raise FirststepError(f"{place} cannot be {text}", "", f"it is {json.dumps(default)} unless set", exit_codes.USAGE)
    if remedy in chosen:
        chosen[remedy][name] = value
