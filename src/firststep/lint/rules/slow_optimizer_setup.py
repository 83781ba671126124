"""An optimizer is made in every round of a loop over the same variables.

Symptom: every step of a loop of one's own is slower than the computation, and training goes on worse than it should.

Why: most optimizers keep one or two values more for each weight ("slots"), and make them when they are first applied. A
new optimizer has none: each round makes variables for the whole model again, and forgets what the rounds before it have
learned of the gradients.

Confirmed by: `firststep record`, which shows the milliseconds and the variables of the first round. In source, an
optimizer of Keras that is made in a loop, or in a function that a loop calls, from nothing that changes, and is applied
there to variables that are there before the loop. Nothing is said where a round begins anew (it gives the model other
weights, or changes what is trained), where the optimizer is kept or handed on, and of SGD without momentum, which has no
slots.

Remedy: make it once, before the loop.

Source: `tf.keras.optimizers.Optimizer.build`; the fifth document, "some optimizers require more complex calculations
during the initialization phase".

Fix: none; an optimizer that goes on from what it has learned takes other steps.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program
from firststep.lint.program.changes import gives_another_result
from firststep.lint.program.functions import mentioned
from firststep.lint.program.holders import made_of
from firststep.lint.program.optimizers import STEPS, changed_variables, has_slots
from firststep.lint.program.repetition import Repetition, is_kept, repetition
from firststep.lint.program.restarts import restarts
from firststep.lint.program.sessions import region

WORDS = ("apply_gradients", ".apply(", ".minimize(")


def check(program: Program) -> Iterator[LintFinding]:
    seen: set[ast.Call] = set()
    for step in program.method_calls(*STEPS):
        made = made_of(program, step.func.value)  # type: ignore[attr-defined]
        if made is None or made in seen or not has_slots(program, made):
            continue
        repeated = repetition(program, made)
        if repeated and not is_kept(program, made) and _is_for_the_same(program, made, step, repeated):
            seen.add(made)
            kind = (program.name(made.func) or "").rpartition(".")[2]
            yield program.finding(__name__, made, f"`{kind}` is made in every round: it makes its variables for the whole model again",
                                  "make it once, before the loop")


def _is_for_the_same(program: Program, made: ast.Call, step: ast.Call, repeated: Repetition) -> bool:
    """Whether each round's optimizer is the same, and is applied to variables that no round makes."""
    variables = changed_variables(step)
    names = mentioned(variables) if variables is not None else set()
    if not names or names & (repeated.changing | repeated.assigned) or repetition(program, step) is None:
        return False
    if gives_another_result(program, made, repeated.changing):
        return False
    return not any(restarts(program, around, name) for around in region(made, repeated) for name in names)
