"""Rounds that trace somewhere else than the round before, and rounds that measure what tracing costs."""

from __future__ import annotations

import ast
import re

from firststep.lint.program import Program
from firststep.lint.program.functions import value_of
from firststep.lint.program.sessions import SESSIONS, names_called

PLACES = {"tensorflow.Graph", "tensorflow.reset_default_graph", "tensorflow.device", "tensorflow.colocate_with", *SESSIONS}
GO_IN = ("device", "scope", "as_default")  # methods of graphs, sessions and strategies that give what code goes into
CLOCKS = {f"time.{name}{unit}" for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time") for unit in ("", "_ns")}
CLOCKS |= {"datetime.datetime.now", "datetime.datetime.utcnow", "tensorflow.timestamp", "time.clock"}
MEASURES = ("timeit.", "cProfile.", "tracemalloc.", "resource.getrusage", "tensorflow.profiler.", "tensorflow.summary.trace_")

TIMERS = re.compile(r"timer|timeit|stopwatch|benchmark|profil", re.IGNORECASE)  # in the name of what is called: clocks of one's own


def has_place_of_its_own(program: Program, around: list[ast.AST]) -> bool:
    """Whether a round goes into a device, a graph, a session or the scope of a strategy: what is traced there is traced for it."""
    return any(program.remembered((one, "place of its own"), lambda one=one: _goes_somewhere(program, one))  # type: ignore[misc]
               for one in around)


def _goes_somewhere(program: Program, node: ast.AST) -> bool:
    return not PLACES.isdisjoint(names_called(program, node)) or any(_goes_in(program, call) for call in program.calls_in(node))


def _goes_in(program: Program, call: ast.Call) -> bool:
    """`graph.as_default()`, `strategy.scope()`; the writer of a summary has an `as_default` too, and is no place to trace in."""
    method = call.func
    if not isinstance(method, ast.Attribute) or method.attr not in GO_IN:
        return False
    held = value_of(method.value)
    made_by = program.name(held.func) or "" if isinstance(held, ast.Call) else ""
    return not made_by.startswith("tensorflow.summary.") and "writer" not in ast.unparse(method.value).lower()


def reads_clock(program: Program, around: ast.AST) -> bool:
    """Whether a clock, or another measure of work, is read within a node, or in a function of the file that it calls."""
    return program.remembered((around, "reads a clock"), lambda: _looks_at_clock(program, around))


def _looks_at_clock(program: Program, around: ast.AST) -> bool:
    if any(TIMERS.search(ast.unparse(call.func)) for call in program.calls_in(around)):
        return True
    return any(name in CLOCKS or name.startswith(MEASURES) for name in names_called(program, around))
