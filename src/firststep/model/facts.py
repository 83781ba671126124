"""Facts: what analyse makes of a trace. Times are nanoseconds: ..._ns, or moments on the trace's clock."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from firststep.model.trace import Process, Sample, Span


class SourceLine(NamedTuple):
    """A line of the user's own source; file as the interpreter knew it."""

    file: str
    line: int


@dataclass(frozen=True)
class Leg:
    """A stretch of the critical path that lies in one process.

    start: it began to exist, or took over; executed: its program was in place; end: the next leg takes over.
    """

    process: Process
    start: int
    executed: int
    end: int


class StackVerdict(NamedTuple):
    """Whose time it is, told from one stack.

    package and function: the library's, by its innermost frame; called: what of it the user's line called.
    """

    phase: str
    package: str = ""
    function: str = ""
    called: str = ""
    line: SourceLine | None = None


class Piece(NamedTuple):
    """A stretch of the critical path that belongs to one phase. span: the innermost that was open."""

    start: int
    end: int
    phase: str
    process: Process | None
    span: Span | None = None
    sample: Sample | None = None
    verdict: StackVerdict | None = None


@dataclass(frozen=True)
class Partition:
    """Every nanosecond from spawn to ready, once. The pieces follow each other without a gap."""

    start: int
    end: int
    pieces: tuple[Piece, ...]
    phases: Mapping[str, int]

    @cached_property
    def by_phase(self) -> Mapping[str, tuple[Piece, ...]]:
        """The pieces of each phase that took time."""
        found: dict[str, list[Piece]] = defaultdict(list)
        for piece in self.pieces:
            found[piece.phase].append(piece)
        return {phase: tuple(pieces) for phase, pieces in found.items()}

    @property
    def wall_ns(self) -> int:
        return self.end - self.start


@dataclass(frozen=True)
class Activity:
    """What the thread was doing during a phase. The fields add up to the phase's time.

    runnable_ns: ready to run, but no CPU was free; waiting_ns: waiting for what the kernel does not tell;
    unseen_ns: no sample saw it.
    """

    running_ns: int = 0
    runnable_ns: int = 0
    disk_ns: int = 0
    network_ns: int = 0
    lock_ns: int = 0
    child_ns: int = 0
    sleeping_ns: int = 0
    waiting_ns: int = 0
    unseen_ns: int = 0


@dataclass(frozen=True)
class Shortage:
    """What was not there in a phase. faults_in_memory: pages that the thread touched first, and were in memory; faults_from_disk: that
    were not; throttled_ns: withheld by a CPU quota from all of the program's threads; None where the kernel does not say."""

    faults_in_memory: int | None
    faults_from_disk: int | None
    throttled_ns: int | None


@dataclass(frozen=True)
class ProcessTime:
    """One process of the start. began: the best known moment; own_ready_ns: its own TTFS, or None."""

    pid: int
    parent: int
    command: tuple[str, ...]
    origin: str
    began: int
    own_ready_ns: int | None
    end: str
    on_path: bool


@dataclass(frozen=True)
class Unwatched:
    """A child process that should have been watched, and why it was not, in words."""

    pid: int
    command: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Stillness:
    """The program stood still at its end. ns: for so long; line: the user's; threads: others by name, with theirs."""

    ns: int
    line: SourceLine | None
    threads: tuple[tuple[str, SourceLine], ...]


@dataclass(frozen=True)
class LineTime:
    """Time before ready of one line of the user's source.

    self_ns: it was the innermost of the user's lines; total_ns: it was on the stack at all.
    """

    line: SourceLine
    function: str
    self_ns: int
    total_ns: int


@dataclass(frozen=True)
class FunctionTime:
    """Time before ready of one function of the user's files; same meaning as in LineTime."""

    file: str
    function: str
    first_line: int
    self_ns: int
    total_ns: int


@dataclass(frozen=True)
class LibraryTime:
    """Time in a library that no hook names, by its function and the user's line that led there."""

    package: str
    function: str
    called: str
    line: SourceLine | None
    ns: int


@dataclass(frozen=True)
class ImportedModule:
    """One import. self_ns: without nested imports, and with neither library loads nor collections in it.

    native_ns, compiled_ns, gc_ns: what was taken out of it.
    """

    name: str
    start: int
    cumulative_ns: int
    self_ns: int
    native_ns: int
    compiled_ns: int
    gc_ns: int
    parent: int | None
    main_thread: bool
    compiled_from_source: bool
    native: bool
    ended: bool


@dataclass(frozen=True)
class ImportTree:
    """Every import before ready, in order of its start; `parent` is an index into modules."""

    modules: tuple[ImportedModule, ...]

    @property
    def compiled_from_source(self) -> int:
        return sum(module.compiled_from_source for module in self.modules)


