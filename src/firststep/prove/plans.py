"""The two plans: both carry the same probe; only the remedies differ."""

from __future__ import annotations

from collections.abc import Callable

from firststep import exit_codes
from firststep.errors import FirststepError
from firststep.model.plan import OBSERVE_READY, Plan, Until
from firststep.prove.run import LATER_STEP

PROBE = ("results", *OBSERVE_READY)
PLAIN = "plain"


def named_plan(name: str, until: Until, stop: bool, untested_versions: bool = False) -> Plan:
    """The plan called `name`, with the probe. Raises FirststepError where there is none."""
    if name not in PLANS:
        raise FirststepError(f"no plan is called {name}", "", f"one of: {', '.join(PLANS)}", exit_codes.USAGE)
    return PLANS[name]().but(until=until, stop=stop, observe=PROBE, watch_steps=LATER_STEP, untested_versions=untested_versions)


def _boost() -> Plan:
    from firststep.boost.compose import boost_plan

    return boost_plan()


PLANS: dict[str, Callable[[], Plan]] = {PLAIN: Plan, "boost": _boost}
