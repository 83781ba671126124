"""The dominant detail of each phase, in plain words: one small function for each phase that has one."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable

from firststep.analyse import phases
from firststep.analyse.activity import activity
from firststep.analyse.collections import collections
from firststep.analyse.facts import Facts
from firststep.analyse.import_tree import import_tree
from firststep.analyse.libraries import libraries
from firststep.analyse.native_libraries import native_libraries
from firststep.analyse.partition import partition
from firststep.model.facts import Activity
from firststep.report.places import place
from firststep.report.wording import count, duration

WAITING = {
    "runnable_ns": "waiting for a CPU",
    "disk_ns": "waiting for disk",
    "network_ns": "waiting for the network",
    "lock_ns": "waiting for a lock",
    "child_ns": "waiting for a child process",
    "sleeping_ns": "asleep",
    "waiting_ns": "waiting",
}
WORTH_SAYING = 0.25  # of a phase's time
LEAST_WAIT_NS = 50_000_000


def detail(facts: Facts, phase: str) -> str:
    """A line for a phase; empty where there is nothing to add."""
    words = [DETAILS[phase](facts)] if phase in DETAILS else []
    words.append(_waiting(facts(activity).get(phase, Activity())))
    return "; ".join(word for word in words if word)


def _waiting(what: Activity) -> str:
    total = sum(vars(what).values())
    dearest = max(WAITING, key=lambda name: int(getattr(what, name)))
    ns = getattr(what, dearest)
    if ns < LEAST_WAIT_NS or ns < total * WORTH_SAYING:
        return ""
    return f"{duration(ns)} {WAITING[dearest]}"


def _interpreter(facts: Facts) -> str:
    """What of it came after the program's own end, where the start never reached ready."""
    pieces = facts(partition).pieces
    if facts.trace.ready or not pieces or pieces[-1].phase != phases.INTERPRETER:
        return ""
    return f"{duration(pieces[-1].end - pieces[-1].start)} of it shutting down"


def _imports(facts: Facts) -> str:
    tree = facts(import_tree)
    if not tree or not tree.modules:
        return ""
    compiled = f", {tree.compiled_from_source:,} compiled from source"
    package = _dearest_package(facts)
    return (f"{package}, " if package else "") + count(len(tree.modules), "module") + compiled


def _dearest_package(facts: Facts) -> str:
    """The package whose import, with all that it imports in turn, is most of the phase."""
    tree = facts(import_tree)
    outermost = [module for module in (tree.modules if tree else ()) if module.parent is None and module.main_thread]
    starts = [module.start for module in outermost]
    times: Counter[str] = Counter()
    for piece in facts(partition).pieces:
        if piece.phase == phases.IMPORTS and (index := bisect_right(starts, piece.start)):
            times[outermost[index - 1].name.partition(".")[0]] += piece.end - piece.start
    return "".join(f"{name} {duration(ns)} of it" for name, ns in times.most_common(1))


def _native(facts: Facts) -> str:
    found = facts(native_libraries)
    if not found:
        return ""
    dearest = max(found, key=lambda library: library.ns)
    loads = count(len(found), "library", "libraries")
    return f"{dearest.path.rpartition('/')[2]} {duration(dearest.ns)} of it, {loads}"


def _collections(facts: Facts) -> str:
    found = facts(collections)
    if not found or not found.count:
        return ""
    words = count(found.count, "collection")
    if found.during:
        phase, ns = max(found.during.items(), key=lambda item: item[1])
        words = f"{duration(ns)} of it in the middle of {phase}, {words}"
    return words


def _libraries(facts: Facts) -> str:
    times: Counter[str] = Counter()
    for row in facts(libraries):
        where = f" called at {place(row.line, facts.trace)}" if row.line else ""
        times[f"{row.called or row.package}{where}"] += row.ns
    return "".join(f"{duration(ns)} in {what}" for what, ns in times.most_common(1))


def _user(facts: Facts) -> str:
    times: Counter[str] = Counter()
    for piece in facts(partition).pieces:
        if piece.phase == phases.USER and piece.verdict and piece.verdict.line:
            times[place(piece.verdict.line, facts.trace)] += piece.end - piece.start
    return "".join(f"{duration(ns)} at {where}" for where, ns in times.most_common(1))


DETAILS: dict[str, Callable[[Facts], str]] = {
    phases.INTERPRETER: _interpreter,
    phases.IMPORTS: _imports,
    phases.NATIVE: _native,
    phases.COLLECTION: _collections,
    phases.LIBRARIES: _libraries,
    phases.USER: _user,
}
