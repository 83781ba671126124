"""A Keras model is made again and again: compiled or used in every round of a loop, or thrown away unused.

Symptom: a search over settings, or cross-validation, takes seconds for each small model, and more memory each time; or a program that has
one model takes three times as long to build it.

Why: every model is built, traced, optimised and instantiated anew, and what the models before it left stays in Keras's
global state until `keras.backend.clear_session()`. A function that makes a model makes another at each call, were it only for
`make_model().summary()`.

Confirmed by: more than two models made at one line, compiled or followed by a trace before the next is made; what of each round is seen
of that, and at most as much as the first one took. Not where they are known to differ in their variables, or in what their layers are
told to be; where Keras names each as if it were the first, the program
clears the session itself, and whether one model could serve all rounds is not known; it is likelier where earlier models were seen to be
thrown away than where all may be kept, as in an ensemble. Of models that nothing uses: more than two, and
more variables than all functions of the run together have read, by those of one model or more; of models that differ it is less sure that
they were not to be looked at.

Remedy: build the model once and set its first weights again in each round; load one that is read from a file once; where each round needs
another, `tf.keras.backend.clear_session()` keeps memory from growing, though a round may take longer with it. Keep what a function has
made, and ask that.

Source: keras-team/keras#2828; Keras's documentation of `clear_session`.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.afterwards import late_spans
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.repeats import LOOP, models_made_and_used, repeats
from firststep.analyse.spans import spans, spans_by_kind
from firststep.analyse.user_lines import line_between, stack_lines
from firststep.causes._loops import again, is_after_ready, later_rounds, most_repeated, of_rounds
from firststep.causes._models import are_cleared, differ, unused
from firststep.causes._stretches import time_in
from firststep.model.facts_frameworks import Repeat
from firststep.model.findings import Evidence, Found, Level
from firststep.model.words import duration

GROUP = "sessions"
WATCHED = ("frameworks", "afterwards")
FACTS = (repeats, models_made_and_used, late_spans, spans_by_kind, partition, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
KINDS = ("model-build", "model-compile", "variable", "initialiser", "trace", "graph-optimise", "xla-compile", "first-call")
PREPARED = (phases.MODEL, phases.VARIABLES, phases.TRACING, phases.OPTIMISATION, phases.COMPILE, phases.EXECUTION)
MOST = 0.8  # of a round: steps and data stay


def find(given: Facts) -> Found | None:
    loop, made = most_repeated(given, "model-compile"), "compiled"
    if loop is None:
        loop, made = max(given(models_made_and_used), key=lambda one: one.times, default=None), "made and used"
    if loop is None or loop.times < LOOP:
        return _thrown_away(given)
    if differ(given, loop):
        return None
    rounds, cleared = sum(later_rounds(loop)), are_cleared(loop)
    return Found("anew in every round", Evidence(
        f"{loop.times} models {made}, {duration(rounds)} from the second on", loop.line),
        _advice(given, loop, cleared), _confidence(loop, cleared),
        cuts=of_rounds(loop, *again(given, loop, KINDS, _first_ns(given, loop), MOST)), after_ready=is_after_ready(given, loop))


def _advice(given: Facts, loop: Repeat, cleared: bool) -> str:
    if any(line_between(given, one.process, one.span.start, one.span.end) == loop.line for one in spans(given, "model-load")):
        return "load it once, and keep it for all rounds"
    if cleared:
        return "one model whose weights are reset, if all are alike"
    return "build it once, and set its first weights again"


def _first_ns(given: Facts, loop: Repeat) -> int:
    """What the first model took that each later one takes again, as far as the start has it."""
    return sum(piece.end - piece.start for piece in given(partition).pieces if piece.phase in PREPARED and piece.start < loop.starts[1])


def _confidence(loop: Repeat, cleared: bool) -> Level:
    """What is known of whether one model could serve all rounds: all are needed where all are kept, as in an ensemble."""
    if cleared:
        return "low"
    return "high" if loop.gone else "medium"


def _thrown_away(given: Facts) -> Found | None:
    found = unused(given)
    if found is None:
        return None
    models, number = found.models, found.number
    what, do = ("several alike", "make it once, and keep it for all that asks it") if found.alike else (
        "several", "make those alone that are used")
    return Found(f"{what}, and not all used", Evidence(
        f"{models.times} models, {number} in vain, {duration(time_in(found.cuts))} from the first to the last", models.line),
        do, "medium" if found.alike else "low", found.cuts)
