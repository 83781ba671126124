"""Initial values are computed or loaded, and overwritten at once by loaded weights.

Symptom: building a model takes as long as loading it, although its own values are never used.

Why: Keras computes the initial value of every variable when a layer is built, and `weights="imagenet"` reads a file
(from the network at first) on top of it. `load_weights`, `set_weights`, or a `Saver.restore` after the initialiser, then
writes over all of it.

Confirmed by: `firststep record`, which shows initialisers whose value nobody read. In source: a model of
`keras.applications`, a loaded one or one with orthogonal initialisers (or large recurrent layers, which have them by
default), followed in the same block by `load_weights` or `set_weights` of all its weights before anything uses it, also
where a function of the file builds it and returns nothing else, and where an object keeps it; `global_variables_initializer`
run, then `restore` by a `Saver()` of all variables, behind which no call may make further ones. Loading `by_name` or with
`skip_mismatch` overwrites only a part, and is left alone; so is a model whose initial values are cheap.

Remedy: `weights=None` where a file follows; restore without running the initialiser; a cheap initialiser ("zeros") in
layers of one's own. Where `weights=None` stands already, no edit takes the initial values away: the finding says that
they are paid for.

Source: the document "Why does TensorFlow model initialization take so long?"; `tf.train.Saver.restore`'s documentation:
"variables … do not have to have been initialized".

Fix: `weights=None` for `weights="imagenet"`. Safe where the two build the same model (the initialisers run in both cases,
so random numbers stay the same), where the file, by its name, must hold all weights, and where no `try` or `with` goes on
if it cannot be loaded. None where a function builds the model: others may call it. EfficientNet, whose layers depend on
`weights`, is left alone. Taking out the run of the initialiser is unsafe: the checkpoint may lack a variable.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program
from firststep.lint.program.blocks import block_of, statement_of
from firststep.lint.program.functions import enclosing, value_of
from firststep.lint.program.initialisers import has_orthogonal
from firststep.lint.program.keras import is_application
from firststep.lint.program.overwritten import made_before, maker_of
from firststep.lint.program.savers import holds_all_variables
from firststep.lint.program.sessions import is_session
from firststep.lint.program.tree import DEFERRED
from firststep.lint.program.values import argument, ending

WORDS = ("load_weights", "set_weights", "restore")
PARTIAL = ("by_name", "skip_mismatch")
LOADS = ("load_weights", "set_weights")
WHOLE = (".h5", ".hdf5", ".keras")  # files that are refused where they lack weights of the model; a checkpoint is not
DEPENDS_ON_WEIGHTS = ("EfficientNet",)  # of keras.applications: other layers with "imagenet"
INITIALIZERS = ("tensorflow.global_variables_initializer", "tensorflow.initialize_all_variables")


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.method_calls(*LOADS):
        yield from _model(program, call)
    for call in program.method_calls("restore"):
        yield from _session(program, call)


def _model(program: Program, load: ast.Call) -> Iterator[LintFinding]:
    if any(one.arg in (*PARTIAL, None) for one in load.keywords):
        return
    made, layers = made_before(load)
    if made is None:
        return
    maker = maker_of(program, made)
    built, layers = (maker.made, [*layers, *maker.layers]) if maker else (made, layers)
    by = f", which `{ast.unparse(made.func)}` makes," if maker else ""
    how = load.func.attr  # type: ignore[attr-defined]
    name = program.name(built.func) or ""
    if is_application(program, built):
        yield from _application(program, made, built, load, by)
    elif name == "keras.models.load_model":
        yield program.finding(__name__, load, f"the weights that `load_model` has read are overwritten by `{how}`", "load one of the two")
    elif name in ("keras.Sequential", "keras.Model") and any(has_orthogonal(program, one) for one in layers):
        yield program.finding(__name__, made, f"orthogonal initial values{by} are computed and overwritten by `{how}`",
                              "use a cheap initialiser (\"zeros\") where weights are loaded anyway")


def _application(program: Program, made: ast.Call, built: ast.Call, load: ast.Call, by: str) -> Iterator[LintFinding]:
    """A model of `keras.applications`: `built`, which `made` gives, itself or by a function of the file."""
    weights = argument(built, None, "weights")
    if built.args or any(one.arg is None for one in built.keywords) or (weights is not None and not isinstance(weights, ast.Constant)):
        return
    literal = weights.value if isinstance(weights, ast.Constant) else "imagenet"
    what = "computed" if literal is None else "computed, then loaded from ImageNet's,"
    remedy = "`firststep record` shows what they cost" if literal is None else "pass `weights=None`"
    name = (program.name(built.func) or "").split(".")[-1]
    message = f"initial values of {name}{by} are {what} and overwritten by `{load.func.attr}`"  # type: ignore[attr-defined]
    fix = _without_imagenet(program, made, load) if made is built and literal == "imagenet" and weights is not None else None
    yield program.finding(__name__, made, message, remedy, fix)


def _without_imagenet(program: Program, made: ast.Call, load: ast.Call) -> Fix | None:
    if (program.name(made.func) or "").split(".")[-1].startswith(DEPENDS_ON_WEIGHTS):
        return None
    edit = edits.set_argument(program.position(made), program.place_after(made), "weights", "None")
    path = argument(load, 0, "filepath") if load.func.attr == "load_weights" else None  # type: ignore[attr-defined]
    whole = ending(program, path).endswith(WHOLE)
    caught = isinstance(enclosing(made, ast.Try, ast.With, ast.AsyncWith, *DEFERRED), (ast.Try, ast.With, ast.AsyncWith))
    return Fix("load no weights that are overwritten", edit, safe=whole and not caught)


def _session(program: Program, restore: ast.Call) -> Iterator[LintFinding]:
    """`sess.run(init)`, then `saver.restore(sess, path)` in the same block."""
    saver = value_of(restore.func.value)  # type: ignore[attr-defined]
    statement = restore.up  # type: ignore[attr-defined]
    if not isinstance(saver, ast.Call) or program.name(saver.func) != "tensorflow.train.Saver" or not isinstance(statement, ast.Expr):
        return
    if argument(saver, 0, "var_list") is not None or not holds_all_variables(program, saver, restore):
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
