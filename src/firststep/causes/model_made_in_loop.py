"""A Keras model is made and compiled again in every round of a loop.

Symptom: a search over settings, or cross-validation, takes seconds for each small model, and more memory each time.

Why: every model is built, traced, optimised and instantiated anew, and what the models before it left stays in Keras's
global state until `keras.backend.clear_session()`.

Confirmed by: more than two models made at one line, and the time from one to the next.

Remedy: build the model once and set its first weights again in each round; where each round needs another,
`tf.keras.backend.clear_session()`.

Source: keras-team/keras#2828; Keras's documentation of `clear_session`.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.repeats import repeats
from firststep.causes._loops import between, is_after_ready, later_rounds, most_repeated
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "sessions"
WATCHED = ("frameworks", "afterwards")
FACTS = (repeats,)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.1, 0.8)  # of a round: steps and data stay


def find(given: Facts) -> Found | None:
    loop = most_repeated(given, "model-compile")
    if loop is None:
        return None
    rounds = sum(later_rounds(loop))
    return Found("compiled anew in every round", Evidence(
        f"{loop.times} models compiled, {duration(rounds)} from the second on", loop.line),
        "build it once and reset its weights; else clear_session() each round", "high",
        gain=between(rounds * SHARE[0], rounds * SHARE[1]), after_ready=is_after_ready(given, loop))
