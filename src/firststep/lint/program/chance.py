"""Calls that may give another value each time although they are given the same: random numbers, the time, the next of something."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.functions import definition_of
from firststep.lint.program.tree import DEFERRED

FOLLOWED = 3  # functions that call each other
MODULES = ("random.", "numpy.random.", "tensorflow.random.", "keras.random.", "secrets.", "uuid.", "time.", "datetime.", "os.environ")
SEEDS = ("seed", "set_seed", "set_random_seed", "default_rng", "RandomState", "Random", "Generator", "sleep")  # they draw nothing yet
BUILTINS = ("builtins.next", "builtins.input")
# Methods of generators of random numbers, of those who search, and of what is emptied bit by bit.
METHODS = {"choice", "choices", "sample", "randint", "randrange", "integers", "uniform", "normal", "random", "rand", "randn", "rvs", "pop",
           "popleft", "popitem", "ask", "propose", "suggest", "suggest_int", "suggest_float", "suggest_categorical", "readline", "recv"}


def gives_another(program: Program, node: ast.AST, deep: int = FOLLOWED) -> bool:
    """Whether anything within a node, or within the functions of the file that it calls, is drawn anew each time."""
    return program.remembered((node, deep, "chance"), lambda: any(_draws(program, call, deep) for call in program.calls_in(node)))


def _draws(program: Program, call: ast.Call, deep: int) -> bool:
    name = program.name(call.func)
    if name is not None:
        return name in BUILTINS or (name.startswith(MODULES) and name.rpartition(".")[2] not in SEEDS)
    if isinstance(call.func, ast.Attribute) and call.func.attr in METHODS:
        return True
    definition = definition_of(program, call.func) if deep else None
    if not isinstance(definition, DEFERRED):
        return False
    body = definition.body if isinstance(definition.body, list) else [definition.body]
    return any(gives_another(program, statement, deep - 1) for statement in body)
