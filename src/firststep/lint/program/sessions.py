"""Sessions of TensorFlow 1: which objects are, and where a loop has a graph of its own."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.changes import changing_names
from firststep.lint.program.functions import attribute_values, definition_of, enclosing, mentioned, value_of
from firststep.lint.program.repetition import Repetition
from firststep.lint.program.tree import FUNCTIONS

SESSIONS = ("tensorflow.Session", "tensorflow.InteractiveSession", "tensorflow.train.MonitoredSession",
            "tensorflow.train.MonitoredTrainingSession", "tensorflow.train.SingularMonitoredSession")
FRESH = {"tensorflow.Graph", "tensorflow.reset_default_graph", "keras.backend.clear_session", "keras.utils.clear_session"}
FOLLOWED = 3  # functions that call each other
PARAMETERS = ("sess", "session")  # what a session that is handed over is called
OTHERS = "onnx"  # in what is imported


def is_session(program: Program, expression: ast.AST) -> bool:
    """Whether an expression is a session: made as one here, or a parameter that is called so."""
    if isinstance(expression, ast.Attribute):
        return any(program.name(getattr(value, "func", None)) in SESSIONS for value in attribute_values(program, expression))
    if not isinstance(expression, ast.Name):
        return False
    bindings = expression.scope.lookup(expression.id)  # type: ignore[attr-defined]
    if any(binding.kind == "parameter" for binding in bindings):
        return expression.id in PARAMETERS and not _has_others(program)
    return any(program.name(getattr(value_of(binding.value), "func", None)) in SESSIONS for binding in bindings if binding.value)


def _has_others(program: Program) -> bool:
    """Whether the file may speak of sessions of ONNX's runtime, which are called and run as TensorFlow's are."""
    return any(OTHERS in name for node in program.tree.of(ast.Import, ast.ImportFrom)
               for name in [getattr(node, "module", None) or "", *(one.name for one in node.names)])  # type: ignore[attr-defined]


def region(node: ast.AST, repeated: Repetition) -> list[ast.AST]:
    """What runs in a round: the loop, and the node's function where the loop is around a call of it."""
    function = enclosing(node, *FUNCTIONS) if repeated.call is not None else None
    return [repeated.loop, *([function] if function else [])]


def names_called(program: Program, node: ast.AST, deep: int = FOLLOWED) -> set[str]:
    """What is called within a node, and in the functions of the file that it calls."""
    return program.remembered((node, deep, "names called"), lambda: _names_called(program, node, deep))


def _names_called(program: Program, node: ast.AST, deep: int) -> set[str]:
    found: set[str] = set()
    for call in program.calls_in(node):
        name = program.name(call.func)
        definition = definition_of(program, call.func) if deep and name is None else None
        found |= names_called(program, definition, deep - 1) if definition is not None else {name or ""}
    return found


def has_fresh_graph(program: Program, node: ast.AST, repeated: Repetition) -> bool:
    """Whether a round makes a graph of its own, clears the one there is, or goes into another one."""
    return any(makes_graph(program, one) or _enters(program, one, repeated.changing) for one in region(node, repeated))


def loop_has_fresh_graph(program: Program, loop: ast.AST) -> bool:
    """The same of a loop, whatever of it is asked."""
    return makes_graph(program, loop) or _enters(program, loop, frozenset(changing_names(program, loop)[0]))


def makes_graph(program: Program, node: ast.AST) -> bool:
    return not FRESH.isdisjoint(names_called(program, node))


def _enters(program: Program, node: ast.AST, changing: frozenset[str]) -> bool:
    """`with graph.as_default():`, where the graph is the round's."""
    entered = [call.func for call in program.calls_in(node) if getattr(call.func, "attr", "") == "as_default"]
    return any(mentioned(method.value) & changing for method in entered)  # type: ignore[attr-defined]
