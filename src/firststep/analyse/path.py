"""The critical path: which process was at work when, from the program's spawn to ready."""

from __future__ import annotations

import os
from collections import defaultdict

from firststep.analyse.facts import Facts
from firststep.model.facts import Leg
from firststep.model.trace import Process, Spawn, Trace


def path(facts: Facts) -> tuple[Leg, ...]:
    """The legs, in order of time, without a gap; empty where no process was watched."""
    trace, known = facts.trace, facts(family)
    process = _last(trace)
    legs: list[Leg] = []
    end = trace.end
    while process is not None:
        parent, start, executed = _beginning(trace, known, process)
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


class Family:
    """Which process started which: asked for each of many, so nobody looks through all of them."""

    def __init__(self, trace: Trace) -> None:
        self.root = root(trace)
        self._named: dict[int, list[tuple[int, Process]]] = defaultdict(list)  # by its number, and those of what it started
        self._spawns: dict[tuple[int, int], list[Spawn]] = defaultdict(list)  # by the place of the process, and the child's number
        for place, process in enumerate(trace.processes):
            for spawn in process.spawns:
                self._spawns[place, spawn.pid].append(spawn)
            for pid in {process.pid, *(spawn.pid for spawn in process.spawns)}:
                self._named[pid].append((place, process))

    def started(self, process: Process) -> tuple[Process | None, Spawn | None]:
        """The watched process that started this one, directly or through a shell (of several, the one that began last), and the
        moment at which it did, where that was seen."""
        numbers = {process.pid, process.header["ppid"]}
        earlier = {place: other for pid in numbers for place, other in self._named[pid] if _entered(other) < _entered(process)}
        for place in sorted(earlier, reverse=True):
            spawn = self._spawn(place, process)
            if spawn or earlier[place].pid == process.header["ppid"]:
                return earlier[place], spawn
        return None, None

    def _spawn(self, place: int, child: Process) -> Spawn | None:
        """The last before the child began: of itself, else of the shell that it came from."""
        for pid in (child.pid, child.header["ppid"]):
            found = [spawn for spawn in self._spawns.get((place, pid), ()) if spawn.start <= _entered(child)]
            if found:
                return found[-1]
        return None


def family(facts: Facts) -> Family:
    """Of all processes of the trace."""
    return Family(facts.trace)


def _beginning(trace: Trace, known: Family, process: Process) -> tuple[Process | None, int, int]:
    """(parent on the path or None, start, executed) of a process."""
    entered = int(process.header["entered_ns"])
    if process is known.root:
        low, high = trace.spawned
        return None, low, high if _runs_directly(trace, process) else entered
    parent, spawn = known.started(process)
    if parent is None:
        return None, trace.spawned[0], entered
    if process.header.get("origin") == "fork":
        return parent, entered, entered
    return (parent, spawn.start, min(spawn.end, entered)) if spawn else (parent, entered, entered)


def _runs_directly(trace: Trace, process: Process) -> bool:
    """Whether the command itself became this process, rather than a shell script that came to start it."""
    words = {os.path.basename(str(word)) for word in process.header.get("argv", ())[:2]}
    command = [os.path.basename(str(word)) for word in trace.header.get("command", ())[:1]]
    return process.pid == trace.header.get("pid") and (not command or command[0] == "env" or command[0] in words)


def _entered(process: Process) -> int:
    return int(process.header["entered_ns"])
