"""The same model is built in every round of a loop.

Symptom: each round begins with a pause as long as the program's own start, and memory grows.

Why: a new model is new layers, new variables, new initial values and new `tf.function` objects: it is built, its
training step is traced and its graph optimised again, although the model is the same as in the round before.

Confirmed by: `firststep record`, which shows models, milliseconds and memory per round. In source, a model that is made
and then trained or asked in the same loop, from nothing that changes from round to round; and one that is made before the
loop and compiled in each round, with the same arguments, before it is trained or asked. Where a function of the file makes
it, that function counts: what it does with its arguments and with globals, but for what it prints and how it names layers.
Loops over different models (other sizes, classes, files, seeds or settings of `compile`, sizes drawn at random) and models
that are kept, or loaded where a round has saved them, are left alone; so is a `compile` in a round that gives the model other
weights, or changes what is trained. A model whose input is nowhere declared takes its size from the first data: it counts
where these are the same, or rows of the same, as `x[train]`, in all rounds. Nor is anything said where a layer is adapted
to the round's data, where the loop ends with the first model that is good, or where rounds that train with the same data
keep or compare what comes of each, or average what their models predict: they differ by their first weights alone.

Remedy: build the model once, keep its first weights with `get_weights()` and give them back with `set_weights()`, with
a new optimizer state where rounds must be independent; where each round needs a new one, call
`keras.backend.clear_session()` first. Compile before the loop.

Source: the documentation of `keras.utils.clear_session`; the document "Why does initializing TensorFlow graph variables
repeatedly become progressively slower?".

Fix: none; a model that is built once has other random initial values in later rounds.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program
from firststep.lint.program.changes import gives_another_result, is_decisive
from firststep.lint.program.functions import mentioned, stands_in, value_of
from firststep.lint.program.keras import builds_model, declares_input, says_shape
from firststep.lint.program.repetition import Repetition, ends_when_good, given_to, is_kept, repetition
from firststep.lint.program.restarts import restarts
from firststep.lint.program.rows import only_rows_differ
from firststep.lint.program.sessions import has_fresh_graph, region
from firststep.lint.program.tree import DEFERRED
from firststep.lint.program.trials import ASKED, data_given, is_for_chance

WORDS = (".fit", ".train_on_batch(", ".predict", ".evaluate(", ".compile(")
LOADS = "keras.models.load_model"
SEEDS = ("keras.utils.set_random_seed", "tensorflow.random.set_seed", "tensorflow.set_random_seed")
SETS = ("adapt", "set_vocabulary", "set_weights", "assign")  # methods that give a layer its values
USED = (*ASKED, "compile")


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.tree.calls:
        held = given_to(call)  # asked first, as cheap: few calls are given to a name
        if (held or _is_asked_at_once(call)) and builds_model(program, call) and _is_made_again(program, call, held):
            again = "loaded" if program.name(call.func) == LOADS else "built"
            yield program.finding(__name__, call, f"the same model is {again} in every round, and traced and optimised again",
                                  "make it once before the loop and give it back its first weights")
    for call in program.method_calls("compile"):
        if _is_compiled_again(program, call):
            yield program.finding(__name__, call, "the same model is compiled in every round, and its steps are traced and optimised again",
                                  "compile it once before the loop")


def _is_made_again(program: Program, call: ast.Call, held: list[ast.Name]) -> bool:
    """Whether the same model is made in each round, and trained or asked in the code that makes it."""
    if not _is_asked_at_once(call) and not any(_asked(program, name, USED) for name in held):
        return False
    repeated = repetition(program, call)
    if repeated is None or is_kept(program, call) or has_fresh_graph(program, call, repeated) or ends_when_good(program, call, repeated):
        return False
    if _differs(program, call, repeated):
        return False
    return program.name(call.func) == LOADS or not is_for_chance(program, call, {name.id for name in held}, repeated)


def _differs(program: Program, call: ast.Call, repeated: Repetition) -> bool:
    """Whether the rounds' models are different ones: what makes them depends on what changes, or on chance."""
    if gives_another_result(program, call, repeated.changing) or _is_seeded_anew(program, call, repeated):
        return True
    around = repeated.loop if repeated.call is None else call.scope.node  # type: ignore[attr-defined]
    names, loads = {name.id for name in given_to(call)}, program.name(call.func) == LOADS
    if _layer_is_set(program, around, names, repeated) or _takes_other_shapes(program, call, around, names, repeated):
        return True
    return any(_is_another(program, node, names, repeated) or (loads and getattr(node.func, "attr", "") == "save")
               for node in program.calls_in(around))


