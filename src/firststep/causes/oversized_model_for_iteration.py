"""Most of the start grows with the model.

Symptom: each change of a line is followed by minutes of waiting before the first step shows whether it works.

Why: variables, weights, tracing and optimisation all grow with the number of layers, or of weights.

Confirmed by: the share of the start in the phases that grow with the model, and a model of twenty variables or a megabyte at least. What
has another reason is no part of it: what an input pipeline fills within the first step, graphs that hold an unrolled loop or a large
array, initial values of the program's own functions, XLA's compilation, which can be kept from start to start, and models, sessions and
initialisations that a loop makes again and again.

Remedy: try changes on fewer layers, smaller ones, or less data, and go back to the full model when they work.

Source: the third document's second example, "utilizing a smaller model for testing".
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.afterwards import late_spans
from firststep.analyse.data import data
from firststep.analyse.facts import Facts
from firststep.analyse.own_initial_values import own_values
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.repeats import repeats
from firststep.analyse.spans import spans_by_kind
from firststep.analyse.variables import variables
from firststep.causes._constants import cuts_of_constants, with_constants
from firststep.causes._first_batch import filled_in_the_first_step
from firststep.causes._loops import loops
from firststep.causes._models import unused
from firststep.causes._replayed import replayed
from firststep.causes._stretches import joined, of_own_values, of_phases, of_spans, outside, time_in, without
from firststep.causes._unrolled import cuts_of_unrolled, unrolled
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import count, duration, size

GROUP = "first run"
WATCHED = ("frameworks",)
FACTS = (data, late_spans, own_values, partition, path, repeats, spans_by_kind, variables)
REMEDIES: tuple[str, ...] = ()
GROW = (phases.MODEL, phases.VARIABLES, phases.WEIGHTS, phases.TRACING, phases.OPTIMISATION, phases.EXECUTION)
LEAST = 0.5  # of the start
LEAST_NS = 5_000_000_000
KEPT = 0.3  # of it that boost keeps: worth saying
FEW, SMALL = 20, 1_000_000  # variables, and bytes of them: a model of less has no layers to leave out
SHARE = (0.3, 0.8)  # with half of the layers, or a quarter


def find(given: Facts) -> Found | None:
    again = _made_again(given)
    cuts = outside(without(of_phases(given, *GROW, share=SHARE), filled_in_the_first_step(given)), _explained(given, again))
    whole = given(partition).wall_ns
    ready = given.trace.ready
    if ready is None or ready.kind != "train" or time_in(cuts) < max(LEAST_NS, whole * LEAST):
        return None
    known = given(variables)
    made = [one for one in known.variables if not any(loop.start <= one.start < loop.end for loop in again)] if known else []
    large = sum(one.bytes or 0 for one in made)
    if known and len(made) < FEW and large < SMALL:
        return None
    words = f", {count(len(made), 'variable')} of {size(large)}" if known else ""
    kept = time_in(of_spans(replayed(given))) >= time_in(cuts) * KEPT
    return Found("most grows with size", Evidence(f"{duration(time_in(cuts))} of {duration(whole)}{words}"),
                 "try changes on fewer layers" + ("; boost keeps the rest" if kept else ", or smaller ones"), "medium", cuts)


def _made_again(given: Facts) -> tuple[Cut, ...]:
    """Where models, sessions and initialisations were made that were replaced, or thrown away."""
    in_vain = unused(given)
    return (*loops(given), *((Cut(in_vain.models.starts[0], in_vain.models.starts[-1]),) if in_vain else ()))


def _explained(given: Facts, again: tuple[Cut, ...]) -> tuple[Cut, ...]:
    """What would go with an edit of a line, whatever the model's size. again: what was made for another to take its place."""
    values = of_own_values(given(own_values))
    return joined((*values, *again, *cuts_of_unrolled(given, unrolled(given)),
                   *cuts_of_constants(given, with_constants(given))))
