"""The report's drill-downs: one topic each, every row of it that matters, and a total of all."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from statistics import median

from firststep.analyse import phases
from firststep.analyse.afterwards import afterwards
from firststep.analyse.data import KINDS as DATA_KINDS
from firststep.analyse.data import worked
from firststep.analyse.facts import Facts
from firststep.analyse.graph_building import graph_building
from firststep.analyse.import_tree import import_tree
from firststep.analyse.imported_packages import imported_packages
from firststep.analyse.initial_values import initial_values
from firststep.analyse.loads import loads
from firststep.analyse.own_initial_values import own_initial_values
from firststep.analyse.partition import partition
from firststep.analyse.repeats import HANDED_OVER, repeats
from firststep.analyse.sessions import sessions
from firststep.analyse.source_lines import source_lines
from firststep.analyse.spans import spans
from firststep.analyse.tracing import tracing
from firststep.analyse.variables import variables
from firststep.diagnose import diagnosis
from firststep.model.facts_frameworks import TracedFunction
from firststep.model.trace import Span
from firststep.model.words import count, duration, file_name, plain_name, size
from firststep.report.compose import gain_words
from firststep.report.places import short_place, source
from firststep.report.tree import Table

MOST = 40  # rows that are shown; the total is of all
MOST_WORKED = 5  # transformations of which it is said
WORDS = {"session-create": "session", "session-extend": "graph grown", HANDED_OVER: "graph handed over"}  # of kinds of spans
NEW_VALUE = re.compile(r" -> [^;]*")  # in why a function was traced again
GENERATED = re.compile(r"tensorflow\..*\bgen_\w+")  # modules that TensorFlow has made of its operations
NOTHING = "there was none, or it was not watched"


def _table(title: str, columns: str, right: str, rows: Iterable[tuple[str, ...]], total: tuple[str, ...] | None = None,
           notes: tuple[str, ...] = ()) -> Table:
    """columns: headings, a bar between them; right: a letter for each, r or l."""
    shown = tuple(rows)
    more = (f"{len(shown) - MOST:,} more rows are in the total",) if len(shown) > MOST else ()
    empty = (NOTHING,) if not shown else ()
    return Table(title, tuple(columns.split("|")), tuple(letter == "r" for letter in right), shown[:MOST],
                 total if shown else None, (*notes, *more, *empty))


def imports(facts: Facts) -> Table:
    """By top-level package: its modules' own time, and what was taken out of it."""
    found = facts(imported_packages)
    rows = [(one.name, f"{one.modules:,}", *map(duration, one.columns), duration(one.together_ns)) for one in found]
    sums = [sum(column) for column in zip(*(one.columns for one in found))]
    elsewhere = facts(partition).phases[phases.IMPORTS] - sum(one.own_ns + one.compiled_ns for one in found)
    if found and elsewhere > 0:  # `compile` that the program calls
        rows.append(("(in no import)", "", duration(0), duration(0), duration(elsewhere), duration(0), duration(0), duration(elsewhere)))
        sums[2] += elsewhere
    return _table("imports, by package", "package|modules|own|libraries|compiling|collecting|other|together", "lrrrrrrr", rows,
                  ("total", f"{sum(one.modules for one in found):,}", *map(duration, sums), duration(sum(sums))),
                  ("own and compiling are the phase imports; other ran within it: a wait, or TensorFlow's own work", *_operations(facts)))


def _operations(facts: Facts) -> tuple[str, ...]:
    """What TensorFlow's operations cost its import, which is said to be much: in Python, and in native code, where they register."""
    tree = facts(import_tree)
    modules = [one for one in tree.modules if one.main_thread and one.name.partition(".")[0] == "tensorflow"] if tree else []
    generated = [one for one in modules if GENERATED.fullmatch(one.name)]
    native = sum(one.native_ns for one in modules)
    if not generated or not native:
        return ()
    return (f"TensorFlow's operations: {count(len(generated), 'module')} made of them {duration(sum(one.self_ns for one in generated))}, "
            f"native libraries, which register them, {duration(native)}",)