def _is_another(program: Program, call: ast.Call, models: set[str], repeated: Repetition) -> bool:
    """Whether a call makes a layer of what changes, adds one to the model, or compiles it with it; also one that not all rounds make."""
    changes = isinstance(call.func, ast.Attribute) and call.func.attr in ("add", "compile") and bool(mentioned(call.func.value) & models)
    if not changes and not (program.name(call.func) or "").startswith("keras.layers."):
        return False
    if _asked_around(call, repeated.loop) & repeated.changing:
        return True
    return any(is_decisive(program, one, repeated.changing) for one in [*call.args, *call.keywords])


def _layer_is_set(program: Program, around: ast.AST, models: set[str], repeated: Repetition) -> bool:
    """Whether a round gives something other than the model, as one of its layers, values by what changes: `norm.adapt(x[train])`."""
    return any(isinstance(call.func, ast.Attribute) and call.func.attr in SETS and not mentioned(call.func.value) & models
               and any(mentioned(one) & repeated.changing for one in [*call.args, *call.keywords])
               for call in program.calls_in(around))


def _takes_other_shapes(program: Program, made: ast.Call, around: ast.AST, models: set[str], repeated: Repetition) -> bool:
    """Whether the model may get another input size in each round: it takes that from the first data, and these may have another shape."""
    if declares_input(program, made) or any(says_shape(program, call) for call in program.calls_in(around)):
        return False
    data = [one for call in program.calls_in(around) for one in data_given(program, call, made, models)]
    return not all(only_rows_differ(program, one, repeated) for one in data)


def _asked_around(call: ast.Call, loop: ast.AST) -> set[str]:
    """What decides, within the loop and the call's function, whether and how often the call is made."""
    found: set[str] = set()
    above = call.up  # type: ignore[attr-defined]
    while above is not None and above is not loop and not isinstance(above, DEFERRED):
        if isinstance(above, (ast.If, ast.IfExp, ast.While)):
            found |= mentioned(above.test)
        elif isinstance(above, (ast.For, ast.comprehension)):
            found |= mentioned(above.iter)
        above = above.up
    return found


def _is_seeded_anew(program: Program, made: ast.Call, repeated: Repetition) -> bool:
    """Whether each round has random numbers of its own: then it wants a model with other first weights."""
    seeds = [call for around in region(made, repeated) for call in program.calls_in(around) if program.name(call.func) in SEEDS]
    return any(mentioned(argument) & repeated.changing for call in seeds for argument in call.args)


def _is_asked_at_once(made: ast.Call) -> bool:
    """`build().fit(...)`."""
    above = made.up  # type: ignore[attr-defined]
    above = above.up if isinstance(above, ast.NamedExpr) else above  # type: ignore[attr-defined]
    return isinstance(above, ast.Attribute) and above.attr in USED and isinstance(above.up, ast.Call)  # type: ignore[attr-defined]


def _asked(program: Program, model: ast.Name, methods: tuple[str, ...]) -> list[ast.Name]:
    """Where a method of these is taken of what a name stands for."""
    return program.remembered((model.scope.owner(model.id), model.id, methods), lambda: [  # type: ignore[attr-defined]
        use for use in program.same_name(model) if getattr(use.up, "attr", "") in methods])  # type: ignore[attr-defined]


def _is_compiled_again(program: Program, call: ast.Call) -> bool:
    """Whether a model that is made before the loop is compiled as before, and then used, in each round."""
    model = call.func.value  # type: ignore[attr-defined]
    if not isinstance(model, ast.Name) or not builds_model(program, value_of(model)):
        return False
    repeated = repetition(program, call)
    if repeated is None or repeated.call is not None or model.id in repeated.assigned:
        return False
    if not any(stands_in(use, repeated.loop) for use in _asked(program, model, ASKED)) or restarts(program, repeated.loop, model.id):
        return False
    return not gives_another_result(program, call, repeated.changing)
