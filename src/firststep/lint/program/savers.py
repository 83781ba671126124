"""Savers of TensorFlow 1, which hold the variables that there were when they were made."""

from __future__ import annotations

import ast
import re
import sys

from firststep.lint.program import Program
from firststep.lint.program.functions import definition_of, enclosing
from firststep.lint.program.tree import DEFERRED

FOLLOWED = 3  # functions that call each other
# What of TensorFlow's makes variables, itself or by what it gives.
MAKES = re.compile(r"^(tensorflow\.(Variable|get_variable|get_local_variable|layers\.|contrib\.|train\.\w*Optimizer|train\.get_or_create|"
                   r"train\.create_global|train\.ExponentialMovingAverage|nn\.(dynamic_rnn|bidirectional|static_rnn|rnn_cell)|metrics\.|"
                   r"make_template|estimator\.|Module|import_graph_def|train\.import_meta_graph)|keras\.)")
KNOWN = {*sys.stdlib_module_names, "builtins", "tensorflow", "numpy"}
# Methods, of whatever object, that make no variable.
PLAIN = {"run", "eval", "restore", "save", "as_default", "finalize", "format", "join", "split", "strip", "append", "extend", "get", "items",
         "keys", "values", "parse_args", "parse_known_args", "add_argument", "add_graph", "add_summary", "make_one_shot_iterator",
         "make_initializable_iterator", "get_next", "info", "debug", "warning", "close", "get_shape", "as_list", "startswith",
         "endswith", "exists", "read", "load", "mean", "sum", "astype", "reshape", "tolist"}


def holds_all_variables(program: Program, saver: ast.Call, restore: ast.Call) -> bool:
    """Whether a Saver made without a list holds all variables when it restores: no call between the two may make another one."""
    if enclosing(saver, *DEFERRED) is not enclosing(restore, *DEFERRED):
        return False
    between = [call for call in program.tree.calls if _place(saver) < _place(call) < _place(restore) and call is not saver]
    return not any(_may_make_variables(program, call, FOLLOWED) for call in between if _is_beside(call, saver))


def _place(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _is_beside(call: ast.Call, saver: ast.Call) -> bool:
    """Whether a call runs with the function that the Saver is made in, and not when another one is called."""
    return enclosing(call, *DEFERRED) is enclosing(saver, *DEFERRED)


def _may_make_variables(program: Program, call: ast.Call, deep: int) -> bool:
    name = program.name(call.func)
    if name is not None:
        return bool(MAKES.match(name)) or name.split(".")[0] not in KNOWN
    definition = definition_of(program, call.func)
    if definition is not None:
        return not deep or any(_may_make_variables(program, inner, deep - 1) for inner in program.calls_in(definition))
    return not (isinstance(call.func, ast.Attribute) and call.func.attr in PLAIN)