@dataclass(frozen=True)
class ImportedPackage:
    """The modules of one top-level package. own_ns: in the phase imports; other_ns: of other phases (a server that a module asks,
    devices that it sets up)."""

    name: str
    modules: int
    own_ns: int
    native_ns: int
    compiled_ns: int
    gc_ns: int
    other_ns: int

    @property
    def together_ns(self) -> int:
        return sum(self.columns)

    @property
    def columns(self) -> tuple[int, int, int, int, int]:
        return self.own_ns, self.native_ns, self.compiled_ns, self.gc_ns, self.other_ns


@dataclass(frozen=True)
class NativeLibrary:
    """One library load. bytes: its mapped size at ready, None where it was not mapped any more."""

    path: str
    start: int
    ns: int
    module: str
    by: str
    bytes: int | None


@dataclass(frozen=True)
class Collections:
    """Garbage collections on the critical path's main thread."""

    count: int
    ns: int
    collected: int
    by_generation: Mapping[int, tuple[int, int]]
    during: Mapping[str, int]


class Interruption(NamedTuple):
    """A piece of a collection, and the phase that it interrupted. by_library: a library's code asked for it, as Keras's `clear_session`.
    times: for how many it stands; more_ns: what the others of them took."""

    piece: Piece
    phase: str
    by_library: bool = False
    times: int = 1
    more_ns: int = 0

    @property
    def ns(self) -> int:
        """How long it took."""
        return self.piece.end - self.piece.start

    @property
    def asked(self) -> bool:
        """Whether somebody has asked for it, as by `gc.collect()`."""
        return bool(self.piece.span and self.piece.span.labels.get("asked"))

    @property
    def garbage(self) -> int:
        """How many objects it found that nobody had any more."""
        return int(self.piece.span.labels.get("collected", 0)) // self.times if self.piece.span else 0

    @property
    def full(self) -> bool:
        """Whether it looked at all objects."""
        return bool(self.piece.span and self.piece.span.name == "generation 2")


@dataclass(frozen=True)
class PthFile:
    """A `.pth` file, and what it cost when it was measured once more, by itself."""

    path: str
    ns: int


@dataclass(frozen=True)
class AgentCost:
    """What the watching cost. load_ns: on the main thread; thread_cpu_ns: CPU time of the sampling thread."""

    load_ns: int
    thread_cpu_ns: int
    samples: int
    share: float


@dataclass(frozen=True)
class HeavyImport:
    """A library that a line of the program imported. used: something of it ran between then and ready."""

    package: str
    start: int
    end: int
    line: SourceLine | None
    used: bool

    @property
    def ns(self) -> int:
        return self.end - self.start


@dataclass(frozen=True)
class OptionalImport:
    """A library that a framework (`by`) imported because it is there. stretches: of its imports, none inside another; ns: of them,
    without what of others that came so lies in them; line: the program's, that imported the framework."""

    package: str
    by: str
    stretches: tuple[tuple[int, int], ...]
    ns: int
    line: SourceLine | None


@dataclass(frozen=True)
class LogLine:
    """A line that the framework logged. says: what it means, by analyse/log_lines.PATTERNS; what: the part that it names."""

    at: int
    says: str
    what: str
    line: str


@dataclass(frozen=True)
class Machine:
    """What the machine gave the process before ready. quota: in CPUs; sizes in bytes; None where the kernel does not say."""

    quota: float | None
    throttled_ns: int | None
    throttled_times: int | None
    major_faults: int | None
    read_bytes: int | None
    peak_rss: int | None
    swap: int | None


@dataclass(frozen=True)
class Identity:
    """What was started, with what and on what. program: a script's path relative to where it ran, or `-m module`; packages:
    versions of the frameworks by name, as far as they are known; until: what was waited for; ready: its kind, empty where it
    never came; boosted: the remedies that were live."""

    program: str
    arguments: tuple[str, ...]
    python: str
    packages: Mapping[str, str]
    architecture: str
    cpu: str
    cpus: float
    until: tuple[str, ...]
    ready: str
    observed: tuple[str, ...]
    boosted: tuple[str, ...]


@dataclass(frozen=True)
class NamedPhase:
    """A stretch that the program named. ns: of all its times, where they overlap once."""

    name: str
    times: int
    ns: int


@dataclass(frozen=True)
class NamedMoment:
    """A moment that the program named. after_ns: since the spawn."""

    name: str
    after_ns: int


@dataclass(frozen=True)
class Marks:
    """What the program itself named before ready."""

    phases: tuple[NamedPhase, ...]
    moments: tuple[NamedMoment, ...]
