"""Python functions are turned into graphs at every start.

Symptom: the first training step takes seconds, the second milliseconds.

Why: TensorFlow runs the Python code of the step once to record its operations, with their shapes and gradients: each costs
a fraction of a millisecond, and a training step of a deep model has ten thousand. The next process starts from nothing. Under a
distribution strategy that is done once for each replica: a small convolutional network has 1,220 operations without one, 2,388 with
two replicas, 4,766 with four.

Confirmed by: the time of the traces (of a graph that is built by hand, as TensorFlow 1's are, samples in which an operation is put
into it), without the variables that are made and the collections that run within them, which are other
causes'.

Remedy: boost keeps functions on disk that take 0.3 s and more to trace, but for those of a distribution strategy. By hand: fewer
layers, loops over `tf.range`, one function instead of many; fewer replicas while you try things.

Source: the first and the fifth document, "graph construction"; `tensorflow/python/eager/polymorphic_function`.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.graph_building import graph_building
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import spans, spans_by_kind
from firststep.analyse.tracing import tracing
from firststep.analyse.user_lines import programs_line
from firststep.causes._replayed import TOO_LARGE, is_around_the_programs, is_too_large, replayed, replicas
from firststep.causes._stretches import of_phases, of_phases_in
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import count, duration, plain_name

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (tracing, graph_building, partition, spans_by_kind, path)
REMEDIES = ("cache-functions",)
SHARE = (0.6, 0.95)  # of the tracing: functions that are kept; the look-up, and what cannot be kept, stay
OF_OPERATIONS = (0.0, 0.7)  # of a graph that is built by hand: what a smaller one saves
OF_REPLICAS = 0.5  # at least, of what all replicas but one are of the tracing


def find(given: Facts) -> Found | None:
    known = given(tracing)
    if known is None:
        return _by_hand(given)
    most, kept, own_ns = known.functions[0], replayed(given), given(partition).phases[phases.TRACING]
    many = replicas(given)
    size = f", {most.ops:,} operations" if most.ops else ", cut off" if _is_cut_off(given) else ""
    of_many = f" for {many} replicas" if many > 1 else ""
    share = (OF_REPLICAS * (1 - 1 / many), 1 - 1 / many) if many > 1 else SHARE
    return Found("functions traced to graphs", Evidence(
        f"{count(known.traces, 'trace')} in {duration(own_ns)}, most in {plain_name(most.name)}{size}{of_many}",
        programs_line(given, most.source)), _advice(given, most.source, bool(kept), many), "high",
        of_phases_in(given, (phases.TRACING,), kept, SHARE) if kept else of_phases(given, phases.TRACING, share=share),
        remedies=None if kept else ())


def _by_hand(given: Facts) -> Found | None:
    """Of a program that puts operation after operation into a graph of its own. What has a span, as gradients, is another cause's."""
    built = [one for one in given(graph_building) if one.called not in phases.PHASE_OF]
    if not built:
        return None
    most, whole = built[0], sum(one.ns for one in built)
    pieces = given(partition).by_phase.get(phases.TRACING, ())
    cuts = tuple(Cut(piece.start, piece.end, *OF_OPERATIONS) for piece in pieces if piece.verdict)
    return Found("a graph built by hand", Evidence(f"{duration(whole)} to put operations into it, most in {most.called}", most.line),
                 "fewer operations, or one tf.function: boost keeps its trace", "high", cuts, remedies=())


def _is_cut_off(given: Facts) -> bool:
    """Whether the program ended within a trace."""
    return any(not one.span.ended for one in spans(given, "trace"))


def _advice(given: Facts, source: str, kept: bool, many: int) -> str:
    if kept:
        return "boost keeps traced functions on disk"
    if many > 1:
        return "fewer replicas while you try things: each is traced by itself"
    if any(map(is_too_large, spans(given, "trace"))):
        return TOO_LARGE
    mine = not source or programs_line(given, source) or is_around_the_programs(source)
    return "fewer and smaller functions" if mine else "fewer layers: what a library traces grows with the model"
