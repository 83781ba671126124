"""A profile for speedscope.app: the samples of the critical path, one profile for each process of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from firststep.analyse.facts import Facts
from firststep.model.trace import Frame, Process, Trace
from firststep.printable import one_line
from firststep.report.formats import ReportedStart
from firststep.report.formats._frames import file_of
from firststep.report.stacks import Stack, stacks
from firststep_agent import AGENT_VERSION

SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def text(starts: Sequence[ReportedStart]) -> str:
    trace = starts[0].trace
    frames: dict[tuple[str, str, int], int] = {}
    by_process: dict[int, tuple[Process, list[Stack]]] = {}
    for stack in Facts(trace)(stacks):
        by_process.setdefault(id(stack.process), (stack.process, []))[1].append(stack)
    profiles = [_profile(process, found, frames, trace) for process, found in by_process.values()] or [_empty()]
    shared = [{"name": function, "file": file_of(Frame(file, function, line, line), trace), "line": line}
              for file, function, line in frames]
    return json.dumps({"$schema": SCHEMA, "shared": {"frames": shared}, "profiles": profiles, "activeProfileIndex": 0,
                       "name": "a start, by firststep", "exporter": f"firststep@{AGENT_VERSION}"}, separators=(",", ":")) + "\n"


def _profile(process: Process, found: list[Stack], frames: dict[tuple[str, str, int], int], trace: Trace) -> dict[str, Any]:
    start = trace.spawned[0]
    samples = [[frames.setdefault((frame.file, one_line(frame.function), frame.first_line), len(frames)) for frame in stack.frames]
               for stack in found]
    return {"type": "sampled", "name": f"pid {process.pid}, main thread", "unit": "nanoseconds",
            "startValue": found[0].at - found[0].ns - start, "endValue": found[-1].at - start,
            "samples": samples, "weights": [stack.ns for stack in found]}


def _empty() -> dict[str, Any]:
    return {"type": "sampled", "name": "no samples", "unit": "nanoseconds", "startValue": 0, "endValue": 0, "samples": [], "weights": []}
