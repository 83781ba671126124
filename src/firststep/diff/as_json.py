"""A comparison as JSON. Schema: docs/diff.md."""

from __future__ import annotations

import json
from typing import Any

from firststep.diff.compare import Diff, ItemChange, Topic
from firststep_agent import AGENT_VERSION

MAGIC = "firststep-diff"
SCHEMA = 1


def as_json(diff: Diff) -> str:
    """Every change that matters; nanoseconds, and counts in their own unit."""
    document = {
        "magic": MAGIC,
        "schema": SCHEMA,
        "version": AGENT_VERSION,
        "program": diff.program,
        "traces": {"before": diff.traces[0], "after": diff.traces[1]},
        "in_the_way": diff.in_the_way,
        "notes": diff.notes,
        "total": _change(diff.total),
        "topics": {topic.name: _changes(topic) for topic in diff.topics},
        "counts": _changes(diff.counts),
    }
    return json.dumps(document, indent=1) + "\n"


def _changes(topic: Topic) -> list[dict[str, Any]]:
    return [_change(one) for one in topic.changes]


def _change(one: ItemChange) -> dict[str, Any]:
    return {"name": one.name, "before": one.before, "after": one.after, "by": one.by, "noise": one.noise, "certain": one.certain,
            "state": one.state}
