"""The trace: what was seen of a start. Schema: docs/trace-schema.md.

All times are CLOCK_MONOTONIC nanoseconds, one clock for all processes of a machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MAGIC = "firststep-trace"
KILLED = 128
SCHEMA = 1

Labels = Mapping[str, Any]


@dataclass(frozen=True)
class Span:
    """Something that took time on one thread. ended: False where the process died inside it."""

    kind: str
    name: str
    start: int
    end: int
    thread: int
    labels: Labels = field(default_factory=dict)
    ended: bool = True


@dataclass(frozen=True)
class Frame:
    """One line of one function on a stack."""

    file: str
    function: str
    first_line: int
    line: int


@dataclass(frozen=True)
class Sample:
    """Where the main thread was at one moment, and what the kernel said of it.

    stack: outermost first. state: the kernel's letter (R running, S sleeping, D disk). call: system call number or -1.
    ran, waited: nanoseconds the thread has run, and has been runnable without a CPU, since it began.
    """

    at: int
    stack: tuple[Frame, ...]
    state: str
    call: int
    ran: int
    waited: int


@dataclass(frozen=True)
class Mark:
    """A named moment."""

    at: int
    name: str
    labels: Labels


@dataclass(frozen=True)
class StepEnd:
    """The end of the number-th step of a kind (train, predict)."""

    at: int
    kind: str
    number: int
    label: str


NOTED = ("live", "reused", "refused", "learned", "confirmed", "proved", "disproved", "unproved", "error")


@dataclass(frozen=True)
class Note:
    """What a remedy did. what: of NOTED; reused: live in part (see `cache-functions`); of an answer of the function cache proved,
    disproved or unproved, and confirmed where a real trace agreed with what was learned."""

    at: int
    remedy: str
    what: str
    labels: Labels

    @property
    def is_live(self) -> bool:
        return self.what in ("live", "reused")


@dataclass(frozen=True)
class Spawn:
    """A child process that was started (or, with the process's own pid, an exec)."""

    start: int
    end: int
    pid: int
    arguments: tuple[str, ...]


SAME_MOMENT = 1.01  # times to ready that differ by less than this factor are one


@dataclass(frozen=True)
class Ready:
    """The program became ready. kind: train, predict, mark, exit, or what the tool saw (port, http, line)."""

    at: int
    kind: str
    label: str


@dataclass(frozen=True)
class Process:
    """What one process recorded."""

    header: Mapping[str, Any]
    spans: tuple[Span, ...] = ()
    samples: tuple[Sample, ...] = ()
    threads: tuple[tuple[int, str, tuple[Frame, ...]], ...] = ()  # the others, whenever the main one stood still: (at, name, stack)
    busy: tuple[tuple[int, int, str, int, tuple[Frame, ...]], ...] = ()  # others that worked: (at, native id, name, CPU time so far, stack)
    called: tuple[tuple[int, tuple[Frame, ...]], ...] = ()  # Python that native threads ran while the main one waited: (at, stack)
    worked: tuple[tuple[int, int], ...] = ()  # CPU time of all threads so far, at each of those moments: (at, ns)
    shortages: tuple[tuple[int, int, int, int], ...] = ()  # counters so far: (at, minor faults, major faults, microseconds throttled)
    marks: tuple[Mark, ...] = ()
    steps: tuple[StepEnd, ...] = ()
    notes: tuple[Note, ...] = ()
    spawns: tuple[Spawn, ...] = ()
    errors: tuple[str, ...] = ()
    counters: Mapping[str, Any] = field(default_factory=dict)
    libraries: tuple[tuple[str, int], ...] = ()
    results: tuple[Mapping[str, Any], ...] = ()
    log: tuple[tuple[int, str], ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    code: tuple[str, ...] = ()  # files of the program's own modules
    packages: Mapping[str, str] = field(default_factory=dict)
    gpu: Labels = field(default_factory=dict)  # what decides how GPUs are used: of the framework's build, of the environment
    cells: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)  # of a notebook: (number, lines) by file
    points: Mapping[str, bool | str] = field(default_factory=dict)
    agent: tuple[int, int] | None = None
    ready: Ready | None = None
    end: tuple[int, str] | None = None
    uncaught: str | None = None  # the class of the error that ended it

    @property
    def pid(self) -> int:
        return int(self.header["pid"])

    @property
    def has_ended(self) -> bool:
        """Whether its end is recorded: a report may be made at ready, and a killed process tells of none."""
        return self.end is not None and self.end[1] != "ready"

    @property
    def thread(self) -> int:
        return int(self.header["thread"])


@dataclass(frozen=True)
class Trace:
    """A whole start: the header that the tool wrote, and the part of each process, in order of their beginning."""

    header: Mapping[str, Any]
    processes: tuple[Process, ...]
    cut_short: bool = False  # the file ends before its last record does

    @property
    def spawned(self) -> tuple[int, int]:
        """Just before the fork and just after the exec of the program, as the tool saw them."""
        low, high = self.header["spawned"]
        return int(low), int(high)

    @property
    def ready(self) -> Ready | None:
        """The earliest ready of any process; what the tool itself saw where the plan asked it to look.

        Workers of one job end their first step together: of those that are ready at the same moment, but for the noise of a machine,
        it is the one that began first, so that the report does not hang on a race.
        """
        if self.header.get("ready"):
            return Ready(*self.header["ready"])
        found = [process.ready for process in self.processes if process.ready]
        if not found:
            return None
        spawned, earliest = self.spawned[0], min(ready.at for ready in found)
        return next(ready for ready in found if ready.at - spawned <= (earliest - spawned) * SAME_MOMENT)

    @property
    def was_killed(self) -> bool:
        """Whether a signal ended the program: exit codes beyond KILLED say so, as a shell's do."""
        return int(self.header.get("exit_code") or 0) > KILLED

    @property
    def uncaught(self) -> str | None:
        """The class of the error that ended the program before it was ready, where one did."""
        return self.last.uncaught if self.processes and not self.ready else None

    @property
    def last(self) -> Process:
        """What the program last was: an exec makes another one of it. Raises IndexError where nothing was watched."""
        first = self.processes[0]
        return [process for process in self.processes if process.pid == first.pid][-1]

    @property
    def end(self) -> int:
        """The moment up to which the start is accounted: ready, else the end of the program."""
        return self.ready.at if self.ready else int(self.header["ended"])
