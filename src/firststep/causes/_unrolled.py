"""Graphs that hold a Python loop round by round, and what they cost."""

from __future__ import annotations

from collections.abc import Iterable

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.spans import Seen, spans
from firststep.causes._inlined import BACKWARD, Graphs, graphs_of, holders, inside, operations
from firststep.causes._stretches import Share, of_phases_in, of_spans, without
from firststep.model.findings import Cut

SHARE = (0.5, 0.98)  # of its traces and of what comes of them: one round of the loop stays
EXECUTED = (0.0, 0.8)  # of its first run: the rounds are still computed, their operations are prepared once
ROUNDS = 50
OWN = "/tensorflow/python/eager/polymorphic_function/"  # its initialisers of lifted variables: an operation for each, and no loop
PART = 0.1  # of its graph; what is less is worth no loop
PER_ROUND = 0.05  # of all operations of the graph, where the part is not told: a round and its gradients have some twenty


def unrolled(given: Facts) -> list[Seen]:
    """The traces that unrolled a loop."""
    return [one for one in spans(given, "trace") if _is_unrolled(one)]


def _is_unrolled(one: Seen) -> bool:
    kind, times, place, *part = one.span.labels.get("repeated") or ("", 0, "")
    if OWN in str(one.span.labels.get("source", "")):
        return False
    much = part[0] >= PART if part else times >= operations(one) * PER_ROUND
    return bool(kind and place) and times >= ROUNDS and much


def _part(one: Seen) -> float:
    """Which part of its graph the loop has made."""
    _, _, _, *part = one.span.labels["repeated"]
    return float(part[0]) if part else 1.0


def cuts_of_unrolled(given: Facts, traces: list[Seen]) -> tuple[Cut, ...]:
    """Their traces, the construction of their gradients, and the optimisation, compilation and first runs of all graphs that hold
    them: of one that they are only a part of, as much as they are of its operations."""
    found: list[Cut] = []
    for trace, graphs in zip(traces, graphs_of(given, traces)):
        part = _part(trace)
        found += of_spans((trace, *_gradients(given, trace, graphs)), _of(SHARE, part))
        found += of_spans((one for one in spans(given, "function-register") if one.span.name in graphs), _of(SHARE, part))
        found += _of_graphs(given, graphs, part)
        for holder in holders(given, trace):
            ops = sum(graphs.values())
            others = sum(operations(one) for one in inside(given, holder) if one is not trace)
            found += _of_graphs(given, {str(holder.span.labels.get("function", "")): 0}, part * ops / max(1, ops + others))
    return tuple(sorted(found))


def _gradients(given: Facts, trace: Seen, graphs: Graphs) -> Iterable[Seen]:
    """The construction of a backward pass ends just before its graph is registered."""
    built = [one for one in spans(given, "gradients") if one.process is trace.process and one.span.start >= trace.span.end]
    for one in spans(given, "function-register"):
        if one.span.name in graphs and BACKWARD in one.span.name:
            before = [each for each in built if each.span.end <= one.span.start]
            yield from sorted(before, key=lambda each: each.span.end)[-1:]


def _of_graphs(given: Facts, graphs: Graphs, part: float) -> Iterable[Cut]:
    """What was done with graphs before their first runs, and in those. part: of each, that would go."""
    share, executed = _of(SHARE, part), _of(EXECUTED, part)
    prepared = of_spans((one for one in spans(given, "graph-optimise", "xla-compile") if one.span.name in graphs), share)
    runs = (one for one in spans(given, "first-call", "first-execution") if one.span.name in graphs)
    return (*prepared, *without(of_phases_in(given, (phases.EXECUTION,), runs, executed), prepared))


def _of(share: Share, part: float) -> Share:
    return share[0] * part, share[1] * part
