"""What the remedies did in a run, as its trace tells it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from firststep.boost.same_code import Stamps, stamps
from firststep.cache import savings
from firststep.model.trace import Note, Trace
from firststep.remedies import all_remedies
from firststep_agent.boost.program import program


@dataclass(frozen=True)
class BoostedRun:
    """One boosted run up to ready, or to its end. ttfs_ns: from exec to there; live, learned: remedies, of any process;
    notes: of the process that was ready, else of the first; command: digest of the command line; code: its own files;
    told_ns: what remedies say that they have saved there; stopped: because an answer of the function cache did not hold; killed: before
    it was ready or at its end; uncaught: the class of the error that ended it."""

    ttfs_ns: int
    ready: bool
    live: tuple[str, ...]
    learned: tuple[str, ...]
    notes: tuple[Note, ...]
    program: str
    python: str
    prefix: str
    command: str
    code: Stamps | None = None
    aside: bool = False
    stopped: bool = False
    killed: bool = False
    uncaught: str | None = None

    @property
    def told_ns(self) -> int:
        told = [note.labels.get("saved_ns") for note in self.notes if note.is_live]
        return sum(one for one in told if isinstance(one, int))

    @property
    def learning(self) -> bool:
        """True where remedies learned, and none had anything learned before to use."""
        users = {remedy.id for remedy in all_remedies() if remedy.needs_cache}
        return bool(self.learned) and not users.intersection(self.live)


def outcome_of(trace: Trace) -> BoostedRun | None:
    """None where the agent did not get into any process."""
    if not trace.processes:
        return None
    header: Mapping[str, Any] = trace.processes[0].header
    stepped = min((process for process in trace.processes if process.ready),
                  key=lambda process: process.ready.at if process.ready else 0, default=trace.processes[0])
    notes = [note for process in trace.processes for note in process.notes]
    words, folder = list(header["argv"]), str(header.get("cwd") or "")
    name = program(words, folder)
    return BoostedRun(
        ttfs_ns=trace.end - trace.spawned[1],
        ready=trace.ready is not None,
        live=_remedies(note for note in notes if note.is_live),
        learned=_remedies(note for note in notes if note.what == "learned"),
        notes=stepped.notes,
        program=name,
        python=str(header["python"]).split()[0],
        prefix=str(header["prefix"]),
        code=stamps(name, _code(trace, name), trace.spawned[1]),
        command=command_of(name, str(header["prefix"]), folder, words),
        aside=_has_ended(trace, "aside"),
        stopped=_has_ended(trace, "disproved"),
        killed=trace.ready is None and _is_killed(trace),
        uncaught=trace.uncaught,
    )


def command_of(name: str, prefix: str, folder: str, words: list[str]) -> str:
    """A digest of a command line, without the folder where that is a script of the user's: `-m train` is another program elsewhere, and
    what a tool of the environment (`pytest`) does is in the folder."""
    is_own = name.startswith("/") and not name.startswith(os.path.join(os.path.realpath(prefix), ""))
    return savings.digest(words if is_own else [folder, *words])


def _code(trace: Trace, name: str) -> list[str]:
    """The files of its own code; a script says its file no more once it has ended."""
    script = {name} if name.startswith("/") else set()
    return sorted(script.union(*(process.code for process in trace.processes)))


def _is_killed(trace: Trace) -> bool:
    """Whether the program came to no end of its own: what it last was tells of none, and has not become another program."""
    last = trace.last
    return trace.was_killed or (last.end is None and not any(spawn.pid == last.pid for spawn in last.spawns))


def _has_ended(trace: Trace, how: str) -> bool:
    """Whether a process has."""
    return any(process.end is not None and process.end[1] == how for process in trace.processes)


def _remedies(notes: Iterable[Note]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(note.remedy for note in notes))
