"""The dominant detail of each phase, in plain words: one small function for each phase that has one."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from itertools import accumulate

from firststep.analyse import phases
from firststep.analyse.activity import activity
from firststep.analyse.collections import collections
from firststep.analyse.data import data
from firststep.analyse.devices import devices
from firststep.analyse.executions import executions
from firststep.analyse.facts import Facts
from firststep.analyse.graph_building import graph_building
from firststep.analyse.graph_work import graph_work
from firststep.analyse.import_tree import import_tree
from firststep.analyse.libraries import libraries
from firststep.analyse.loads import loads
from firststep.analyse.native_libraries import native_libraries
from firststep.analyse.network import network
from firststep.analyse.partition import partition
from firststep.analyse.pth_files import pth_files
from firststep.analyse.sessions import sessions
from firststep.analyse.shares import shares
from firststep.analyse.shortages import shortages
from firststep.analyse.source_lines import source_lines
from firststep.analyse.spans import outermost, spans
from firststep.analyse.tracing import tracing
from firststep.analyse.variables import variables
from firststep.model.facts import Activity, Shortage
from firststep.model.words import count, duration, file_name, library_name, longest_name, plain_name, size
from firststep.report.places import short_place

WAITING = {
    "disk_ns": "waiting for disk",
    "network_ns": "waiting for the network",
    "lock_ns": "waiting for another thread",
    "child_ns": "waiting for a child process",
    "sleeping_ns": "asleep",
    "waiting_ns": "waiting",
}
SAID_CONSTANTS = 1_000_000  # bytes
WORTH_SAYING = 0.25  # of a phase's time
LEAST_WAIT_NS = 50_000_000
CLAUSE = ", "  # between clauses
SHORT_PLACE = 22  # characters of a place: with its time, as many as a report of 80 columns has


def detail(facts: Facts, phase: str) -> list[str]:
    """Clauses about a phase, the most telling first."""
    words = DETAILS[phase](facts) if phase in DETAILS else ""
    lacked = facts(shortages).get(phase)
    clauses = [*words.split(CLAUSE), _waiting(facts(activity).get(phase, Activity()), lacked), _withheld(facts, phase, lacked)]
    return [clause for clause in clauses if clause]


def _withheld(facts: Facts, phase: str, lacked: Shortage | None) -> str:
    ns = lacked.throttled_ns if lacked else None
    whole = facts(partition).phases[phase]
    if not ns or ns < LEAST_WAIT_NS or ns < whole * WORTH_SAYING:
        return ""
    if ns > whole:  # each CPU that is stopped counts by itself
        return "stopped by the CPU quota"
    return f"{duration(ns)} withheld by the CPU quota"


def _waiting(what: Activity, lacked: Shortage | None) -> str:
    total = sum(vars(what).values())
    costliest = max(WAITING, key=lambda name: int(getattr(what, name)))
    ns = getattr(what, costliest)
    if ns < LEAST_WAIT_NS or ns < total * WORTH_SAYING:
        return ""
    pages = lacked.faults_from_disk if lacked and costliest == "disk_ns" else None
    return f"{duration(ns)} {WAITING[costliest]}" + (f" ({count(pages, 'page fault')})" if pages else "")


def _interpreter(facts: Facts) -> str:
    """`.pth` files, and what of it came after the program's own end where the start never reached ready."""
    whole = facts(partition).phases[phases.INTERPRETER]
    files = [one for one in (facts(pth_files) or ())[:1] if one.ns >= whole * WORTH_SAYING]
    words = [f"{os.path.basename(one.path)} {duration(min(one.ns, whole))}" for one in files]
    pieces = facts(partition).pieces
    if not facts.trace.ready and pieces and pieces[-1].phase == phases.INTERPRETER:
        words.insert(0, f"{duration(pieces[-1].end - pieces[-1].start)} of it shutting down")
    return ", ".join(words)


