"""A span for each call of the frameworks' places that a start waits for (frameworks/points.py), while the program starts."""

import sys
from _thread import get_ident

from firststep_agent import data_stack
from firststep_agent.clock import now
from firststep_agent.frameworks import versions
from firststep_agent.frameworks.listening import CALL
from firststep_agent.observe import gpu_settings
from firststep_agent.observe.labels import UNTOLD
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

    from firststep_agent.frameworks.points import Point
    from firststep_agent.frameworks.standing import Listening
    from firststep_agent.observe.first_batches import FirstBatch

LONG_NS = 20_000_000  # a span that took so long says which line of the program it belongs to
PACKAGES = ("tensorflow", "keras", "tf_keras", "h5py")
FLUSHED = ("cluster-wait",)  # kinds whose beginning is written out at once: they may never end, with Python's lock held
_UNTOLD: "list[Any]" = [UNTOLD]  # the token of such a call
newest: "Frameworks | None" = None  # of this process


def start(run: "Any", settings: "dict[str, Any]") -> None:
    state: list[Frameworks] = []

    def begin(package):
        global newest
        if not state:
            newest = Frameworks(run)
            state.append(newest)
        state[0].watch(package)

    for package in PACKAGES:
        run.before_import(package, lambda package=package: begin(package))


def label(name: "str | None") -> "Any":
    """A function of observe/labels, of its "module.name"; None of None."""
    if name is None:
        return None
    module, _, function = name.partition(".")
    return getattr(__import__(f"firststep_agent.observe.labels.{module}", fromlist=[function]), function)


