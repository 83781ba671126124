"""A session is made in every round of a loop.

Symptom: each round of a TensorFlow 1 loop begins slowly, however little it computes.

Why: a new session has nothing of the one before. The graph is handed over, pruned, optimised and placed again,
variables are allocated and initialised again, and the old session's memory is given back.

Confirmed by: `firststep record`, which counts the sessions and the milliseconds of each. In source, a session that is
made in a loop, also on both sides of a condition, or in a function that a loop calls. Rounds that make a graph of their
own, and sessions that are kept, are left alone.

Remedy: make one session before the loop, or move the computation to a `tf.function`.

Source: TensorFlow's guide "Graphs and sessions"; the document "Why does initializing TensorFlow graph variables
repeatedly become progressively slower?".

Fix: none; what the rounds share is for the author to say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program
from firststep.lint.program.functions import enclosing, mentioned, stands_in
from firststep.lint.program.repetition import is_kept, repetition
from firststep.lint.program.sessions import SESSIONS, has_fresh_graph
from firststep.lint.program.tree import DEFERRED

WORDS = ("Session",)


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.calls(*SESSIONS):
        repeated = repetition(program, _either_way(program, call))
        if repeated is None or is_kept(program, call) or has_fresh_graph(program, call, repeated):
            continue
        if any(mentioned(argument) & repeated.changing for argument in [*call.args, *call.keywords]):
            continue
        yield program.finding(__name__, call, "a session is made in every round: the graph is optimised and placed anew each time",
                              "make one session before the loop")


def _either_way(program: Program, call: ast.Call) -> ast.AST:
    """The condition around a call on both sides of which a session is made, asked of its first side; else the call itself."""
    found: ast.AST = call
    above = enclosing(call, ast.If, ast.For, ast.While, ast.Try, ast.Match, *DEFERRED)
    while isinstance(above, ast.If) and _first_side_has(above, call) and any(map(partial(_makes_session, program), above.orelse)):
        found, above = above, enclosing(above, ast.If, ast.For, ast.While, ast.Try, ast.Match, *DEFERRED)
    return found


def _first_side_has(condition: ast.If, node: ast.AST) -> bool:
    return any(stands_in(node, statement) for statement in condition.body)


def _makes_session(program: Program, statement: ast.stmt) -> bool:
    """Whether a statement makes a session whenever it is come to: by itself, in a `with`, or on both sides of a condition."""
    if isinstance(statement, ast.If):
        return all(any(map(partial(_makes_session, program), side)) for side in (statement.body, statement.orelse))
    own = [item.context_expr for item in statement.items] if isinstance(statement, ast.With) else []
    own += [statement.value] if isinstance(statement, (ast.Assign, ast.Expr)) else []
    if any(isinstance(one, ast.Call) and program.name(one.func) in SESSIONS for one in own):
        return True
    return isinstance(statement, ast.With) and any(map(partial(_makes_session, program), statement.body))
