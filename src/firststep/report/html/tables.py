"""The tables of a page: cells are words with the number that they are sorted by."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from firststep.analyse import phases
from firststep.analyse.afterwards import afterwards
from firststep.analyse.data import data
from firststep.analyse.executions import executions
from firststep.analyse.facts import Facts
from firststep.analyse.graph_work import graph_work
from firststep.analyse.imported_packages import imported_packages
from firststep.analyse.loads import loads
from firststep.analyse.native_libraries import native_libraries
from firststep.analyse.network import network
from firststep.analyse.partition import partition
from firststep.analyse.processes import processes
from firststep.analyse.repeats import repeats
from firststep.analyse.sessions import sessions
from firststep.analyse.tracing import tracing
from firststep.analyse.user_lines import parsed
from firststep.analyse.variables import variables
from firststep.model.facts import SourceLine
from firststep.model.facts_frameworks import Retrace
from firststep.model.trace import Trace
from firststep.model.words import count, duration, file_name, plain_name, size
from firststep.printable import one_line
from firststep.report.lengths import WORDS, cut
from firststep.report.places import short_place
from firststep.report.tables import NOTHING


class Cell(NamedTuple):
    """key: what a number is sorted by; None for words."""

    text: str
    key: float | None = None


Row = tuple[Cell, ...]


@dataclass(frozen=True)
class PageTable:
    """columns: (heading, whether it holds numbers); rows that are shown; total: of all, or None; notes: what else is known."""

    id: str
    title: str
    columns: tuple[tuple[str, bool], ...]
    rows: tuple[Row, ...]
    total: Row | None
    notes: tuple[str, ...]


def words(text: object) -> Cell:
    return Cell(cut(one_line(str(text)), WORDS))


def number(value: int | None) -> Cell:
    return Cell("" if value is None else f"{value:,}", value)


def time(ns: int | None) -> Cell:
    return Cell("" if ns is None else duration(ns), ns)


def data_size(value: int | None) -> Cell:
    return Cell("" if value is None else size(value), value)


def _speed(value: float | None) -> Cell:
    return Cell(f"{value:.0f} MB/s" if value else "", value)


def _place(line: SourceLine | None, trace: Trace) -> Cell:
    return words(short_place(line, trace)) if line else Cell("")


def _functions(facts: Facts) -> tuple[list[Row], Row | None]:
    known, late = facts(tracing), facts(afterwards)
    rows: list[Row] = [(words(plain_name(one.name)), _place(parsed(one.source), facts.trace), number(one.traces), time(one.phase_ns),
                        time(one.self_ns), time(one.ns), number(one.ops), words("; ".join(map(_reason, one.reasons))))
                       for one in (known.functions if known else ())]
    rows += [(words(plain_name(one.name)), _place(parsed(one.source), facts.trace), number(one.traces), Cell(""), Cell(""), time(one.ns),
              number(one.ops), words(f"after the first step: {one.why}")) for one in (late.traces if late else ())]
    total = (Cell("before the first step"), Cell(""), number(known.traces), time(facts(partition).phases[phases.TRACING]), Cell(""),
             time(known.ns), Cell(""), Cell("")) if known else None
    return rows, total


def _reason(one: Retrace) -> str:
    return f"{one.why} ({one.traces:,} ×)" if one.traces > 1 else one.why


def _variables(facts: Facts) -> tuple[list[Row], Row | None]:
    known = facts(variables)
    if known is None:
        return [], None
    rows: list[Row] = [(words(one.name), words(_shape(one.shape)), words(one.dtype), data_size(one.bytes), time(one.ns),
                        words(one.initialiser), Cell("yes" if one.lifted else ""))
                       for one in sorted(known.variables, key=lambda one: -one.ns)]
    return rows, (number(len(known.variables)), Cell(""), Cell(""), data_size(known.bytes), time(known.ns), Cell(""),
                  number(sum(one.lifted for one in known.variables)))


def _shape(shape: tuple[int | None, ...] | None) -> str:
    if shape is None:
        return ""
    return "×".join("?" if side is None else str(side) for side in shape) or "scalar"


def _weights(facts: Facts) -> tuple[list[Row], Row | None]:
    found = facts(loads)
    rows: list[Row] = [(words(one.kind), words(file_name(one.path)), words(one.format), data_size(one.bytes),
                        time(one.ns), time(one.read_ns), _speed(one.megabytes_per_second)) for one in found]
    return rows, (Cell("total"), Cell(""), Cell(""), data_size(sum(one.bytes or 0 for one in found) or None),
                  time(sum(one.ns for one in found)), time(sum(one.read_ns for one in found)), Cell(""))


def _sessions(facts: Facts) -> tuple[list[Row], Row | None]:
    known = facts(sessions)
    rows: list[Row] = [(number(place), time(one.create_ns), number(one.nodes), number(one.extensions), time(one.extend_ns),
                        number(one.first_runs), time(one.first_run_ns))
                       for place, one in enumerate(known.sessions if known else (), 1)]
    if known is None:
        return rows, None
    return rows, (Cell("later runs"), *[Cell("")] * 4, number(known.later_runs), time(known.later_run_ns))


def _loops(facts: Facts) -> tuple[list[Row], Row | None]:
    rows: list[Row] = []
    for one in sorted(facts(repeats), key=lambda one: -sum(one.ns)):
        nodes = f"{one.nodes[0]:,} → {one.nodes[-1]:,}" if one.nodes else ""
        memory = f"{size(one.resident[0])} → {size(one.resident[-1])}" if one.resident else ""
        rows.append((words(one.kind), _place(one.line, facts.trace), number(one.times), time(sum(one.ns)), time(sum(one.rounds_ns[:-1])),
                     Cell(nodes, one.nodes[-1] if one.nodes else None), Cell(memory, one.resident[-1] if one.resident else None)))
    return rows, None


def _packages(facts: Facts) -> tuple[list[Row], Row | None]:
    found = facts(imported_packages)
    rows: list[Row] = [(words(one.name), number(one.modules), *map(time, one.columns), time(one.together_ns)) for one in found]
    sums = [sum(column) for column in zip(*(one.columns for one in found))] or [0] * 5
    return rows, (words("total"), number(sum(one.modules for one in found)), *map(time, sums), time(sum(sums)))


def _libraries(facts: Facts) -> tuple[list[Row], Row | None]:
    found = facts(native_libraries) or ()
    rows: list[Row] = [(words(os.path.basename(one.path)), time(one.ns), data_size(one.bytes), words(one.module), words(one.by))
            for one in sorted(found, key=lambda one: -one.ns)]
    return rows, (Cell("total"), Cell(""), data_size(sum(one.bytes or 0 for one in found)), Cell(""), Cell(""))


def _graphs(facts: Facts) -> tuple[list[Row], Row | None]:
    work = {one.name: one for one in facts(graph_work)}
    run = {one.name: one for one in facts(executions)}
    rows: list[Row] = []
    for name in dict.fromkeys([*work, *run]):
        did, ran = work.get(name), run.get(name)
        rows.append((words(plain_name(name)), time(did.optimise_ns if did else None),
                     time(did.compile_ns if did else None), time(ran.first_ns if ran else None), number(ran.later if ran else None)))
    return rows, None


def _data(facts: Facts) -> tuple[list[Row], Row | None]:
    known = facts(data)
    rows: list[Row] = [(words(plain_name(one.name)), words(one.transformation), time(one.ns)) for one in (known.functions if known else ())]
    if known and known.first_element_ns is not None:
        rows.insert(0, (Cell("waiting for the first element"), Cell(""), time(known.first_element_ns)))
    return rows, None


def _peers(facts: Facts) -> tuple[list[Row], Row | None]:
    return [(words(one.name), number(one.times), time(one.ns), time(one.elsewhere_ns)) for one in facts(network) or ()], None


def _processes(facts: Facts) -> tuple[list[Row], Row | None]:
    start = facts.trace.spawned[0]
    return [(number(one.pid), words(" ".join(one.command)), time(one.began - start), time(one.own_ready_ns), words(one.end),
             Cell("yes" if one.on_path else "")) for one in facts(processes)], None


TABLES: tuple[tuple[str, str, str, Callable[[Facts], tuple[list[Row], Row | None]], bool], ...] = (
    ("functions", "Functions traced", "function|line|#traces|#tracing|#with all within|#and its traces|#operations|why", _functions, True),
    ("variables", "Variables", "name|shape|type|#bytes|#took|initialiser|while tracing", _variables, True),
    ("weights", "Models, weights and checkpoints", "what|file|format|#bytes|#took|#reading|#speed", _weights, True),
    ("sessions", "Sessions", "session|#making|#nodes|#handed over again|#that took|#first runs|#they took", _sessions, True),
    ("loops", "Sessions, initialisations and models, by line", "what|line|#times|#own|#rounds|#nodes|#memory", _loops, False),
    ("graphs", "Graphs: optimised, compiled, run", "function|#optimising|#compiling|#first run|#later runs", _graphs, False),
    ("data", "Input pipelines", "function|transformation|#took", _data, False),
    ("packages", "Imports by package", "package|#modules|#own|#libraries|#compiling|#collecting|#other|#together", _packages, False),
    ("libraries", "Native libraries", "library|#took|#mapped|module|by", _libraries, False),
    ("peers", "Waiting for the outside", "peer|#times|#main thread|#other threads", _peers, False),
    ("processes", "Processes", "#pid|command|#began at|#ready after|ended|on the critical path", _processes, False),
)
"""(id, title, headings with # before those of numbers, rows and total, whether an empty one is said to be empty)"""


def tables(facts: Facts, most: int) -> Iterable[PageTable]:
    """Every table that there is something to say of, at most so many rows of each."""
    for name, title, headings, make, always in TABLES:
        rows, total = make(facts)
        if rows or always:
            columns = tuple((heading.lstrip("#"), heading.startswith("#")) for heading in headings.split("|"))
            more = (f"{count(len(rows) - most, 'more row')} left out here",) if len(rows) > most else ()
            yield PageTable(name, title, columns, tuple(rows[:most]), total if rows else None, more if rows else (NOTHING,))
