"""A span for each call of a framework's hook points (observe/points) while the program starts."""

import os
import sys
from _thread import get_ident

from firststep_agent import data_stack
from firststep_agent.clock import now
from firststep_agent.signals import is_theirs

LONG_NS = 20_000_000  # a span that took so long says which line of the program it belongs to
_VARIANTS = ("_cpu", "_gpu", "_intel", "_macos", "_rocm", "_cpu_aws")  # of a package, under names of their own
PACKAGES = ("tensorflow", "keras", "tf_keras", "h5py")  # the points are looked up when the first of these comes
FLUSHED = ("cluster-wait",)  # kinds whose beginning is written out at once: they may never end, with Python's lock held
newest: "Frameworks | None" = None  # of this process


def start(run, settings):
    state: list = []

    def begin():
        global newest
        if not state:
            newest = Frameworks(run)
            state.append(newest)

    for package in PACKAGES:
        run.before_import(package, begin)


class Frameworks:
    """The hook points of one run."""

    def __init__(self, run):
        from firststep_agent.observe.labels.places import user_line
        from firststep_agent.observe.points import all_points

        self._run = run
        self._user_line = user_line
        self._inside: set = set()  # (thread, point) of outermost points
        self._counts = {}  # (kind, name) -> [calls, nanoseconds]
        self._versions = {}
        self._packages = {}  # their versions in words
        self.installed = []  # (point, owner, name, the framework's own, ours)
        run.on_fork(self._inside.clear)
        run.on_ready(self.record_counts)
        run.on_exit(lambda: run.ready_ns is None and self.record_counts())  # what comes after ready is no part of the start
        by_module: dict = {}
        for point in all_points():
            by_module.setdefault(point.module, []).append(point)
        for module, points in by_module.items():
            run.after_import(module, lambda module, points=points: self.install(module, points))

    def install(self, module, points):
        for point in points:
            if not point.exists_in(self._version(point.package)):
                continue
            owner, name = _owner(module, point.qualname)
            if owner is None or name not in vars(owner):
                self._run.recorder.record("missing", point.module, point.qualname)
                continue
            if point.presized:
                data_stack.presize(self._run, vars(owner)[name])
            original, ours = vars(owner)[name], self._watched(point, owner, name)
            self.installed.append((point, owner, name, original, ours))
            self._run.replace(owner, name, ours, always_until_ready=True)

    def _version(self, package):
        """The version of an installed package as a tuple of numbers; a very high one where none is found."""
        if package not in self._versions:
            found = _installed_version(package, os.path.dirname(os.path.dirname(sys.modules[package].__file__)))  # type: ignore[type-var]
            self._packages[package] = found.removesuffix(".dist-info")
            self._versions[package] = tuple(int(part) for part in found.split(".")[:2] if part.isdigit())
        return self._versions[package]

    def _watched(self, point, owner, name):
        from firststep_agent.observe import first_calls
        from firststep_agent.observe.wrapping import leave_no_frame, stand_in

        original = vars(owner)[name]
        begin, end, count = self._begin, self._end, self._count
        run = self._run
        splits = first_calls.KINDS if point.splits else ()

        def watched(*args, **kwargs):
            if run.ready_ns is not None:
                return original(*args, **kwargs)
            token = begin(point, args, kwargs)
            before = first_calls.begin() if token is not None and token[0] in splits else None
            began = now()
            try:
                result = original(*args, **kwargs)
            except BaseException as error:
                leave_no_frame(error)
                if token is not None:
                    end(point, token, None, before)
                raise
            if token is not None:
                end(point, token, (args, kwargs, result), before)
                if point.once:
                    run.put_back(owner, name)
            elif point.counted:
                count(point, args, kwargs, now() - began)
            return result

        return stand_in(original, watched)

    def _begin(self, point, args, kwargs):
        """The token of a new span, or None where this call is none."""
        try:
            if point.outermost and (get_ident(), point) in self._inside:
                return None
            kind = point.kind
            if point.when is not None:
                counts = point.when(args, kwargs)
                if not counts:
                    return None
                kind = counts if isinstance(counts, str) else kind
            name = point.name(args, kwargs) if point.name else point.qualname
            if point.outermost:
                self._inside.add((get_ident(), point))
            token = self._run.recorder.begin(kind, name)
            if kind in FLUSHED:
                from firststep_agent.observe.labels.devices import others_of_cluster

                self._run.recorder.record("m", now(), "waits-for", {"members": others_of_cluster()})
                self._run.recorder.open_spans()
                self._run.recorder.flush()
            return token
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.failed(point.qualname, error)
            return None

    def _end(self, point, token, call, before):
        recorder = self._run.recorder
        labels = None
        if point.labels is not None and call is not None:
            try:
                labels = point.labels(*call)
            except Exception as error:
                if is_theirs(error):
                    raise
                self._run.failed(point.qualname, error)
        if now() - token[2] > LONG_NS and "line" not in (labels or ()):
            labels = {**(labels or {}), **self._user_line()}
        if point.outermost:
            self._inside.discard((get_ident(), point))
        if before is not None:
            self._split(token, before)
        recorder.end(token, labels)

    def _split(self, token, before):
        from firststep_agent.observe.first_calls import split

        try:
            for kind, start, end in split(before, token[2], now(), token[1]):
                self._run.recorder.span(kind, token[1], start, end, get_ident())
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.failed("first-call", error)

    def _count(self, point, args, kwargs, elapsed):
        key = ("later-call" if point.kind == "first-call" else point.kind, point.name(args, kwargs))
        total = self._counts.setdefault(key, [0, 0])
        total[0] += 1
        total[1] += elapsed

    def record_counts(self):
        """Counters "kind name" -> [calls, nanoseconds], what TensorFlow itself counts of tracing, and the frameworks' versions."""
        counts, self._counts = self._counts, {}
        for (kind, name), total in counts.items():
            self._run.recorder.record("c", f"{kind} {name}", total)
        self._run.recorder.record("packages", dict(self._packages))
        for module in ("tracing_compilation", "tracing_compiler"):
            tracing = sys.modules.get(f"tensorflow.python.eager.polymorphic_function.{module}")
            counter = getattr(tracing, "_graph_building_time_counter", None)
            if counter is not None:
                self._run.recorder.record("c", "tensorflow-graph-building-us", counter.get_cell().value())


def _owner(module, qualname):
    """(the module or class that holds the attribute, the attribute's name); (None, name) where there is none."""
    *path, name = qualname.split(".")
    owner = module
    for step in path:
        owner = vars(owner).get(step)
        if not isinstance(owner, type):
            return None, name
    return owner, name


def _installed_version(package, folder):
    """From the name of the folder that its installer left; importlib.metadata would cost 20 ms of the start."""
    for entry in os.listdir(folder):
        name, _, version = entry.partition("-")
        if version.endswith(".dist-info") and name in (package, *(package + variant for variant in _VARIANTS)):
            return version
    return "999.0"