class Frameworks:
    """What is watched in one run."""

    def __init__(self, run: "Any") -> None:
        from firststep_agent.observe.labels.places import user_line

        self._run = run
        self._user_line = user_line
        self._inside: set[tuple[int, _Watched]] = set()  # (thread, point) of outermost points
        self._counts: dict[tuple[str, str], list[int]] = {}  # (kind, name) -> [calls, nanoseconds]
        # thread -> [(token, what it had spent)] of first runs that are under way
        self._undivided: dict[int, list[tuple[list[Any], tuple[int, int, FirstBatch | None]]]] = {}
        self.late: list[Point] = []  # points that are seen after ready as well
        run.on_fork(self._inside.clear)
        run.on_fork(self._undivided.clear)
        run.on_ready(self._divide)
        run.on_ready(self.record_counts)
        # what comes after ready is no part of the start
        run.on_exit(lambda: run.ready_ns is None and self.record_counts())  # type: ignore[func-returns-value]

    def watch(self, package: str) -> None:
        """Waits for the places of a package."""
        from firststep_agent.frameworks.points import FRAMEWORKS, of_package

        if package == "tensorflow":  # frames of ours, of which each trace has many, would move the end of a chunk into its loops
            data_stack.presize_traces(self._run, FRAMEWORKS)
        for point in of_package(package, seen=True):
            if point.span:
                watched = _Watched(self, self._run, point)
                self._run.wrap(point, watched.call, FRAMEWORKS, installed=watched.installed)
                if point.span.late:
                    self.late.append(point)

    def is_applying(self) -> bool:
        """Whether this thread is in the work of an optimizer."""
        thread = get_ident()
        return any(one == thread and watched.point.step == "applies" for one, watched in self._inside)

    def begin(self, watched: "_Watched", args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> "list[Any] | None":
        """The token of a new span, or None where this call is none."""
        span = watched.span
        inside = get_ident(), watched
        if span.outermost and inside in self._inside:
            return None
        kind = span.kind
        if watched.when is not None:
            counts = watched.when(args, kwargs)
            if not counts:
                return None
            if counts == UNTOLD:
                self._inside.add(inside)
                return _UNTOLD
            kind = counts if isinstance(counts, str) else kind
        name = watched.name(args, kwargs) if watched.name else watched.point.attribute
        if span.outermost:
            self._inside.add(inside)
        token: list[Any] = self._run.recorder.begin(kind, name)
        if kind in FLUSHED:
            from firststep_agent.observe.labels.devices import others_of_cluster

            self._run.recorder.record("m", now(), "waits-for", {"members": others_of_cluster(), **self._user_line()})
            self._run.recorder.open_spans()
            self._run.recorder.flush()
        return token

    def first_run(self, token: "list[Any]", before: "tuple[int, int, FirstBatch | None]") -> None:
        """A run began that is to be divided. before: what its thread has spent so far."""
        self._undivided.setdefault(get_ident(), []).append((token, before))

    def _divide(self) -> None:
        """The program is ready within a run of this thread: what has been told of it is all that the report gets."""
        for token, before in reversed(self._undivided.pop(get_ident(), ())):
            self._split(token, before)

    def end(self, watched: "_Watched", token: "list[Any]", call: "tuple[Any, ...] | None") -> None:
        """Ends a span. call: (args, kwargs, result), or None where it raised."""
        if token is _UNTOLD:
            self._inside.discard((get_ident(), watched))
            return
        labels = self._labels(watched, call)
        if now() - token[2] > LONG_NS and "line" not in (labels or ()):
            labels = {**(labels or {}), **self._user_line()}
        if watched.span.outermost:
            self._inside.discard((get_ident(), watched))
        runs = self._undivided.get(get_ident())
        if runs and runs[-1][0] is token:
            self._split(*runs.pop())
        self._run.recorder.end(token, labels)

    def _labels(self, watched: "_Watched", call: "tuple[Any, ...] | None") -> "dict[str, Any] | None":
        if watched.labels is None or call is None:
            return None
        try:
            return watched.labels(*call)
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.failed(watched.point.name, error)
            return None

    def _split(self, token: "list[Any]", before: "tuple[int, int, FirstBatch | None]") -> None:
        from firststep_agent.observe.first_calls import split

        try:
            for kind, start, end, labels in split(before, token[2], now(), token[1]):
                self._run.recorder.span(kind, token[1], start, end, get_ident(), labels)
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.failed("first-call", error)

    def count(self, watched: "_Watched", args: "tuple[Any, ...]", kwargs: "dict[str, Any]", elapsed: int) -> None:
        """A call that is no span."""
        kind = watched.span.kind
        key = ("later-call" if kind == "first-call" else kind, watched.name(args, kwargs))
        total = self._counts.setdefault(key, [0, 0])
        total[0] += 1
        total[1] += elapsed

    def record_counts(self) -> None:
        """Counters "kind name" -> [calls, nanoseconds], what TensorFlow itself counts of tracing, its
        settings for GPUs, and the frameworks' versions, with those that nobody has tried."""
        counts, self._counts = self._counts, {}
        for (kind, name), total in counts.items():
            self._run.recorder.record("c", f"{kind} {name}", total)
        settings = gpu_settings.seen()
        if settings:
            self._run.recorder.record("gpu", settings)
        self._run.recorder.record("packages", {name: versions.in_words(name) for name in PACKAGES if name in sys.modules})
        versions.record_untried(self._run.recorder)
        for module in ("tracing_compilation", "tracing_compiler"):
            tracing = sys.modules.get(f"tensorflow.python.eager.polymorphic_function.{module}")
            counter = getattr(tracing, "_graph_building_time_counter", None)
            if counter is not None:
                self._run.recorder.record("c", "tensorflow-graph-building-us", counter.get_cell().value())


class _Watched:
    """One point that is watched."""

    labels: "Callable[..., dict[str, Any]] | None"

    def __init__(self, frameworks: "Frameworks", run: "Any", point: "Point") -> None:
        from firststep_agent.observe import first_calls

        self._frameworks, self._run, self.point, self.span = frameworks, run, point, point.span
        self.name, self.labels, self.when = label(point.span.name), label(point.span.labels), label(point.span.when)
        self._splits, self._spent = first_calls.KINDS if point.span.splits else (), first_calls.begin
        self._listening: Listening | None = None

    def installed(self, plain: "Any", listening: "Listening") -> None:
        """It stands there."""
        self._listening = listening

    def call(self, *args: "Any", **kwargs: "Any") -> "Generator[Any, Any, None]":
        """What listens there (frameworks/listening.py)."""
        if self._run.ready_ns is not None:
            return
        token = self._frameworks.begin(self, args, kwargs)
        if token is None:
            if self.span.counted:
                began = now()
                yield CALL
                self._frameworks.count(self, args, kwargs, now() - began)
            return
        if token[0] in self._splits:
            self._frameworks.first_run(token, self._spent(self._run, args[2] if token[0] == "first-call" else ()))
        call = None
        try:
            call = args, kwargs, (yield CALL)
        finally:
            self._frameworks.end(self, token, call)
            if self.span.once and call is not None:
                self._listening.leave()
