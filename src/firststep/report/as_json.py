"""The whole result as JSON, versioned. Every field is described in docs/report-json.md."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any

from firststep.analyse.activity import activity
from firststep.analyse.afterwards import afterwards
from firststep.analyse.agent_cost import agent_cost
from firststep.analyse.collections import collections
from firststep.analyse.data import data
from firststep.analyse.devices import devices
from firststep.analyse.executions import executions
from firststep.analyse.facts import Facts
from firststep.analyse.graph_building import graph_building
from firststep.analyse.graph_work import graph_work
from firststep.analyse.import_tree import import_tree
from firststep.analyse.libraries import libraries
from firststep.analyse.loads import loads
from firststep.analyse.machine import machine
from firststep.analyse.marks import marks
from firststep.analyse.native_libraries import native_libraries
from firststep.analyse.network import network
from firststep.analyse.partition import partition
from firststep.analyse.processes import processes, unwatched
from firststep.analyse.pth_files import pth_files
from firststep.analyse.repeats import repeats
from firststep.analyse.sessions import sessions
from firststep.analyse.shortages import shortages
from firststep.analyse.source_lines import source_functions, source_lines
from firststep.analyse.tracing import tracing
from firststep.analyse.variables import variables
from firststep.diagnose import diagnosis
from firststep.model.findings import Finding
from firststep.model.trace import Trace
from firststep.report.compose import verdict

MAGIC = "firststep-report"
SCHEMA = 1
FACTS: dict[str, Callable[[Facts], Any]] = {
    "source_lines": source_lines,
    "source_functions": source_functions,
    "other_libraries": libraries,
    "pth_files": pth_files,
    "imports": import_tree,
    "native_libraries": native_libraries,
    "devices": devices,
    "variables": variables,
    "loads": loads,
    "data": data,
    "tracing": tracing,
    "graph_building": graph_building,
    "graph_work": graph_work,
    "executions": executions,
    "sessions": sessions,
    "network": network,
    "machine": machine,
    "marks": marks,
    "repeats": repeats,
    "afterwards": afterwards,
    "garbage_collection": collections,
    "processes": processes,
    "not_watched": unwatched,
    "firststep": agent_cost,
}


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
        "verdict": verdict(facts),
        **_diagnosis(facts),
        "phases": _phases(facts),
        **{name: _plain(facts(fact), start) for name, fact in FACTS.items()},
        "errors": [error for process in trace.processes for error in process.errors],
    }


def text(trace: Trace) -> str:
    """The document as it is printed and written."""
    return json.dumps(document(trace), indent=1) + "\n"


def _ready(trace: Trace) -> dict[str, Any] | None:
    ready = trace.ready
    return {"kind": ready.kind, "label": ready.label} if ready else None


def _diagnosis(facts: Facts) -> dict[str, Any]:
    found = facts(diagnosis)
    return {
        "findings": [_finding(one) for one in found.findings],
        **{name: {"low_ns": gain.low_ns, "high_ns": gain.high_ns}
           for name, gain in (("boosted", found.boosted), ("edited", found.edited), ("later", found.later))},
        "not_measured": [_plain(one, 0) for one in found.not_measured],
        "failed": [_plain(one, 0) for one in found.failed],
    }


def _finding(one: Finding) -> dict[str, Any]:
    """Without its stretches: they are the walk's, not the reader's."""
    fields = {field.name: getattr(one, field.name) for field in dataclasses.fields(one) if field.name != "cuts"}
    return {name: _plain(value, 0) for name, value in fields.items()}


def _phases(facts: Facts) -> list[dict[str, Any]]:
    doing, lacked = facts(activity), facts(shortages)
    return [
        {"phase": phase, "ns": ns, "activity": _plain(doing[phase], 0) if phase in doing else None,
         "shortage": _plain(lacked[phase], 0) if phase in lacked else None}
        for phase, ns in facts(partition).phases.items()
    ]


MOMENTS = ("start", "began", "starts", "until")


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
    if name not in MOMENTS:
        return _plain(value, start)
    return [moment - start for moment in value] if isinstance(value, tuple) else value - start
