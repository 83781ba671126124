"""Graphs that hold large constants, and what the bytes cost."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.spans import Seen, spans
from firststep.causes._inlined import BACKWARD, graphs_of, holders, inside
from firststep.causes._stretches import a_share, joined, of_spans, outside, time_in
from firststep.model.findings import Cut

LARGE = 10_000_000  # bytes of one graph
COST_NS = (40, 150)  # of a byte, in the trace that makes the constant, and in an optimisation
CARRIED_NS = (3, 12)  # of a byte, in the trace of a function into which it is only copied
MOST = 0.95


def with_constants(given: Facts) -> list[Seen]:
    """The traces that made them."""
    return [one for one in spans(given, "trace") if one.on_main_thread and constants(one)[0] >= LARGE]


def constants(one: Seen) -> tuple[int, str]:
    """Their bytes, and the line of the largest."""
    held, line = one.span.labels.get("constants") or (0, "")
    return int(held), str(line)


def cuts_of_constants(given: Facts, traces: list[Seen]) -> tuple[Cut, ...]:
    """Their traces, those of the functions around them, and the optimisation of all graphs that hold the bytes. (No backward pass does:
    it is handed what it needs.)"""
    found = [cut for one in traces for cut in _cost(of_spans((one,)), constants(one)[0], COST_NS)]
    held = {name: constants(one)[0] for one, graphs in zip(traces, graphs_of(given, traces)) for name in graphs if BACKWARD not in name}
    for one, carried in _carriers(given, traces):
        held[str(one.span.labels.get("function", ""))] = carried
        found += _cost(outside(of_spans((one,)), joined(found)), carried, CARRIED_NS)
    optimised = [one for one in spans(given, "graph-optimise") if one.span.name in held]
    return tuple(sorted((*found, *(cut for one in optimised for cut in _cost(of_spans((one,)), held[one.span.name], COST_NS)))))


def _carriers(given: Facts, traces: list[Seen]) -> list[tuple[Seen, int]]:
    """The traces of functions around these, the inner ones first, with the bytes that came into each: of a later trace, that finds the
    inner function traced, as much as at most before."""
    of: dict[int, tuple[Seen, list[Seen]]] = {}
    for trace in traces:
        for one in holders(given, trace):
            of.setdefault(id(one), (one, []))[1].append(trace)
    found = []
    for one, held in of.values():
        within = {id(each) for each in inside(given, one)}
        here = sum(constants(each)[0] for each in traces if id(each) in within)
        found.append((one, here or max(constants(each)[0] for each in held)))
    return sorted(found, key=lambda each: each[0].span.end - each[0].span.start)


def _cost(cuts: tuple[Cut, ...], held: int, cost_ns: tuple[int, int]) -> tuple[Cut, ...]:
    """What the bytes cost of some stretches, at least and at most."""
    took = max(1, time_in(cuts))
    low, high = (min(MOST, held * cost / took) for cost in cost_ns)
    return a_share((low, high), cuts)
