"""A Keras model is made, and compiled or used, again in every round of a loop.

Symptom: a search over settings, or cross-validation, takes seconds for each small model, and more memory each time.

Why: every model is built, traced, optimised and instantiated anew, and what the models before it left stays in Keras's
global state until `keras.backend.clear_session()`.

Confirmed by: more than two models made at one line, compiled or followed by a trace before the next is made, and the time
from one to the next.

Remedy: build the model once and set its first weights again in each round; where each round needs another,
`tf.keras.backend.clear_session()`.

Source: keras-team/keras#2828; Keras's documentation of `clear_session`.
"""

from __future__ import annotations

from firststep.analyse.afterwards import late_spans
from firststep.analyse.facts import Facts
from firststep.analyse.repeats import LOOP, models_made_and_used, repeats
from firststep.analyse.spans import spans_by_kind
from firststep.causes._loops import is_after_ready, later_rounds, most_repeated, of_rounds
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "sessions"
WATCHED = ("frameworks", "afterwards")
FACTS = (repeats, models_made_and_used, late_spans, spans_by_kind)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.1, 0.8)  # of a round: steps and data stay


def find(given: Facts) -> Found | None:
    loop, made = most_repeated(given, "model-compile"), "compiled"
    if loop is None:
        loop, made = max(given(models_made_and_used), key=lambda one: one.times, default=None), "made and used"
    if loop is None or loop.times < LOOP:
        return None
    rounds = sum(later_rounds(loop))
    return Found("anew in every round", Evidence(
        f"{loop.times} models {made}, {duration(rounds)} from the second on", loop.line),
        "build it once and reset its weights; else clear_session() each round", "high",
        cuts=of_rounds(loop, rounds * SHARE[0], rounds * SHARE[1]), after_ready=is_after_ready(given, loop))
