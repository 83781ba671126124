"""The whole result as JSON, versioned. Every field is described in docs/report-json.md."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from firststep.analyse.activity import activity
from firststep.analyse.agent_cost import agent_cost
from firststep.analyse.collections import collections
from firststep.analyse.facts import Facts
from firststep.analyse.import_tree import import_tree
from firststep.analyse.libraries import libraries
from firststep.analyse.native_libraries import native_libraries
from firststep.analyse.partition import partition
from firststep.analyse.processes import processes, unwatched
from firststep.analyse.source_lines import source_functions, source_lines
from firststep.model.trace import Trace

MAGIC = "firststep-report"
SCHEMA = 1


def document(trace: Trace) -> dict[str, Any]:
    """The report as JSON values. Times are nanoseconds; moments are nanoseconds since the spawn."""
    facts = Facts(trace)
    start = trace.spawned[0]
    return {
        "magic": MAGIC,
        "schema": SCHEMA,
        "version": trace.header.get("version"),
        "command": list(trace.header.get("command", ())),
        "host": dict(trace.header.get("host", {})),
        "exit_code": trace.header.get("exit_code"),
        "ready": _ready(trace),
        "ttfs_ns": facts(partition).wall_ns,
        "start_uncertainty_ns": trace.spawned[1] - start,
        "phases": _phases(facts),
        "source_lines": _plain(facts(source_lines), start),
        "source_functions": _plain(facts(source_functions), start),
        "other_libraries": _plain(facts(libraries), start),
        "imports": _plain(facts(import_tree), start),
        "native_libraries": _plain(facts(native_libraries), start),
        "garbage_collection": _plain(facts(collections), start),
        "processes": _plain(facts(processes), start),
        "not_watched": _plain(facts(unwatched), start),
        "firststep": _plain(facts(agent_cost), start),
        "errors": [error for process in trace.processes for error in process.errors],
    }


def text(trace: Trace) -> str:
    """The document as it is printed and written."""
    return json.dumps(document(trace), indent=1) + "\n"


def _ready(trace: Trace) -> dict[str, Any] | None:
    ready = trace.ready
    return {"kind": ready.kind, "label": ready.label} if ready else None


def _phases(facts: Facts) -> list[dict[str, Any]]:
    doing = facts(activity)
    return [
        {"phase": phase, "ns": ns, "activity": _plain(doing[phase], 0) if phase in doing else None}
        for phase, ns in facts(partition).phases.items()
    ]


MOMENTS = ("start", "began")


def _plain(value: Any, start: int) -> Any:
    """Facts as JSON values, moments counted from the spawn."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: _moment(field.name, getattr(value, field.name), start)
            for field in dataclasses.fields(value)
        }
    if hasattr(value, "_asdict"):
        return {name: _plain(item, start) for name, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return {str(key): _plain(item, start) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item, start) for item in value]
    return value


def _moment(name: str, value: Any, start: int) -> Any:
    return value - start if name in MOMENTS and isinstance(value, int) else _plain(value, start)
