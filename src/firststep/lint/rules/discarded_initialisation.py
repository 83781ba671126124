"""Initial values are computed or loaded, and overwritten at once by loaded weights.

Symptom: building a model takes as long as loading it, although its own values are never used.

Why: Keras computes the initial value of every variable when a layer is built, and `weights="imagenet"` reads a file
(from the network at first) on top of it. `load_weights`, or a `Saver.restore` after the initialiser, then writes over
all of it.

Confirmed by: `firststep record`, which shows initialisers whose value nobody read. In source: a model of
`keras.applications`, a loaded one or one with orthogonal initialisers, followed in the same block by `load_weights` of
all its weights before anything uses it; `global_variables_initializer` run, then `restore` by a `Saver()` of all
variables. Loading `by_name` or with `skip_mismatch` overwrites only a part, and is left alone.

Remedy: `weights=None` where a file follows; restore without running the initialiser; a cheap initialiser ("zeros") in
layers of one's own. Where `weights=None` stands already, no edit takes the initial values away: the finding says that
they are paid for.

Source: the document "Why does TensorFlow model initialization take so long?"; `tf.train.Saver.restore`'s documentation:
"variables … do not have to have been initialized".

Fix: `weights=None` for `weights="imagenet"`. Safe where the two build the same model (the initialisers run in both cases,
so random numbers stay the same), where the file, by its name, must hold all weights, and where no `try` or `with` goes on
if it cannot be loaded. EfficientNet, whose layers depend on `weights`, is left alone. Taking out the run of the
initialiser is unsafe: the checkpoint may lack a variable.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program
from firststep.lint.program.blocks import block_of, statement_of
from firststep.lint.program.functions import enclosing, value_of
from firststep.lint.program.keras import is_application
from firststep.lint.program.sessions import is_session
from firststep.lint.program.tree import DEFERRED
from firststep.lint.program.values import argument, ending

WORDS = ("load_weights", "restore")
PARTIAL = ("by_name", "skip_mismatch")
HARMLESS = ("summary", "build", "compile")  # methods of a model that read none of its values
WHOLE = (".h5", ".hdf5", ".keras")  # files that are refused where they lack weights of the model; a checkpoint is not
DEPENDS_ON_WEIGHTS = ("EfficientNet",)  # of keras.applications: other layers with "imagenet"
INITIALIZERS = ("tensorflow.global_variables_initializer", "tensorflow.initialize_all_variables")


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.method_calls("load_weights"):
        yield from _model(program, call)
    for call in program.method_calls("restore"):
        yield from _session(program, call)


def _model(program: Program, load: ast.Call) -> Iterator[LintFinding]:
    target = load.func.value  # type: ignore[attr-defined]
    statement = load.up  # type: ignore[attr-defined]
    if not isinstance(target, ast.Name) or not isinstance(statement, ast.Expr) or any(one.arg in (*PARTIAL, None) for one in load.keywords):
        return
    made = _made_before(statement, target.id)
    if not isinstance(made, ast.Call):
        return
    name = program.name(made.func) or ""
    if is_application(program, made):
        if made.args or any(one.arg is None for one in made.keywords):
            return
        weights = argument(made, None, "weights")
        if weights is not None and not isinstance(weights, ast.Constant):
            return
        literal = weights.value if isinstance(weights, ast.Constant) else "imagenet"
        what = "computed" if literal is None else "computed, then loaded from ImageNet's,"
        remedy = "`firststep record` shows what they cost" if literal is None else "pass `weights=None`"
        message = f"initial values of {name.split('.')[-1]} are {what} and overwritten by `load_weights`"
        fix = _without_imagenet(program, made, load) if literal == "imagenet" and weights is not None else None
        yield program.finding(__name__, made, message, remedy, fix)
    elif name == "keras.models.load_model":
        yield program.finding(__name__, load, "the weights that `load_model` has read are overwritten by `load_weights`",
                              "load one of the two")
    elif _has_orthogonal(program, made):
        yield program.finding(__name__, made, "orthogonal initial values are computed and overwritten by `load_weights`",
                              "use a cheap initialiser (\"zeros\") where weights are loaded anyway")


def _made_before(statement: ast.stmt, name: str) -> ast.expr | None:
    """What a name was given in the same block, where nothing between there and here reads its values."""
    block = block_of(statement)
    for earlier in reversed(block[: block.index(statement)]):
        if isinstance(earlier, ast.Assign) and [getattr(target, "id", None) for target in earlier.targets] == [name]:
            return earlier.value
        for node in ast.walk(earlier):
            if isinstance(node, ast.Name) and node.id == name and not _is_harmless(earlier, node):
                return None
    return None


def _is_harmless(statement: ast.stmt, use: ast.Name) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    func = value.func if isinstance(value, ast.Call) else None
    return isinstance(func, ast.Attribute) and func.value is use and func.attr in HARMLESS


def _has_orthogonal(program: Program, made: ast.Call) -> bool:
    if program.name(made.func) != "keras.Sequential":
        return False
    values = (keyword.value for node in ast.walk(made) if isinstance(node, ast.Call) for keyword in node.keywords
              if keyword.arg and keyword.arg.endswith("initializer"))
    return any((isinstance(value, ast.Constant) and value.value == "orthogonal")
               or (program.name(getattr(value, "func", value)) or "").endswith("initializers.Orthogonal") for value in values)


def _without_imagenet(program: Program, made: ast.Call, load: ast.Call) -> Fix | None:
    if (program.name(made.func) or "").split(".")[-1].startswith(DEPENDS_ON_WEIGHTS):
        return None
    edit = edits.set_argument(program.position(made), program.place_after(made), "weights", "None")
    whole = ending(program, argument(load, 0, "filepath")).endswith(WHOLE)
    caught = isinstance(enclosing(made, ast.Try, ast.With, ast.AsyncWith, *DEFERRED), (ast.Try, ast.With, ast.AsyncWith))
    return Fix("load no weights that are overwritten", edit, safe=whole and not caught)


def _session(program: Program, restore: ast.Call) -> Iterator[LintFinding]:
    """`sess.run(init)`, then `saver.restore(sess, path)` in the same block."""
    saver = value_of(restore.func.value)  # type: ignore[attr-defined]
    statement = restore.up  # type: ignore[attr-defined]
    if not isinstance(saver, ast.Call) or program.name(saver.func) != "tensorflow.train.Saver" or not isinstance(statement, ast.Expr):
        return
    if argument(saver, 0, "var_list") is not None:
        return
    block = block_of(statement)
    for earlier in reversed(block[: block.index(statement)]):
        call = earlier.value if isinstance(earlier, ast.Expr) else None
        if isinstance(call, ast.Call) and _runs_initializer(program, call):
            fix = Fix("restore only", edits.remove_statement(program.position(earlier)))
            message = "initial values are computed and overwritten by `restore`"
            yield program.finding(__name__, call, message, "restore without initialising", fix)
            return
        if any(isinstance(node, ast.Call) for node in ast.walk(earlier)) and _runs(earlier):
            return


def _runs_initializer(program: Program, call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "run" or not call.args or not is_session(program, call.func.value):
        return False
    fetched = value_of(call.args[0])
    return isinstance(fetched, ast.Call) and program.name(fetched.func) in INITIALIZERS


def _runs(statement: ast.stmt) -> bool:
    """Whether a session runs something else in between: it may read the values, or initialise a part."""
    return any(isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("run", "eval")
               and statement_of(node) is statement for node in ast.walk(statement))
