"""A `tf.function` is called with Python numbers that vary.

Symptom: steps that should take milliseconds take as long as the first; TensorFlow warns of "triggered tf.function
retracing".

Why: a tensor is described to a trace by its type and shape, a Python number by its value. Every new value is a new
trace: the Python code runs again, and gradients and optimised graph are built again. `reduce_retracing=True` does not
help, as it widens shapes, not values.

Confirmed by: `firststep record`, which says in what two traces of a function differ. In source, a call in a loop whose
argument is a counter of that loop, an element of a list of numbers or of NumPy's `tolist`, a random number or the time, a number that
each round computes from its own last value (a rate that decays), or is computed from one. Elements of a NumPy array, as of
`np.linspace`, are tensors to a trace and make no other one, unless `float(...)` or `.item()` makes Python's numbers of
them. Functions with an `input_signature` turn numbers into tensors and are left alone, as are those under a further decorator, and
all where `run_functions_eagerly(True)` stands. Nothing is said where the number comes to a few values (`i % 2`), or is one of
a few that are written out and says how often the function's own Python loop goes round (`range(depth)`), where a
condition on the counter picks out a few rounds, or where a `break` may end the loop before the counter has come far.

Remedy: pass `tf.constant(value)`, or a `tf.Variable` that is assigned, or give the function an `input_signature`. A number takes the
type of what it is computed with, a tensor has one of its own: beside float tensors, a whole number has to be `tf.constant(value, x.dtype)`.

Source: TensorFlow's guide "Better performance with tf.function", "Rules of tracing".

Fix: `tf.constant(...)` around the argument. Unsafe: what the function computed in Python's numbers it then computes in
int32 or float32 tensors. None where the source does not show that all that the function computes with the number has that type, or
where the number may be needed as Python's: as a shape, a list's index, or by another function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program
from firststep.lint.program.counts import rounds_of_while
from firststep.lint.program.elements import converted_element, is_of_few, number_targets
from firststep.lint.program.fewness import MANY, is_bounded, is_guarded, is_left_early
from firststep.lint.program.functions import GraphFunction, decorated, graph_function, is_traced, mentioned, wrapped
from firststep.lint.program.numbers import CONVERTS, KEEPS, is_drawn, is_number, stays_a_number
from firststep.lint.program.repetition import FEWEST, repetition
from firststep.lint.program.tree import DEFERRED
from firststep.lint.program.types import arguments_of, takes_tensor
from firststep.lint.program.values import argument, is_true

WORDS = (".function", "import function", "import *")
TENSOR = "pass a tensor: `tf.constant(...)`"
TYPED = "pass a tensor of the type that it is computed with: `tf.constant(..., dtype)`"
ROUNDS = "builtins.range"
EAGER = ("tensorflow.config.run_functions_eagerly", "tensorflow.config.experimental_run_functions_eagerly")


def check(program: Program) -> Iterator[LintFinding]:
    if any(is_true(argument(call, 0, "run_eagerly")) for call in program.calls(*EAGER)):
        return
    made = _names(program)
    for call in program.tree.calls:
        if getattr(call.func, "attr", getattr(call.func, "id", None)) not in made:
            continue
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        counters = _counters(program, call) if given else set()
        varying = [one for one in given if _varies(program, one, counters) and is_number(program, one, counters)]
        function = graph_function(program, call.func) if varying else None
        if function is None or "input_signature" in function.options or is_traced(program, call):
            continue
        if _is_decorated_again(program, function):
            continue
        called = getattr(function.definition, "name", ast.unparse(call.func))
        for one in varying:
            if is_of_few(one, MANY) and _is_structure(program, function, call, one):
                continue
            text, agrees = program.source(one), takes_tensor(program, function.definition, call, one)
            yield program.finding(__name__, one, f"`{called}` is traced again for every value of the Python number `{text}`",
                                  TENSOR if agrees else TYPED, _fix(program, one) if agrees else None)


def _is_structure(program: Program, function: GraphFunction, call: ast.Call, given: ast.expr) -> bool:
    """Whether a function goes round in Python as often as this argument says: each value is another graph on purpose."""
    arguments = arguments_of(function.definition, call) if function.definition is not None else {}
    parameter = next((one for one, value in arguments.items() if value is given), None)
    uses = program.meant(parameter.scope, parameter.arg) if parameter is not None else ()  # type: ignore[attr-defined]
    above = [use.up for use in uses]  # type: ignore[attr-defined]
    return any(isinstance(one, ast.Call) and program.name(one.func) == ROUNDS for one in above)


def _names(program: Program) -> set[str]:
    """What functions of `tf.function` are called in this file."""
    found = {node.name for node in program.tree.of(ast.FunctionDef) if decorated(program, node)}
    for node in program.tree.of(ast.Assign):
        if wrapped(program, node.value):
            found |= {getattr(target, "attr", getattr(target, "id", "")) for target in node.targets}
    return found


def _is_decorated_again(program: Program, function: GraphFunction) -> bool:
    """Whether another decorator stands above `tf.function`: it may make tensors of the numbers, or call it once."""
    decorators = getattr(function.definition, "decorator_list", [])
    return function.made in decorators and decorators[0] is not function.made


def _counters(program: Program, call: ast.Call) -> set[str]:
    """Names that hold another Python number in each round of the loops around a call."""
    found: set[str] = set()
    outermost: ast.AST | None = None
    below: ast.AST = call
    above = call.up  # type: ignore[attr-defined]
    while above is not None and not isinstance(above, DEFERRED):
        own: set[str] = set()
        if isinstance(above, (ast.For, ast.AsyncFor)) and below in above.body:
            own |= {name for name in number_targets(program, above.target, above.iter) if stays_a_number(program, call, name)}
        if isinstance(above, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            for generator in above.generators:
                own |= number_targets(program, generator.target, generator.iter)
        if isinstance(above, (ast.For, ast.AsyncFor, ast.While)):
            own |= program.remembered((above, "carried"), partial(_carried, program, above))
            outermost = above
        found |= own if own and _is_often(program, call, above, own) else set()
        below, above = above, above.up
    if outermost is None:
        return found
    key = (outermost, call.scope, frozenset(found), "computed")  # type: ignore[attr-defined]
    return program.remembered(key, partial(_computed_from, program, outermost, call.scope, found))  # type: ignore[attr-defined]


def _is_often(program: Program, call: ast.Call, loop: ast.AST, counters: set[str]) -> bool:
    """Whether the loop makes a call in more than a few of its rounds, as far as these numbers decide."""
    known = rounds_of_while(loop) if isinstance(loop, ast.While) else None
    if known is not None and known < FEWEST:
        return False
    return not is_left_early(program, loop, counters) and not is_guarded(program, call, loop, counters)


def _carried(program: Program, loop: ast.AST) -> set[str]:
    """Names and attributes that begin as a number and are computed anew from their own value in the loop."""
    names = (_computed_from_itself(node) for node in ast.walk(loop))
    return {name.id for name in names if name is not None and is_number(program, name)} | _carried_attributes(program, loop)


def _carried_attributes(program: Program, loop: ast.AST) -> set[str]:
    """As `self.n`, where every value that an attribute of that name is given in the file is a number, and no condition of the loop asks."""
    counted = {ast.unparse(node.target): node.target.attr for node in ast.walk(loop)
               if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute)}
    tests = [node.subject if isinstance(node, ast.Match) else node.test for node in ast.walk(loop)
             if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Match))]
    asked = {ast.unparse(part) for test in tests for part in ast.walk(test)}
    return {text for text, attribute in counted.items() if text not in asked and _holds_numbers(program, attribute)}


def _holds_numbers(program: Program, attribute: str) -> bool:
    given = [node.up for node in program.attributes[attribute] if isinstance(node.ctx, ast.Store)]  # type: ignore[attr-defined]
    plainly = [node for node in given if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.value]
    return (len(plainly) == len(given) and any(not isinstance(node, ast.AugAssign) for node in plainly)
            and all(node.value and is_number(program, node.value) for node in plainly))


def _computed_from_itself(node: ast.AST) -> ast.Name | None:
    """The name that `n += 1` or `n = 0.9 * n` binds."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return node.target
    name = _only_target(node)
    return name if name and isinstance(node.value, ast.BinOp) and name.id in mentioned(node.value) else None  # type: ignore[attr-defined]