def traces(facts: Facts) -> Table:
    """Functions that were traced, before ready and after it."""
    known, late = facts(tracing), facts(afterwards)
    functions = known.functions if known else ()
    rows = [(plain_name(one.name), f"{one.traces:,}", duration(one.phase_ns), duration(one.self_ns - one.phase_ns), f"{one.ops:,}",
             _reasons(one)) for one in functions]
    for built in facts(graph_building):
        where = f" {short_place(built.line, facts.trace)}" if built.line else ""
        rows.append((f"{built.called or '(unknown)'}{where}", "", duration(built.ns), "", "", "outside of a trace"))
    later = [(plain_name(one.name), f"{one.traces:,}", duration(one.ns), "", "", f"after the first step: {one.why}")
             for one in (late.traces if late else ())]
    within = sum(one.self_ns - one.phase_ns for one in functions)
    after = (sum(one.traces for one in late.traces), sum(one.ns for one in late.traces)) if late else (0, 0)
    total = ("total", f"{(known.traces if known else 0) + after[0]:,}", duration(facts(partition).phases[phases.TRACING] + after[1]),
             duration(within), "",
             f"{duration(after[1])} of it after the first step" if after[0] else "")
    notes = ("tracing is the phase of that name; within: what ran meanwhile and belongs to others, as variables",) if functions else ()
    return _table("functions traced", "function|traces|tracing|within|operations|again, because", "lrrrrl", [*rows, *later], total, notes)


def _reasons(function: TracedFunction) -> str:
    """Each once: `n: Python value 0 -> 1, and 38 more` for those that differ only in what the new value is."""
    alike: dict[str, list[str]] = defaultdict(list)
    for reason in function.reasons:
        if reason.why != "first trace":
            alike[NEW_VALUE.sub("", reason.why)].append(reason.why)
    return "; ".join(f"{same[0]}, and {len(same) - 1} more" if len(same) > 1 else same[0] for same in alike.values())


def variable_kinds(facts: Facts) -> Table:
    """Variables and what filled them, by kind of initialiser."""
    known = facts(variables)
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for one in known.variables if known else ():
        row = kinds[one.initialiser or "(none seen)"]
        for place, value in enumerate((1, one.bytes or 0, one.ns, int(one.lifted))):
            row[place] += value
    filled: Counter[str] = Counter()
    for seen in facts(initial_values):
        filled[str(seen.span.labels.get("initialiser", "(of traces, together)"))] += seen.span.end - seen.span.start
    for own in facts(own_initial_values):
        filled[str(own.variable.span.labels.get("initialiser", "(none seen)"))] += own.end - own.start
    names = sorted({*kinds, *filled}, key=lambda name: -(kinds[name][2] + filled[name]))
    rows = [(name, f"{kinds[name][0]:,}", size(kinds[name][1]), duration(kinds[name][2]), duration(filled[name]), f"{kinds[name][3]:,}")
            for name in names]
    sums = [sum(column) for column in zip(*kinds.values())] or [0] * 4
    return _table("variables, by initialiser", "initialiser|variables|bytes|making|filling|while tracing", "lrrrrr", rows,
                  ("total", f"{sums[0]:,}", size(sums[1]), duration(sums[2]), duration(sum(filled.values())), f"{sums[3]:,}"),
                  ("making holds the filling that happened inside it",
                   f"the phase variables has {duration(facts(partition).phases[phases.VARIABLES])}, without what ran within for others"))


def session_rounds(facts: Facts) -> Table:
    """Sessions, initialisations and models by the line that makes them, over the whole run."""
    rows = []
    for one in sorted(facts(repeats), key=lambda one: -sum(one.ns)):
        nodes = " → ".join(f"{number:,}" for number in dict.fromkeys((one.nodes[0], one.nodes[-1]))) if one.nodes else ""
        grown = one.resident[-1] - one.resident[0] if one.resident else 0
        memory = f"{'+' if grown >= 0 else '−'}{size(abs(grown))}" if one.times > 1 and one.resident else ""
        rounds = sum(one.rounds_ns[:-1])
        where = short_place(one.line, facts.trace) if one.line else ""
        rows.append((WORDS.get(one.kind, one.kind), where, f"{one.times:,}", duration(sum(one.ns)), duration(rounds) if rounds else "",
                     duration(round(median(one.rounds_ns[:-1]))) if rounds else "", nodes, memory))
    known = facts(sessions)
    further = f"{known.later_runs:,} further session runs before ready took {duration(known.later_run_ns)}" if known else ""
    about = "rounds: from each to the next, all and the usual one; nodes: of the graph, or traced for each model"
    notes = (about, further) if known and known.later_runs else (about,)
    together = sum(sum(one.ns) for one in facts(repeats))
    return _table("sessions, initialisations and models, by line", "what|line|times|own|rounds|usual|nodes|memory", "llrrrrrr", rows,
                  ("total", "", f"{sum(one.times for one in facts(repeats)):,}", duration(together), "", "", "", ""), notes)


