"""The critical path: which process was at work when, from the program's spawn to ready."""

from __future__ import annotations

import os

from firststep.analyse.facts import Facts
from firststep.model.facts import Leg
from firststep.model.trace import Process, Spawn, Trace


def path(facts: Facts) -> tuple[Leg, ...]:
    """The legs, in order of time, without a gap; empty where no process was watched."""
    trace = facts.trace
    process = _last(trace)
    legs: list[Leg] = []
    end = trace.end
    while process is not None:
        parent, start, executed = _beginning(trace, process)
        start = min(start, end)
        legs.append(Leg(process, start, min(max(executed, start), end), end))
        process, end = parent, start
    return tuple(reversed(legs))


def _last(trace: Trace) -> Process | None:
    """The process whose readiness ends the start; the first one where ready was not seen from inside."""
    ready = trace.ready
    for process in trace.processes:
        if ready and process.ready and process.ready.at == ready.at:
            return process
    first = root(trace)
    replaced = [process for process in trace.processes if first and process.pid == first.pid]
    return replaced[-1] if replaced else first


def root(trace: Trace) -> Process | None:
    """The process that the tool started, else (a shell script, say) the first that was watched."""
    for process in trace.processes:
        if process.pid == trace.header.get("pid"):
            return process
    return trace.processes[0] if trace.processes else None


def _beginning(trace: Trace, process: Process) -> tuple[Process | None, int, int]:
    """(parent on the path or None, start, executed) of a process."""
    entered = int(process.header["entered_ns"])
    if process is root(trace):
        low, high = trace.spawned
        return None, low, high if _runs_directly(trace, process) else entered
    parent = parent_of(trace, process)
    if parent is None:
        return None, trace.spawned[0], entered
    if process.header.get("origin") == "fork":
        return parent, entered, entered
    spawn = _spawn_of(parent, process)
    return (parent, spawn.start, min(spawn.end, entered)) if spawn else (parent, entered, entered)


def _runs_directly(trace: Trace, process: Process) -> bool:
    """Whether the command itself became this process, rather than a shell script that came to start it."""
    words = {os.path.basename(str(word)) for word in process.header.get("argv", ())[:2]}
    command = [os.path.basename(str(word)) for word in trace.header.get("command", ())[:1]]
    return process.pid == trace.header.get("pid") and (not command or command[0] == "env" or command[0] in words)


def parent_of(trace: Trace, process: Process) -> Process | None:
    """The watched process that started this one, directly or through a shell."""
    earlier = [other for other in trace.processes if _entered(other) < _entered(process)]
    for other in reversed(earlier):
        if _spawn_of(other, process) or other.pid == process.header["ppid"]:
            return other
    return None


def _spawn_of(parent: Process, child: Process) -> Spawn | None:
    wanted = (child.pid, child.header["ppid"])
    found = [spawn for spawn in parent.spawns if spawn.start <= _entered(child) and spawn.pid in wanted]
    direct = [spawn for spawn in found if spawn.pid == child.pid]
    candidates = direct or found
    return candidates[-1] if candidates else None


def _entered(process: Process) -> int:
    return int(process.header["entered_ns"])