def _imports(facts: Facts) -> str:
    tree = facts(import_tree)
    if not tree or not tree.modules:
        return ""
    compiled = f", {tree.compiled_from_source:,} compiled from source"
    package = _costliest_package(facts)
    return (f"{package}, " if package else "") + count(len(tree.modules), "module") + compiled


def _costliest_package(facts: Facts) -> str:
    """The package whose import, with all that it imports in turn, is most of the phase; none of the user's modules."""
    times: Counter[str] = Counter()
    for module, ns in shares(facts, phases.IMPORTS, "import", outer=True, but=_own_modules(facts)).items():
        times[module.partition(".")[0]] += ns
    return "".join(f"{name} {duration(ns)} of it" for name, ns in times.most_common(1))


def _own_modules(facts: Facts) -> set[str]:
    """Names of the user's modules and of the packages that they are in, of those that were imported."""
    tree = facts(import_tree)
    imported = {one.name for one in tree.modules} if tree else set()
    own: set[str] = set()
    for file in {row.line.file for row in facts(source_lines)}:
        parts = file.removesuffix(".py").removesuffix(f"{os.sep}__init__").split(os.sep)
        for name in (".".join(parts[place:]) for place in range(len(parts))):
            own.update(accumulate(name.split("."), "{}.{}".format) if name in imported else ())
    return own


def _native(facts: Facts) -> str:
    found = facts(native_libraries)
    if not found:
        return ""
    costliest = shares(facts, phases.NATIVE, "native").most_common(1)
    loads = count(len(found), "library", "libraries")
    return CLAUSE.join([*(f"{library_name(path)} {duration(ns)}" for path, ns in costliest), loads])


def _devices(facts: Facts) -> str:
    known = facts(devices)
    return ", ".join(count(number, kind) for kind, number in known.found.items()) if known else ""


def _model(facts: Facts) -> str:
    found = [seen.span for seen in spans(facts, "model-build") if "layers" in seen.span.labels]
    if not found:
        return ""
    largest = max(found, key=lambda span: int(span.labels["layers"]))
    return f"{largest.labels.get('name', largest.name)}, {count(int(largest.labels['layers']), 'layer')}"


def _variables(facts: Facts) -> str:
    made = facts(variables)
    if made is None:
        return ""
    lifted = sum(variable.lifted for variable in made.variables)
    words = f"{count(len(made.variables), 'variable')}, {size(made.bytes)}"
    return words + (f", {lifted:,} made while tracing" if lifted else "")


def _weights(facts: Facts) -> str:
    loaded = facts(loads)
    if not loaded:
        given = sum(int(seen.span.labels.get("bytes") or 0) for seen in outermost(spans(facts, "weights-set")))
        return f"{size(given)} set" if given else ""
    costliest = max(loaded, key=lambda load: load.ns)
    words = f"{size(costliest.bytes)} from " if costliest.bytes else ""
    return words + file_name(costliest.path)


def _data(facts: Facts) -> str:
    known = facts(data)
    if known is None:
        return ""
    words = []
    if known.first_element_ns:
        words.append(f"{duration(known.first_element_ns)} for the first element")
    if known.constant_bytes >= SAID_CONSTANTS:
        words.append(f"{size(known.constant_bytes)} of constants")
    if known.shuffle_buffer:
        words.append(f"a buffer of {known.shuffle_buffer:,} to shuffle")
    if known.functions:
        words.append(f"{count(len(known.functions), 'function')} traced for it")
    return ", ".join(words)


def _tracing(facts: Facts) -> str:
    known, by_hand = facts(tracing), facts(graph_building)
    costliest = shares(facts, phases.TRACING, "trace").most_common(1)
    if by_hand and (not costliest or by_hand[0].ns > costliest[0][1]):
        where = f"{CLAUSE}called at {short_place(by_hand[0].line, facts.trace, SHORT_PLACE)}" if by_hand[0].line else ""
        return f"{duration(by_hand[0].ns)} in {by_hand[0].called}{where}{CLAUSE}outside of a trace"
    if known is None or not costliest:
        return ""
    name, ns = costliest[0]
    return f"{count(known.traces, 'trace')}, most in {plain_name(name)}, {duration(ns)} of it"