def weights(facts: Facts) -> Table:
    """Everything that was loaded."""
    found = facts(loads)
    rows = [(one.kind, file_name(one.path), one.format, size(one.bytes) if one.bytes else "", duration(one.ns),
             duration(one.read_ns), f"{one.megabytes_per_second:.0f} MB/s" if one.megabytes_per_second else "") for one in found]
    together = sum(one.bytes or 0 for one in found)
    return _table("models, weights and checkpoints", "what|file|format|bytes|took|reading|speed", "lllrrrr", rows,
                  ("total", "", "", size(together) if together else "", duration(sum(one.ns for one in found)),
                   duration(sum(one.read_ns for one in found)), ""))


def pipelines(facts: Facts) -> Table:
    """What the input pipelines were made of, by transformation."""
    whole = facts(partition).phases[phases.DATA]
    names = {"data-iterator": "making an iterator", "data-first-element": "waiting for the first element"}
    times: dict[str, list[int]] = defaultdict(lambda: [0, 0])

    def name_of(span: Span) -> str:
        return names.get(span.kind) or str(span.labels.get("transformation") or span.labels.get("what") or "a data set")

    for piece in facts(partition).pieces:
        if piece.phase == phases.DATA and piece.span:
            times[name_of(piece.span)][1] += piece.end - piece.start
    for seen in spans(facts, *DATA_KINDS, "data-first-element"):
        times[name_of(seen.span)][0] += 1
    rows = [(name, f"{number:,}", duration(ns)) for name, (number, ns) in sorted(times.items(), key=lambda item: -item[1][1])]
    shares = ", ".join(f"{plain_name(name)} {duration(ns)}" for name, ns in worked(facts).most_common(MOST_WORKED))
    work = (f"what worked for the first elements, as far as TensorFlow counts it: {shares}",) if shares else ()
    chains = {" → ".join(seen.span.labels["chain"]) for seen in spans(facts, "data-iterator") if seen.span.labels.get("chain")}
    return _table("input pipelines", "transformation|times|took", "lrr", rows, ("total", "", duration(whole)),
                  (*work, *sorted(chains)))


def lines(facts: Facts) -> Table:
    """The program's own lines."""
    found = sorted(facts(source_lines), key=lambda one: (-one.self_ns, one.line))
    rows = [(short_place(one.line, facts.trace), duration(one.self_ns), duration(one.total_ns), source(one.line, facts.trace)[:40])
            for one in found]
    return _table("lines of your program", "line|by itself|with all it calls|", "lrrl", rows,
                  ("total", duration(sum(one.self_ns for one in found)), "", ""),
                  ("by itself: it was the innermost of your lines; these never overlap",))


def findings(facts: Facts) -> Table:
    """Every finding, and the causes that could not be looked for."""
    found = facts(diagnosis)
    rows = [(one.id, gain_words(one.gain), one.severity, one.confidence, "boost" if one.boosted else "") for one in found.findings]
    lacking = Counter(one.lacks for one in found.not_measured)
    notes = tuple(f"{count(number, 'cause')} not measured: no {lacks}" for lacks, number in lacking.items())
    gains = (("by edits and settings", found.edited), ("after the first step", found.later))
    together = tuple(f"{who} together: {words}" for who, gain in gains if (words := gain_words(gain)))
    return _table("findings", "cause|gain|severity|confidence|done by", "lrlll", rows,
                  ("by boost together", gain_words(found.boosted), "", "", ""),
                  (*together, *notes, "gains overlap: they must not be added",
                   "in order of gain and confidence, further ones of a kind after others"))


TOPICS: dict[str, Callable[[Facts], Table]] = {
    "findings": findings,
    "imports": imports,
    "traces": traces,
    "variables": variable_kinds,
    "sessions": session_rounds,
    "weights": weights,
    "data": pipelines,
    "lines": lines,
}
