"""The dominant detail of each phase, in plain words: one small function for each phase that has one."""

from __future__ import annotations

from collections.abc import Callable

from firststep.analyse import phases
from firststep.analyse.activity import activity
from firststep.analyse.collections import collections
from firststep.analyse.facts import Facts
from firststep.analyse.import_tree import import_tree, packages
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


def detail(facts: Facts, phase: str) -> str:
    """One line for a phase; empty where there is nothing to add."""
    words = [DETAILS[phase](facts)] if phase in DETAILS else []
    words.append(_waiting(facts(activity).get(phase, Activity())))
    return ", ".join(word for word in words if word)


def _waiting(what: Activity) -> str:
    total = sum(vars(what).values())
    dearest = max(WAITING, key=lambda name: int(getattr(what, name)))
    ns = getattr(what, dearest)
    return (
        f"{duration(ns)} {WAITING[dearest]}"
        if total and ns / total >= WORTH_SAYING and ns > 50_000_000
        else ""
    )


def _imports(facts: Facts) -> str:
    tree = facts(import_tree)
    if not tree or not tree.modules:
        return ""
    package, ns, _ = packages(tree)[0]
    words = f"{package} {duration(ns)} with all it loads; " if ns else ""
    return f"{words}{count(len(tree.modules), 'module')}, {tree.compiled_from_source:,} compiled from source"


def _native(facts: Facts) -> str:
    found = facts(native_libraries)
    if not found:
        return ""
    dearest = max(found, key=lambda library: library.ns)
    loads = count(len(found), "library", "libraries")
    return f"{loads}; {dearest.path.rpartition('/')[2]} {duration(dearest.ns)}"


def _collections(facts: Facts) -> str:
    found = facts(collections)
    if not found or not found.count:
        return ""
    words = count(found.count, "collection")
    if found.during:
        phase, ns = max(found.during.items(), key=lambda item: item[1])
        words += f", {duration(ns)} of it during {phase}"
    return words


def _libraries(facts: Facts) -> str:
    found = facts(libraries)
    if not found:
        return ""
    groups: dict[tuple[str, str], int] = {}
    for row in found:
        key = (row.called or row.package, place(row.line, facts.trace) if row.line else "")
        groups[key] = groups.get(key, 0) + row.ns
    (called, where), ns = max(groups.items(), key=lambda item: item[1])
    return f"{called} {duration(ns)}" + (f", called at {where}" if where else "")


def _user(facts: Facts) -> str:
    totals: dict[str, int] = {}
    for piece in facts(partition).pieces:
        if piece.phase == phases.USER and piece.verdict and piece.verdict.line:
            where = place(piece.verdict.line, facts.trace)
            totals[where] = totals.get(where, 0) + piece.end - piece.start
    if not totals:
        return ""
    where, ns = max(totals.items(), key=lambda item: item[1])
    return f"{where} {duration(ns)}"


DETAILS: dict[str, Callable[[Facts], str]] = {
    phases.IMPORTS: _imports,
    phases.NATIVE: _native,
    phases.COLLECTION: _collections,
    phases.LIBRARIES: _libraries,
    phases.USER: _user,
}
