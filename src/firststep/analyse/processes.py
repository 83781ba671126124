"""Every process of the start, and the children that should have been watched and were not."""

from __future__ import annotations

import os
import re

from firststep.analyse.facts import Facts
from firststep.analyse.path import Family, family, path
from firststep.model.facts import ProcessTime, Unwatched
from firststep.model.trace import Process, Trace
from firststep_agent.interpreters import shut_out_by

PYTHON = re.compile(r"(?:python|pypy)[0-9.]*$")
SHUT_OUT = {
    "-I": "it runs with -I (isolated), which ignores PYTHONPATH",
    "-E": "it runs with -E, which ignores PYTHONPATH",
    "-S": "it runs with -S, which skips sitecustomize",
}


def processes(facts: Facts) -> tuple[ProcessTime, ...]:
    """In order of their beginning."""
    on_path = {id(leg.process) for leg in facts(path)}
    return tuple(_time(facts.trace, facts(family), process, id(process) in on_path) for process in facts.trace.processes)


def _time(trace: Trace, known: Family, process: Process, on_path: bool) -> ProcessTime:
    began = _began(trace, known, process)
    ready = process.ready.at - began if process.ready else None
    return ProcessTime(
        process.pid,
        int(process.header["ppid"]),
        tuple(map(str, process.header.get("argv", ()))),
        str(process.header.get("origin")),
        began,
        ready,
        process.end[1] if process.end else "killed",
        on_path,
    )


def _began(trace: Trace, known: Family, process: Process) -> int:
    if process is known.root:
        return trace.spawned[0]
    entered = int(process.header["entered_ns"])
    _, spawn = known.started(process)
    return spawn.start if spawn and spawn.pid == process.pid else entered


def unwatched(facts: Facts) -> tuple[Unwatched, ...]:
    """The program and its children, where they are Python and have no part of their own."""
    header = facts.trace.header
    program = (int(header.get("pid", 0)), tuple(map(str, header.get("command", ()))))
    children = [(spawn.pid, spawn.arguments) for process in facts.trace.processes for spawn in process.spawns
                if spawn.start < facts.trace.end]
    watched = {process.pid for process in facts.trace.processes}
    lost = header.get("lost")
    return tuple(Unwatched(pid, words, f"its part of the trace could not be written: {lost}" if lost else _reason(words))
                 for pid, words in [program, *children] if pid not in watched and looks_like_python(words))


def looks_like_python(words: tuple[str, ...]) -> bool:
    """Whether a command line begins with a Python interpreter."""
    return bool(words) and bool(PYTHON.match(os.path.basename(words[0])))


def _reason(words: tuple[str, ...]) -> str:
    option = shut_out_by(words)
    return SHUT_OUT[option] if option else (
        "the agent did not get in: it is older than Python 3.9, PYTHONPATH was rewritten, it was traced from its start, or ended at once"
    )
