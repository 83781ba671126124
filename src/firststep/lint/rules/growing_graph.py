"""Operations are added to the graph in a loop that runs it.

Symptom: a TensorFlow 1 loop gets slower with every round, and its memory grows.

Why: every call of an operation in graph mode adds nodes that stay for good. A session that is run after the graph has
changed must extend, prune, place and optimise it again: the cost of a round grows with the number of rounds before it.

Confirmed by: `firststep record`, which shows the graph's nodes per round. In source, variables, placeholders or
operations made in a loop in which a session runs, without a graph of its own in each round. One finding for each loop.

Remedy: build the graph before the loop, feed what changes through a placeholder, and call
`tf.get_default_graph().finalize()` so that a later addition is an error.

Source: `tf.Graph.finalize`'s documentation; the document "Why does initializing TensorFlow graph variables repeatedly
become progressively slower?".

Fix: none; what a placeholder should carry is for the author to say.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program
from firststep.lint.program.functions import enclosing, value_of
from firststep.lint.program.repetition import repetition
from firststep.lint.program.sessions import SESSIONS, is_session, loop_has_fresh_graph
from firststep.lint.program.tree import COMPREHENSIONS, DEFERRED

WORDS = ("Session", "sess.run", "session.run")
# Calls that add nodes to a graph. Others of TensorFlow (files, logging, protocol buffers) do not.
ADDS = re.compile(
    r"^tensorflow\.(Variable|get_variable|placeholder|constant|assign\w*|matmul|add|add_n|subtract|multiply|divide|abs|square|sqrt|exp|log|"
    r"pow|cast|to_float|to_int32|reshape|concat|stack|unstack|split|slice|gather|transpose|squeeze|expand_dims|one_hot|argmax|argmin|"
    r"equal|greater|less|zeros|ones|zeros_like|ones_like|fill|range|tile|pad|where|gradients|cond|while_loop|map_fn|reduce_\w+|random_\w+|"
    r"truncated_normal|nn\.\w+|math\.\w+|random\.(normal|uniform|truncated_normal|shuffle)|losses\.\w+|layers\.\w+|image\.\w+|linalg\.\w+|"
    r"train\.(\w+Optimizer|Saver))$")

VARIABLE = re.compile(r"^tensorflow\.(Variable|get_variable)$")
OPTIMIZER = re.compile(r"^tensorflow\.train\.\w+Optimizer$")
ROUNDS = (ast.For, ast.While, ast.AsyncFor, *COMPREHENSIONS)
METHODS = {**dict.fromkeys(("assign", "assign_add", "assign_sub"), VARIABLE),
           **dict.fromkeys(("minimize", "apply_gradients", "compute_gradients"), OPTIMIZER)}


def check(program: Program) -> Iterator[LintFinding]:
    seen: set[ast.AST] = set()
    runs: list[ast.Call] | None = None
    for short, call in _additions(program):
        repeated = repetition(program, call)
        if repeated is None or repeated.call is not None or repeated.loop in seen:
            continue
        runs = _runs(program) if runs is None else runs
        loop = _running_loop(call, runs)
        if loop is None or loop in seen or loop_has_fresh_graph(program, loop):
            continue  # a graph lives as long as a round of the loop that runs it, whatever goes round within
        seen |= {loop, repeated.loop}
        yield program.finding(__name__, call, f"`{short}` adds nodes to the graph in every round of a loop that runs it",
                              "build the graph before the loop and feed what changes")


def _additions(program: Program) -> Iterator[tuple[str, ast.Call]]:
    """(what it is called, the call) of all that adds nodes: operations, and methods of variables and optimizers."""
    for name, call in program.named_calls:
        if ADDS.match(name):
            yield name.removeprefix("tensorflow."), call
    for call in program.method_calls(*METHODS):
        owner = value_of(call.func.value)  # type: ignore[attr-defined]
        made = program.name(owner.func) or "" if isinstance(owner, ast.Call) else ""
        if METHODS[call.func.attr].match(made):  # type: ignore[attr-defined]
            yield call.func.attr, call  # type: ignore[attr-defined]


def _runs(program: Program) -> list[ast.Call]:
    """Where sessions are made or run."""
    evaluated = [call for call in program.method_calls("eval") if _is_operation(program, call.func.value)]  # type: ignore[attr-defined]
    ran = [call for call in program.method_calls("run", "eval") if is_session(program, call.func.value)]  # type: ignore[attr-defined]
    return [*ran, *evaluated, *program.calls(*SESSIONS)]


def _is_operation(program: Program, expression: ast.expr) -> bool:
    """Whether an expression is what an operation gives, whose `eval` runs the session that is there."""
    value = value_of(expression)
    return isinstance(value, ast.Call) and bool(ADDS.match(program.name(value.func) or ""))


def _running_loop(call: ast.Call, runs: list[ast.Call]) -> ast.AST | None:
    """A loop around the call, in its function, in which a session runs."""
    around = enclosing(call, *DEFERRED, *ROUNDS)
    while isinstance(around, ROUNDS):
        if any(_within(run, around) for run in runs):
            return around
        around = enclosing(around, *DEFERRED, *ROUNDS)
    return None


def _within(node: ast.AST, loop: ast.AST) -> bool:
    above = enclosing(node, *DEFERRED, *ROUNDS)
    while above is not None and above is not loop and not isinstance(above, DEFERRED):
        above = enclosing(above, *DEFERRED, *ROUNDS)
    return above is loop
