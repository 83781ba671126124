"""Facts about what a framework did before ready. Times are nanoseconds: ..._ns, or moments on the trace's clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firststep.model.facts import SourceLine


@dataclass(frozen=True)
class Devices:
    """Devices that were found, and the runtime that was made for them. asked: how the program configured them."""

    found: Mapping[str, int]
    discovery_ns: int
    runtime_ns: int
    asked: tuple[str, ...]


@dataclass(frozen=True)
class Retrace:
    """One reason for tracing, and how many traces it explains."""

    why: str
    traces: int


@dataclass(frozen=True)
class TracedFunction:
    """A Python function that was turned into graphs. ns: all its traces; self_ns: without those nested in them;
    phase_ns: of that the phase tracing, without variables, collections and all else that ran within.

    ops: of its largest graph. source: file:line where the traced function begins; empty where that is not known.
    """

    name: str
    source: str
    traces: int
    ns: int
    self_ns: int
    phase_ns: int
    ops: int
    reasons: tuple[Retrace, ...]


@dataclass(frozen=True)
class Tracing:
    """Functions, costliest first. ns: all outermost traces; framework_ns: the framework's own count of it, or None."""

    functions: tuple[TracedFunction, ...]
    traces: int
    ns: int
    framework_ns: int | None


@dataclass(frozen=True)
class BuiltByHand:
    """Operations that were put into a graph outside of any trace. called: what the program's line called, or the kind of a span."""

    called: str
    line: SourceLine | None
    ns: int


@dataclass(frozen=True)
class Variable:
    """One variable. lifted: made inside a function that was being traced, which costs ten times as much."""

    name: str
    shape: tuple[int | None, ...] | None
    dtype: str
    bytes: int | None
    start: int
    ns: int
    lifted: bool
    initialiser: str


@dataclass(frozen=True)
class Variables:
    """All variables that were made, in order of time. initialisers_ns: spent computing initial values."""

    variables: tuple[Variable, ...]
    bytes: int
    ns: int
    initialisers_ns: int


@dataclass(frozen=True)
class Load:
    """A model, weights or a checkpoint that was loaded. kind: of its span; read_ns: of it the reading alone, without the making of layers
    and variables, imports, and waiting for the disk; megabytes_per_second: of the reading, None if unknown."""

    kind: str
    path: str
    format: str
    bytes: int | None
    start: int
    ns: int
    read_ns: int
    megabytes_per_second: float | None


@dataclass(frozen=True)
class DataFunction:
    """A function that an input pipeline was given, traced for it."""

    name: str
    transformation: str
    ns: int


@dataclass(frozen=True)
class Data:
    """The input pipelines. first_element_ns: the longest wait for one; shuffle_buffer: the largest, in elements."""

    functions: tuple[DataFunction, ...]
    iterators: int
    build_ns: int
    first_element_ns: int | None
    constant_bytes: int
    shuffle_buffer: int | None


@dataclass(frozen=True)
class GraphSession:
    """A session of TensorFlow 1's kind. extensions: how often its graph had grown and was handed over again."""

    extensions: int
    nodes: int
    create_ns: int
    extend_ns: int
    first_runs: int
    first_run_ns: int


@dataclass(frozen=True)
class Sessions:
    """All sessions, in order of first use; runs that were not the first of their fetches, together."""

    sessions: tuple[GraphSession, ...]
    later_runs: int
    later_run_ns: int


@dataclass(frozen=True)
class GraphWork:
    """What was done to one function's graph before it could run."""

    name: str
    optimise_ns: int
    compile_ns: int


@dataclass(frozen=True)
class Execution:
    """A function's first execution, with all that it needed, and the later ones before ready. steps: how many training steps one
    execution makes at most; more than one by `steps_per_execution`."""

    name: str
    first_ns: int
    later: int
    later_ns: int
    steps: int = 1


@dataclass(frozen=True)
class Peer:
    """What a program waited for outside. ns: on the main thread; elsewhere_ns: on other threads."""

    name: str
    times: int
    ns: int
    elsewhere_ns: int


@dataclass(frozen=True)
class Repeat:
    """The same thing done again and again at one line, before ready and after it: a session, an initialisation, a model.

    starts: the moment of each; ns: what each itself took; nodes, graphs: of its graph, how large it was and which; of a model, how many
    operations were traced until the next; resident: of the process (bytes); variables, sizes: how many it was about, and their bytes;
    weights, names, settings: of models, the bytes of each, what Keras calls it, and a number for what its layers are told to be beside
    that; any of these is empty where it is not known. until: when its last round ended. made: the line that made what a graph had grown
    by. gone: of models, how many the program was seen to have thrown away.
    """

    kind: str
    line: SourceLine | None
    starts: tuple[int, ...]
    ns: tuple[int, ...]
    nodes: tuple[int, ...]
    graphs: tuple[int, ...]
    resident: tuple[int, ...]
    variables: tuple[int, ...]
    until: int
    weights: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    made: SourceLine | None = None
    gone: int = 0
    settings: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()

    @property
    def times(self) -> int:
        return len(self.starts)

    @property
    def rounds_ns(self) -> tuple[int, ...]:
        """From each to the next."""
        return tuple(later - sooner for sooner, later in zip(self.starts, (*self.starts[1:], self.until)))


@dataclass(frozen=True)
class LateTrace:
    """A function that was traced after ready for reasons of one kind, not inside another's trace. ns: all of these traces; ops: of the
    largest; why: what most of them say."""

    name: str
    source: str
    traces: int
    ns: int
    ops: int
    why: str


@dataclass(frozen=True)
class Afterwards:
    """What went on to cost time after ready. further: calls that were only counted, by kind."""

    traces: tuple[LateTrace, ...]
    sessions: int
    initialisations: int
    models: int
    further: Mapping[str, int]


@dataclass(frozen=True)
class Gpu:
    """A GPU of the machine. capability: "9.0"; persistent: whether the driver stays loaded between programs; empty and None where the
    driver does not say."""

    name: str
    capability: str
    persistent: bool | None


@dataclass(frozen=True)
class Gpus:
    """there: of the machine, None where its driver's library is missing; built: whether the framework was built for GPUs, None where it
    does not say; built_for: its capabilities, as it names them; environment: settings, by variable; compiled: bytes of kernels that the
    driver compiled in this start and kept, None where it keeps none."""

    there: tuple[Gpu, ...] | None
    built: bool | None
    built_for: tuple[str, ...]
    environment: Mapping[str, str]
    compiled: int | None

    @property
    def visible(self) -> str | None:
        """What the environment makes visible: None where it leaves that open, empty where it hides all."""
        value = self.environment.get("CUDA_VISIBLE_DEVICES")
        if value is None:
            return None
        return "" if value.strip().lower() in ("", "-1", "none", "nodevfiles") else value.strip()


@dataclass(frozen=True)
class MachineCode:
    """Bytes that XLA compiled. first: in first calls, which took first_ns; early: in later calls up to ready; late: after it, without
    those of functions that were traced again; traced_ns: what the compilation of those took, reckoned from the first calls."""

    first: int
    first_ns: int
    early: int
    late: int
    traced_ns: int