def _graph_work(facts: Facts) -> str:
    words = longest_name((one.name, one.optimise_ns) for one in facts(graph_work))
    if words:
        return words
    known = facts(sessions)
    extensions = sum(session.extensions for session in known.sessions) if known else 0
    return f"a session's graph handed over {count(extensions, 'time')}" if extensions else ""


def _compile(facts: Facts) -> str:
    return longest_name((one.name, one.compile_ns) for one in facts(graph_work))


def _execution(facts: Facts) -> str:
    found = facts(executions)
    took = shares(facts, phases.EXECUTION, "first-call") | shares(facts, phases.EXECUTION, "first-execution")
    name, ns = max(took.items(), key=lambda item: item[1], default=("", 0))
    if ns > facts(partition).phases[phases.EXECUTION] * WORTH_SAYING:
        later = [f", later {duration(one.later_ns // one.later)}" for one in found if one.name == name and one.later]
        steps = [f"up to {one.steps:,} steps in one call, " for one in found if one.name == name and one.steps > 1]
        return "".join([*steps[:1], f"{plain_name(name)} {duration(ns)}", *later[:1]])
    known = facts(sessions)
    runs = sum(session.first_runs for session in known.sessions) if known else 0
    return f"{count(runs, 'first run')} of sessions" if runs else ""


def _network(facts: Facts) -> str:
    peers = [peer for peer in facts(network) or () if peer.ns]
    return "".join(f"{peer.name} {duration(peer.ns)}" for peer in peers[:1])


def _collections(facts: Facts) -> str:
    found = facts(collections)
    if not found or not found.count:
        return ""
    words = count(found.count, "collection")
    if found.during:
        phase, ns = max(found.during.items(), key=lambda item: item[1])
        words = f"{duration(ns)} of it during {phase}, {words}"
    return words


def _libraries(facts: Facts) -> str:
    times: Counter[str] = Counter()
    for row in facts(libraries):
        where = f"{CLAUSE}called at {short_place(row.line, facts.trace, SHORT_PLACE)}" if row.line else ""
        times[f"{row.called or row.package}{where}"] += row.ns
    return "".join(f"{duration(ns)} in {what}" for what, ns in times.most_common(1))


def _user(facts: Facts) -> str:
    times: Counter[str] = Counter()
    for piece in facts(partition).pieces:
        if piece.phase == phases.USER and piece.verdict and piece.verdict.line:
            times[short_place(piece.verdict.line, facts.trace, SHORT_PLACE)] += piece.end - piece.start
    return "".join(f"{duration(ns)} at {where}" for where, ns in times.most_common(1))


def _unaccounted(facts: Facts) -> str:
    """What is known of it all the same: that the thread was ready, and other work had the CPU."""
    ns = facts(activity).get(phases.UNACCOUNTED, Activity()).runnable_ns
    return f"{duration(ns)} of it no CPU was free" if ns >= LEAST_WAIT_NS else ""


DETAILS: dict[str, Callable[[Facts], str]] = {
    phases.INTERPRETER: _interpreter,
    phases.IMPORTS: _imports,
    phases.NATIVE: _native,
    phases.DEVICES: _devices,
    phases.MODEL: _model,
    phases.VARIABLES: _variables,
    phases.WEIGHTS: _weights,
    phases.DATA: _data,
    phases.TRACING: _tracing,
    phases.OPTIMISATION: _graph_work,
    phases.COMPILE: _compile,
    phases.EXECUTION: _execution,
    phases.NETWORK: _network,
    phases.COLLECTION: _collections,
    phases.LIBRARIES: _libraries,
    phases.USER: _user,
    phases.UNACCOUNTED: _unaccounted,
}
