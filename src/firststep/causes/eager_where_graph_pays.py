"""A loop runs eagerly, operation by operation: that of the training, or one before it.

Symptom: the start is quick, and every step after it is slow; or seconds pass in a loop that makes a table or prepares data.

Why: without `tf.function` each operation goes through Python and the runtime by itself, in every step. A graph costs one
trace and is faster from then on.

Confirmed by: a training step whose gradients were computed outside of any function; before the first step, samples of one function of the
program's in operations, its own or a model's that it calls, that ran outside of one, which come back to the same operations over and over.

Remedy: `@tf.function` around a step of your own; where Keras makes the steps, no `run_eagerly=True` in `compile`, and no
`tf.config.run_functions_eagerly`. The first step takes longer, and some tens of steps pay for it: a program that ends after a few is
left as it is. A loop before the first step: whole tensors at once, NumPy, or `@tf.function` around it with `tf.range`; a model takes many
inputs in one call.

Source: the first document's third example and the fourth's.
"""

from __future__ import annotations

from firststep.analyse.afterwards import work_after_ready
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._eager_loops import longest_eager_loop
from firststep.causes._stretches import time_in
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import duration, plain_name

GROUP = "first run"
WATCHED = ("frameworks", "steps")
FACTS = (spans_by_kind, path, stack_lines, work_after_ready, partition)
REMEDIES: tuple[str, ...] = ()
OF_DATA = "Dataset_"  # functions of input pipelines are traced, whatever the steps are
OF_KERAS = ("fit", "train_on_batch")  # whose step it is, by what ended it
OF_OPERATIONS = "whole tensors at once, NumPy, or @tf.function around it"
OF_MODELS = "many inputs in one call, or @tf.function around it"
TRACE_NS = 200_000_000  # of CPU: what the trace of a small step costs; less than that came after the first step, and a graph costs more
SHARE = 0.8  # at most, of what came after the first step; how much of that was steps is not seen


def find(given: Facts) -> Found | None:
    return _steps(given) or _before(given)


def _before(given: Facts) -> Found | None:
    loop = longest_eager_loop(given)
    if loop is None:
        return None
    return Found("a loop runs op by op", Evidence(f"{duration(time_in(loop.cuts))} in its operations, outside any function", loop.line),
                 OF_MODELS if loop.of_models else OF_OPERATIONS, "medium", loop.cuts)


def _steps(given: Facts) -> Found | None:
    gradients = [one for one in spans(given, "first-execution") if one.span.name == "GradientTape.gradient"]
    ready = given.trace.ready
    if not gradients or ready is None or ready.kind != "train":
        return None
    if any(not plain_name(one.span.name).startswith(OF_DATA) for one in spans(given, "trace")):
        return None
    process, work = gradients[-1].process, given(work_after_ready)
    if process.has_ended and work is not None and work < TRACE_NS:  # while it still runs nobody knows
        return None
    end = max(ready.at, process.end[0]) if process.end and process.has_ended else ready.at
    took = sum(one.span.end - one.span.start for one in gradients)
    do = _asked_for(given) if ready.label in OF_KERAS else "@tf.function around the step: it pays after some tens"
    return Found("each step runs op by op", Evidence(f"gradients of the first step {duration(took)}, outside any function",
                                                     line_of(given, *gradients)),
                 do, "medium", cuts=(Cut(ready.at, end, 0.0, SHARE),), after_ready=end > ready.at, whatever_it_gains=True)


def _asked_for(given: Facts) -> str:
    """What made the steps of Keras run eagerly: compile, unless it was seen and did not."""
    compiled = spans(given, "model-compile")
    by_compile = not compiled or any(one.span.labels.get("run_eagerly") for one in compiled)
    return "take run_eagerly=True out" if by_compile else "take tf.config.run_functions_eagerly(True) out"