def _computed_from(program: Program, loop: ast.AST, scope: object, counters: set[str]) -> set[str]:
    """The counters, and names to which the loop gives numbers that are computed from them."""
    found = set(counters)
    for node in ast.walk(loop):
        name = _only_target(node)
        if name and name.scope is scope and _varies(program, node.value, found) and is_number(program, name, found):  # type: ignore[attr-defined]
            found.add(name.id)
    return found


def _only_target(node: ast.AST) -> ast.Name | None:
    """The name of `name = value`."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0]
    return None


def _varies(program: Program, expression: ast.AST, counters: set[str]) -> bool:
    """Whether an expression, which is a number, is computed from a counter, or drawn in each round, and comes to more than a few values."""
    if is_bounded(program, expression):
        return False
    if isinstance(expression, (ast.Name, ast.Attribute)):
        return ast.unparse(expression) in counters
    if converted_element(program, expression) or (is_drawn(program, expression) and repetition(program, expression)):
        return True
    if isinstance(expression, ast.UnaryOp):
        return _varies(program, expression.operand, counters)
    if isinstance(expression, ast.BinOp):
        return any(_varies(program, side, counters) for side in (expression.left, expression.right))
    if isinstance(expression, ast.Call) and program.name(expression.func) in (*CONVERTS, *KEEPS):
        return any(_varies(program, one, counters) for one in expression.args)
    return False


def _fix(program: Program, given: ast.expr) -> Fix | None:
    bindings = given.scope.lookup("tf")  # type: ignore[attr-defined]
    if not any(binding.imported.startswith("tensorflow") for binding in bindings):
        return None
    edit = edits.replace(program.position(given), program.place_after(given), lambda code: f"tf.constant({code})")
    return Fix("pass a tensor", edit)
