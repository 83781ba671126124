"""An optimizer is made in every round of a loop over the same variables.

Symptom: every step of a loop of one's own is slower than the computation, and training goes on worse than it should.

Why: most optimizers keep one or two values more for each weight ("slots"), and make them when they are first applied. A
new optimizer has none: each round makes variables for the whole model again, and forgets what the rounds before it have
learned of the gradients.

Confirmed by: `firststep record`, which shows the milliseconds and the variables of the first round. In source, an
optimizer of Keras that is made in a loop, or in a function that a loop calls, from nothing that changes, and is applied
there to variables that are there before the loop. Nothing is said where a round begins anew (it gives the model other
weights, or changes what is trained), where a loop of steps within the round goes by what changes from round to round, as
another picture that the same variables are to come near (what is learned of one is wrong for the next), where the
optimizer is kept or handed on, and of SGD without momentum, which has no slots.

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
from firststep.lint.program.changes import LOOPS, gives_another_result, is_decisive, made_of_names, targets_of
from firststep.lint.program.functions import calls_of, enclosing, mentioned, stands_in
from firststep.lint.program.holders import made_of
from firststep.lint.program.optimizers import STEPS, changed_variables, has_slots
from firststep.lint.program.repetition import Repetition, is_kept, repetition
from firststep.lint.program.restarts import restarts
from firststep.lint.program.sessions import region
from firststep.lint.program.tree import COMPREHENSIONS, FUNCTIONS

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
    if gives_another_result(program, made, repeated.changing) or _has_aim_of_its_own(program, made, step, repeated):
        return False
    return not any(restarts(program, around, name) for around in region(made, repeated) for name in names)


def _has_aim_of_its_own(program: Program, made: ast.Call, step: ast.Call, repeated: Repetition) -> bool:
    """Whether a round takes many steps by what no other round has: each is a training of its own, though of the same variables."""
    around = region(made, repeated)[-1]
    function = enclosing(step, *FUNCTIONS)
    steps = [step, *(calls_of(program, function) if function is not None else [])]
    loops = program.remembered((around, "loops within"), lambda: [
        one for one in ast.walk(around) if isinstance(one, (*LOOPS, *COMPREHENSIONS)) and one is not around])
    inner = [one for one in loops if not stands_in(made, one) and any(stands_in(call, one) for call in steps)]
    names = {name for one in inner for name in _of_the_round(around, one, repeated)}
    called = [function] if inner and function is not None and not stands_in(made, function) else []
    return any(is_decisive(program, one, frozenset(made_of_names(program, one, made_of_names(program, around, names))))
               for one in [*inner, *called])


def _of_the_round(around: ast.AST, inner: ast.AST, repeated: Repetition) -> set[str]:
    """The names that differ from round to round as a round begins; not those that are other ones from step to step, or that are so
    unasked, as data that are shuffled."""
    if repeated.call is not None:
        return set(repeated.changing - _stored(around))
    return set(repeated.changing - _stored(inner)) if isinstance(repeated.loop, ast.While) else targets_of(repeated.loop)


def _stored(around: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(around) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
