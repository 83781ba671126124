"""Finished graphs are optimised and instantiated before they run.

Symptom: after tracing, the first call still takes long, on one CPU.

Why: Grappler simplifies the graph in several passes, and the runtime places and instantiates every operation of it. It
happens for each function, in each process.

Confirmed by: the CPU time of the calling thread in each function's first call; a session's extension of its graph.

Remedy: boost keeps the optimised graph. By hand: a smaller graph.

Source: `tensorflow/core/grappler/optimizers/meta_optimizer.cc`; the second and the fifth document.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.graph_work import graph_work
from firststep.analyse.partition import partition
from firststep.analyse.spans import spans, spans_by_kind
from firststep.causes._replayed import TOO_LARGE, is_too_large, optimised_in_vain
from firststep.causes._sessions import by_sessions
from firststep.causes._stretches import of_phases, of_spans, outside, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration, longest_name, plain_name

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (graph_work, partition, spans_by_kind)
REMEDIES = ("cache-functions",)
SHARE = (0.5, 0.95)
SLOW_NS = 50_000_000


def find(given: Facts) -> Found | None:
    cuts = of_phases(given, phases.OPTIMISATION, share=SHARE)
    work = given(graph_work)
    if time_in(cuts) < SLOW_NS or not work:
        return None
    sessions = by_sessions(given)
    times = count(len(spans(given, "graph-optimise")), "first run") if sessions else count(len(work), "function")
    most = longest_name((one.name, one.optimise_ns) for one in work) if len(work) > 1 else plain_name(work[0].name)
    if sum(one.optimise_ns for one in work) > time_in(cuts):  # on several threads at once
        most = f"most in {plain_name(max(work, key=lambda one: one.optimise_ns).name)}"
    kept = () if sessions else outside(cuts, of_spans(optimised_in_vain(given)))
    smaller = "a smaller graph, and one session for it" if len(spans(given, "session-create")) > 1 else "a smaller graph: fewer operations"
    do = smaller if sessions else "boost keeps the optimised graph" if kept else _by_hand(given)
    return Found("Grappler and instantiation", Evidence(f"{times} in {duration(time_in(cuts))}, {most}"),
                 do, "high", kept or cuts, remedies=None if kept else ())


def _by_hand(given: Facts) -> str:
    """Where boost keeps none of them."""
    return TOO_LARGE if any(map(is_too_large, spans(given, "trace"))) else "fewer functions: boost keeps none that is so small"
