"""The same model is built in every round of a loop.

Symptom: each round begins with a pause as long as the program's own start, and memory grows.

Why: a new model is new layers, new variables, new initial values and new `tf.function` objects: it is built, its
training step is traced and its graph optimised again, although the model is the same as in the round before.

Confirmed by: `firststep record`, which shows models, milliseconds and memory per round. In source, a model that is made
and then trained or asked in the same loop, from nothing that changes from round to round. Loops over different models
(other sizes, other classes, other files, other seeds) and models that are kept are left alone.

Remedy: build the model once, keep its first weights with `get_weights()` and give them back with `set_weights()`, with
a new optimizer state where rounds must be independent; where each round needs a new one, call
`keras.backend.clear_session()` first.

Source: the documentation of `keras.utils.clear_session`; the document "Why does initializing TensorFlow graph variables
repeatedly become progressively slower?".

Fix: none; a model that is built once has other random initial values in later rounds.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program
from firststep.lint.program.functions import mentioned
from firststep.lint.program.keras import MODELS, builds_model
from firststep.lint.program.repetition import Repetition, is_kept, repetition
from firststep.lint.program.sessions import has_fresh_graph, region

WORDS = (".fit", ".train_on_batch(", ".predict", ".evaluate(", ".compile(")
SEEDS = ("keras.utils.set_random_seed", "tensorflow.random.set_seed", "tensorflow.set_random_seed")
USED = ("fit", "fit_generator", "train_on_batch", "predict", "evaluate", "compile", "predict_on_batch")


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.tree.calls:
        above = call.up  # type: ignore[attr-defined]
        if not isinstance(above, ast.Assign) or not isinstance(above.targets[0], ast.Name) or not builds_model(program, call):
            continue
        repeated = repetition(program, call)
        if repeated is None or is_kept(call) or has_fresh_graph(program, call, repeated):
            continue
        if _differs(program, call, repeated) or not _is_used(above.targets[0]):
            continue
        again = "loaded" if program.name(call.func) == "keras.models.load_model" else "built"
        yield program.finding(__name__, call, f"the same model is {again} in every round, and traced and optimised again",
                              "make it once before the loop and give it back its first weights")


def _differs(program: Program, call: ast.Call, repeated: Repetition) -> bool:
    """Whether the rounds' models are different ones: what makes them depends on what changes."""
    used = {name for argument in [*call.args, *call.keywords] for name in mentioned(argument)} | mentioned(call.func)
    if used & repeated.changing or _is_seeded_anew(program, call, repeated):
        return True
    if program.name(call.func) not in MODELS:
        return False
    around = [repeated.loop] if repeated.call is None else [call.scope.node]  # type: ignore[attr-defined]
    for node in (inner for one in around for inner in ast.walk(one)):
        if not isinstance(node, ast.Call):
            continue
        is_layer = (program.name(node.func) or "").startswith("keras.layers.")
        given = {name for argument in [*node.args, *node.keywords] for name in mentioned(argument)}
        if (is_layer or getattr(node.func, "attr", "") == "add") and given & repeated.changing:
            return True
    return False


def _is_seeded_anew(program: Program, made: ast.Call, repeated: Repetition) -> bool:
    """Whether each round has random numbers of its own: then it wants a model with other first weights."""
    seeds = [node for around in region(made, repeated) for node in ast.walk(around)
             if isinstance(node, ast.Call) and program.name(node.func) in SEEDS]
    return any(mentioned(argument) & repeated.changing for call in seeds for argument in call.args)


def _is_used(target: ast.Name) -> bool:
    """Whether the model is trained or asked in the code that makes it."""
    for node in ast.walk(target.scope.node):  # type: ignore[attr-defined]
        if isinstance(node, ast.Attribute) and node.attr in USED and isinstance(node.value, ast.Name) and node.value.id == target.id:
            return True
    return False
