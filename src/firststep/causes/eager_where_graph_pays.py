"""A training loop runs eagerly, operation by operation.

Symptom: the start is quick, and every step after it is slow.

Why: without `tf.function` each operation goes through Python and the runtime by itself, in every step. A graph costs one
trace and is faster from then on.

Confirmed by: a training step whose gradients were computed outside of any function.

Remedy: `@tf.function` around the step, or no `run_eagerly=True`: the first step takes longer, and some tens of steps pay for
it.

Source: the first document's third example and the fourth's.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.model.findings import Evidence, Found, Gain
from firststep.model.words import duration

GROUP = "first run"
WATCHED = ("frameworks", "steps")
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()


def find(given: Facts) -> Found | None:
    ready = given.trace.ready
    if ready is None or ready.kind != "train":
        return None
    gradients = [one for one in spans(given, "first-execution") if one.span.name == "GradientTape.gradient"]
    if not gradients or spans(given, "trace"):
        return None
    took = sum(one.span.end - one.span.start for one in gradients)
    return Found("each step runs op by op", Evidence(f"gradients of the first step {duration(took)}, outside any function",
                                                     line_of(given, *gradients)),
                 "@tf.function around the step pays after some tens of steps", "medium", gain=Gain(0, 0), whatever_it_gains=True)
