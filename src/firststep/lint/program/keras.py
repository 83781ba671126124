"""Calls that build Keras models, and what is known of the models that they build."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.functions import definition_of, derives, is_cached, only_binding
from firststep.lint.program.tree import DEFERRED, FUNCTIONS
from firststep.lint.program.values import argument

MODELS = ("keras.Sequential", "keras.Model", "keras.models.clone_model", "keras.models.load_model", "keras.models.model_from_json")
INPUTS = ("keras.Input", "keras.layers.Input", "keras.layers.InputLayer")
SHAPES = {"input_shape", "batch_input_shape", "input_dim", "batch_shape"}  # keywords of a first layer
HAVE_INPUT = ("keras.models.load_model", "keras.models.model_from_json", "keras.models.clone_model")  # as what they are made from
FOLLOWED = 3  # functions that return what another one builds


def is_application(program: Program, call: ast.Call) -> bool:
    """`keras.applications.ResNet50(...)`, by whatever path."""
    name = program.name(call.func) or ""
    return name.startswith("keras.applications.") and name.split(".")[-1][:1].isupper()


def builds_model(program: Program, call: ast.AST | None, deep: int = FOLLOWED) -> bool:
    """Whether a call makes a Keras model: a class of Keras or of this file, or a function of this file that returns one."""
    if not isinstance(call, ast.Call):
        return False
    if program.name(call.func) in MODELS or is_application(program, call):
        return True
    binding = only_binding(call.func)
    if binding and isinstance(binding.node, ast.ClassDef):
        return derives(program, binding.node, ("keras.Model", "keras.Sequential"))
    definition = definition_of(program, call.func) if deep else None
    if not isinstance(definition, FUNCTIONS) or is_cached(program, definition):
        return False
    values = returned(definition)
    return any(builds_model(program, value, deep - 1) for value in values) and not any(map(_is_taken_out, values))


def _is_taken_out(value: ast.expr) -> bool:
    """`models[name]`, `models.get(name)`, or what a global or an object holds: the same as was given before."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return value.func.attr in ("get", "setdefault", "pop")
    return isinstance(value, (ast.Subscript, ast.Attribute, ast.Name))


def returned(definition: ast.AST) -> list[ast.expr]:
    """What a function returns, names followed to what they were bound to in it."""
    found: list[ast.expr] = []
    for node in own_nodes(definition):
        if isinstance(node, ast.Return) and node.value is not None:
            value: ast.expr = node.value
            bindings = value.scope.names.get(value.id, []) if isinstance(value, ast.Name) else []  # type: ignore[attr-defined]
            found.extend([binding.value for binding in bindings if binding.value is not None] or [value])
    return found


def own_nodes(definition: ast.AST) -> list[ast.AST]:
    """The nodes of a function, without those of functions within it."""
    found: list[ast.AST] = []
    todo = list(ast.iter_child_nodes(definition))
    while todo:
        node = todo.pop()
        found.append(node)
        if not isinstance(node, DEFERRED):
            todo.extend(ast.iter_child_nodes(node))
    return found


def is_built(program: Program, call: ast.AST | None) -> bool:
    """Whether the model that a call makes has its variables at once: its input is known."""
    if not isinstance(call, ast.Call):
        return False
    name = program.name(call.func)
    if name == "keras.Model":
        return bool(argument(call, 0, "inputs") is not None and argument(call, 1, "outputs") is not None)
    if name == "keras.Sequential":
        layers = argument(call, 0, "layers")
        first = layers.elts[0] if isinstance(layers, (ast.List, ast.Tuple)) and layers.elts else None
        if not isinstance(first, ast.Call):
            return False
        given = {keyword.arg for keyword in first.keywords}
        return program.name(first.func) in INPUTS or "input_shape" in given
    return is_application(program, call)


def says_shape(program: Program, call: ast.Call) -> bool:
    """Whether a call says the shape of a model's input."""
    return program.name(call.func) in INPUTS or any(keyword.arg in SHAPES for keyword in call.keywords)


def declares_input(program: Program, call: ast.Call, deep: int = FOLLOWED) -> bool:
    """Whether a model gets the shape of its input where this makes it, and not from the first data that it sees."""
    if program.name(call.func) in HAVE_INPUT or is_application(program, call) or is_built(program, call):
        return True
    binding = only_binding(call.func)
    made_in = binding.node if binding and isinstance(binding.node, ast.ClassDef) else definition_of(program, call.func)
    if made_in is None or not deep:
        return any(says_shape(program, inner) for inner in program.calls_in(call))
    inside = [inner for inner in program.calls_in(made_in) if inner is not call]
    return any(says_shape(program, inner) or declares_input(program, inner, deep - 1) for inner in inside)
