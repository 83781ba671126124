"""Chrome's trace events, for Perfetto (ui.perfetto.dev) and chrome://tracing.

Every span of every process on its thread, the phases of the critical path and what its thread did on tracks of their own, marks,
steps and ready as instants, and what other profilers saw. Times are microseconds since the spawn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.waiting import waiting
from firststep.model.profile import Profile
from firststep.model.trace import Process, Trace
from firststep.report.compose import verdict
from firststep.report.details import WAITING
from firststep.report.formats import ReportedStart
from firststep_agent import AGENT_VERSION

Event = dict[str, Any]

PATH = 5_000_000  # a process id that no process has: the critical path's own tracks
PHASES, DOING = PATH + 1, PATH + 2
OTHERS = 6_000_000  # from here on, the numbers of threads that are not main ones
PROFILERS = 7_000_000  # and those of other profilers, each a process of its own
PROFILES = "run"


def text(starts: Sequence[ReportedStart]) -> str:
    trace = starts[0].trace
    facts = Facts(trace)
    events = [*_path(facts), *_processes(trace), *_ready(trace), *_profiles(starts[0].profiles, trace.spawned[0])]
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ms",
                       "otherData": {"writer": f"firststep {AGENT_VERSION}", "verdict": verdict(facts)}}, separators=(",", ":")) + "\n"


def _path(facts: Facts) -> Iterator[Event]:
    whole = facts(partition)
    yield _named("process_name", PATH, PATH, "critical path")
    yield {"ph": "M", "name": "process_sort_index", "pid": PATH, "tid": PATH, "args": {"sort_index": -1}}
    yield _named("thread_name", PATH, PHASES, "phases")
    yield _named("thread_name", PATH, DOING, "what its thread did")
    for phase, start, end in _together((piece.phase, piece.start, piece.end) for piece in whole.pieces):
        yield _slice(phase, "phase", start - whole.start, end - start, PATH, PHASES, {})
    for one in facts(waiting):
        name = WAITING.get(one.what, "running" if one.what == "running_ns" else "ready to run, no CPU free")
        yield _slice(name, "activity", one.start - whole.start, one.end - one.start, PATH, DOING, {})


def _together(pieces: Iterator[tuple[str, int, int]]) -> Iterator[tuple[str, int, int]]:
    """Neighbours of one phase as one."""
    last: tuple[str, int, int] | None = None
    for piece in pieces:
        if last and last[0] == piece[0]:
            last = (last[0], last[1], piece[2])
        else:
            if last:
                yield last
            last = piece
    if last:
        yield last


def _processes(trace: Trace) -> Iterator[Event]:
    others = OTHERS
    for process in trace.processes:
        yield _named("process_name", process.pid, process.pid, " ".join(map(str, process.header.get("argv", ()))) or "python")
        threads = {process.thread: process.pid}
        yield _named("thread_name", process.pid, process.pid, "main thread")
        for span in process.spans:
            if span.thread not in threads:
                others += 1
                threads[span.thread] = others
                yield _named("thread_name", process.pid, others, f"thread {len(threads)}")
            yield _slice(span.name, span.kind, span.start - trace.spawned[0], span.end - span.start, process.pid, threads[span.thread],
                         dict(span.labels) if span.ended else {**span.labels, "ended": False})
        yield from _instants(process, trace.spawned[0])


def _instants(process: Process, start: int) -> Iterator[Event]:
    for mark in process.marks:
        yield _instant(mark.name, "mark", mark.at - start, process.pid, "t", dict(mark.labels))
    for step in process.steps:
        yield _instant(f"{step.kind} step {step.number}", "step", step.at - start, process.pid, "t", {"label": step.label})


def _ready(trace: Trace) -> Iterator[Event]:
    if ready := trace.ready:
        yield _instant("ready", "ready", ready.at - trace.spawned[0], PATH, "g", {"kind": ready.kind, "label": ready.label})


def _profiles(profiles: Sequence[Profile], start: int) -> Iterator[Event]:
    number = PROFILERS
    for profile in profiles:
        pid = number
        yield _named("process_name", pid, pid, f"{profile.profiler}: {profile.file}")
        for track in profile.tracks:
            number += 1
            yield _named("thread_name", pid, number, track.name)
            for span in track.spans:
                yield _slice(span.name, span.kind, span.start - start, span.end - span.start, pid, number, dict(span.labels))
        number += 1


def _slice(name: str, kind: str, at: int, ns: int, pid: int, thread: int, arguments: dict[str, Any]) -> Event:
    return {"ph": "X", "name": name, "cat": kind, "ts": at / 1000, "dur": ns / 1000, "pid": pid, "tid": thread, "args": arguments}


def _instant(name: str, kind: str, at: int, pid: int, scope: str, arguments: dict[str, Any]) -> Event:
    return {"ph": "i", "name": name, "cat": kind, "ts": at / 1000, "pid": pid, "tid": PHASES if pid == PATH else pid, "s": scope,
            "args": arguments}


def _named(what: str, pid: int, thread: int, name: str) -> Event:
    return {"ph": "M", "name": what, "pid": pid, "tid": thread, "args": {"name": name}}
