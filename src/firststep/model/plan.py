"""The plan: what the agent shall do in the program's process. Schema: docs/plan-schema.md."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
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


@dataclass(frozen=True)
class Until:
    """When the program counts as ready. kind: first-step, step, predict, port, http, line, mark or exit."""

    kind: str = "first-step"
    value: int | str | None = None


@dataclass(frozen=True)
class Plan:
    """One plan. observe: observers by name; boost: settings by remedy id; watch_steps: training steps whose
    ends are recorded even after ready; stop: whether the program is stopped at ready; untested_versions: whether remedies may
    rely on internals of versions that they were not tried on."""

    until: Until = Until()
    observe: tuple[str, ...] = OBSERVE_ALL
    boost: dict[str, dict[str, object]] = field(default_factory=dict)
    follow: bool = True
    watch_steps: int = 0
    stop: bool = False
    cache: str | None = None
    untested_versions: bool = False

    def document(self, session: str) -> dict[str, Any]:
        """The plan as the JSON document that the agent reads; `session`: the folder both sides share."""
        told = {"observe": (*self.observe, SEEN_OUTSIDE)} if self.until.kind in OUTSIDE else {}
        return {"magic": MAGIC, "schema": SCHEMA, "session": session, **asdict(self), **told}
