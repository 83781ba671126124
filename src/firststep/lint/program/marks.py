"""What a trace does besides giving a graph: numbers that it draws, what it says, lists that it adds to. One trace less leaves that
undone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint.program import Program
from firststep.lint.program.functions import attribute_values, class_of, definition_of, only_binding, stands_in, value_of
from firststep.lint.program.imports import imports_only
from firststep.lint.program.purity import PURE, PURE_NAMES
from firststep.lint.program.reach import CALLED, HOLDERS, LIBRARIES, followed
from firststep.lint.program.tree import DEFERRED, FUNCTIONS, Deferred

# All that these do in Python is to give something: operations, layers, and what reckons. Anything else may leave a mark.
QUIET = (*PURE, "math.", "typing.", *(f"tensorflow.{name}" for name in (
    "nn.", "losses.", "dtypes.", "random.normal", "random.uniform", "random.stateless_", "random.truncated_normal", "clip_by_global_norm",
    "float", "int", "bool", "uint", "Tensor", "Variable", "function", "newaxis")), *(f"keras.{name}" for name in (
        "layers.", "losses.", "metrics.", "ops.", "activations.", "optimizers.", "initializers.", "regularizers.", "applications.",
        "Sequential", "Model", "Input")))
BUILTINS = {f"builtins.{name}" for name in (
    "abs bool dict enumerate float int isinstance len list max min range reversed round str sum super tuple type zip ValueError").split()}


def leaves_no_mark(program: Program, function: Deferred) -> bool:
    """Whether the source shows that a trace of the function, with all of the file's that it may pass (the layers', too), does nothing in
    Python that could be told afterwards."""
    if not imports_only(program, LIBRARIES):
        return False  # what comes from elsewhere may be a layer
    run = followed(program, [function, *_of_layers(program)])
    return all(_is_quiet(program, node, one) for one in run for node in _parts(program, one))


def _of_layers(program: Program) -> list[ast.AST]:
    """What runs where a layer of the file's is called, and what layers of Keras's are given to call."""
    methods = [node for node in program.tree.of(*FUNCTIONS) if node.name in CALLED]  # type: ignore[attr-defined]
    return [*methods, *program.calls("keras.layers.")]


def _parts(program: Program, around: ast.AST) -> Iterator[ast.AST]:
    """The nodes within one; a name with its modules, as `tf.nn.relu`, is one."""
    todo = [around]
    while todo:
        now = todo.pop()
        yield now
        if program.name(now if isinstance(now, ast.expr) else None) is None:
            todo += ast.iter_child_nodes(now)


def _is_quiet(program: Program, node: ast.AST, around: ast.AST) -> bool:
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        return isinstance(node, ast.Name) or _is_own(node.value, around)
    if isinstance(node, ast.Call):
        return _is_quiet_call(program, node, around)
    name = program.name(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
    return not isinstance(node, (ast.Global, ast.Nonlocal)) and (name is None or _gives_only(name))


def _gives_only(name: str) -> bool:
    return name in BUILTINS or name in PURE_NAMES or name.startswith(QUIET)


def _is_quiet_call(program: Program, call: ast.Call, around: ast.AST) -> bool:
    if program.name(call.func) is not None or definition_of(program, call.func) is not None or class_of(call.func) is not None:
        return True  # looked at where it is named, or followed
    if isinstance(call.func, ast.Attribute):
        of_list = call.func.attr in HOLDERS and _is_own(call.func.value, around)
        return of_list or _is_made_quietly(program, call.func.value) or _is_made_quietly(program, call.func)
    return _is_made_quietly(program, call.func)


def _is_made_quietly(program: Program, expression: ast.expr) -> bool:
    """Whether it is a class of the file, or only ever what one of these, or of those libraries that only give, has made."""
    binding = only_binding(expression)
    if binding is not None and binding.kind == "class":
        return True
    made = attribute_values(program, expression) if isinstance(expression, ast.Attribute) else [value_of(expression)]
    return bool(made) and all(isinstance(one, ast.Call) and _is_maker(program, one.func) for one in made)


def _is_maker(program: Program, expression: ast.expr) -> bool:
    binding = only_binding(expression)
    return _gives_only(program.name(expression) or "") or (binding is not None and binding.kind == "class")


def _is_own(holder: ast.expr, around: ast.AST) -> bool:
    """Whether what is changed is made in the function itself, and goes with its trace."""
    binding = only_binding(holder)
    if binding is None or binding.kind == "parameter" or not isinstance(around, DEFERRED):
        return False
    return isinstance(binding.value, (ast.List, ast.Dict, ast.Set, ast.ListComp)) and stands_in(binding.node, around)
