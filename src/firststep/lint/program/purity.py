"""Functions of which the source shows that they compute the same whenever and however often they are traced."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.functions import made_by
from firststep.lint.program.tree import Deferred

# Operations of TensorFlow that give the same for the same arguments and change nothing.
PURE = ("tensorflow.math.", "tensorflow.linalg.", "tensorflow.image.", "tensorflow.io.decode", "tensorflow.io.parse", "tensorflow.strings.",
        "tensorflow.signal.", "tensorflow.bitwise.")
PURE_NAMES = {f"tensorflow.{name}" for name in (
    "abs add add_n argmax argmin boolean_mask broadcast_to cast clip_by_value clip_by_norm concat constant convert_to_tensor cos divide "
    "einsum equal exp expand_dims eye fill floor gather gather_nd greater greater_equal identity less less_equal linspace logical_and "
    "logical_not logical_or matmul maximum minimum multiply norm not_equal one_hot ones ones_like pad pow range rank reduce_all reduce_any "
    "reduce_max reduce_mean reduce_min reduce_prod reduce_sum repeat reshape reverse round shape sigmoid sign sin size slice sort split "
    "sqrt square squeeze stack stop_gradient subtract tanh tensordot tile transpose unstack where zeros zeros_like sparse.to_dense "
    "nn.relu nn.softmax nn.sigmoid nn.tanh nn.elu nn.gelu nn.log_softmax nn.l2_normalize nn.moments nn.bias_add nn.conv2d nn.max_pool2d "
    "nn.avg_pool2d GradientTape").split()}
OF_TENSORS = ("shape", "dtype")  # what may be read of an argument: an object's own attributes may have changed since the trace
RANDOM = ("random", "dropout", "sample_distorted")
PLAIN = (
    ast.Call, ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Slice, ast.Tuple,
    ast.List, ast.Dict, ast.keyword, ast.Assign, ast.Return, ast.Expr, ast.arguments, ast.arg, ast.Lambda, ast.FunctionDef,
    ast.expr_context, ast.operator, ast.unaryop, ast.cmpop,
)


def is_pure(program: Program, definition: Deferred) -> bool:
    """Whether a function is one of its arguments alone: straight-line code, known operations, nothing read from outside but
    modules and literals, nothing written."""
    local = {argument.arg for argument in ast.walk(definition.args) if isinstance(argument, ast.arg)}
    decorators = getattr(definition, "decorator_list", [])
    if any(made_by(program, decorator) is None for decorator in decorators):
        return False
    local |= {node.id for node in ast.walk(definition) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    outside = {inner for decorator in decorators for inner in ast.walk(decorator)}
    return all(_is_harmless(program, node, local) for node in ast.walk(definition) if node not in outside)


def _is_harmless(program: Program, node: ast.AST, local: set[str]) -> bool:
    if not isinstance(node, PLAIN):
        return False
    if isinstance(node, ast.Assign):
        return all(isinstance(part, (ast.Name, ast.Tuple)) for target in node.targets for part in [target, *getattr(target, "elts", [])])
    if isinstance(node, ast.Call):
        return _is_pure_name(program.name(node.func) or "")
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in local:
        return node.attr in OF_TENSORS
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in local:
        return _is_steady(program, node)
    return True


def _is_pure_name(name: str) -> bool:
    return (name in PURE_NAMES or name.startswith(PURE)) and not any(word in name for word in RANDOM)


def _is_steady(program: Program, name: ast.Name) -> bool:
    """A module, or a name bound once to a literal number or string."""
    meaning = program.name(name)
    if meaning is not None:
        return meaning in ("tensorflow", "keras") or meaning.startswith(("tensorflow.", "keras."))
    bindings = name.scope.lookup(name.id)  # type: ignore[attr-defined]
    return len(bindings) == 1 and isinstance(bindings[0].value, ast.Constant)
