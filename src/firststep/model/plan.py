"""The plan: what the agent shall do in the program's process. Schema: docs/plan-schema.md."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAGIC = "firststep-plan"
SCHEMA = 1

OBSERVE_ALL = (
    "imports",
    "native-libraries",
    "garbage-collection",
    "processes",
    "network",
    "steps",
    "frameworks",
    "framework-log",
    "samples",
    "machine",
    "afterwards",
)
OBSERVE_READY = ("processes", "steps")
OUTSIDE = ("port", "http", "line")  # kinds of ready that the tool sees,
SEEN_OUTSIDE = "seen-outside"  # and the observer that is told of them


class Until:
    """When the program counts as ready. kind: first-step, step, predict, port, http, line, mark or exit."""

    def __init__(self, kind: str = "first-step", value: int | str | None = None) -> None:
        self.kind, self.value = kind, value


class Plan:
    """One plan. observe: observers by name; boost: settings by remedy id; watch_steps: training steps whose
    ends are recorded even after ready; stop: whether the program is stopped at ready; untested_versions: whether remedies may
    rely on internals of versions that they were not tried on.

    No dataclass, as the others of model/ are: importing those takes 10 ms, which each boosted start would wait for.
    """

    def __init__(self, until: Until | None = None, observe: tuple[str, ...] = OBSERVE_ALL,
                 boost: dict[str, dict[str, object]] | None = None, follow: bool = True, watch_steps: int = 0, stop: bool = False,
                 cache: str | None = None, untested_versions: bool = False) -> None:
        self.until = until or Until()
        self.observe = observe
        self.boost = boost or {}
        self.follow = follow
        self.watch_steps = watch_steps
        self.stop = stop
        self.cache = cache
        self.untested_versions = untested_versions

    def but(self, **changed: Any) -> Plan:
        """The same with other values."""
        return Plan(**{**vars(self), **changed})

    def document(self, session: str) -> dict[str, Any]:
        """The plan as the JSON document that the agent reads; `session`: the folder both sides share."""
        told = {"observe": (*self.observe, SEEN_OUTSIDE)} if self.until.kind in OUTSIDE else {}
        return {"magic": MAGIC, "schema": SCHEMA, "session": session, **vars(self), "until": vars(self.until), **told}
