"""Variables are initialised in every round of a loop.

Symptom: the rounds of a TensorFlow 1 loop get slower, each by a little more than the one before.

Why: each call of `global_variables_initializer()` adds an operation to the graph that runs the initialisers of all
variables made so far; running it hands the grown graph to the session again and computes every initial value again.

Confirmed by: `firststep record`, which shows nodes and milliseconds per round. In source, a call of the initializer in
a loop, or in a function that a loop calls, without a graph of its own in each round.

Remedy: call it once before the loop and run what it gave; run it again only where the variables must start anew.

Source: the document "Why does initializing TensorFlow graph variables repeatedly become progressively slower?".

Fix: none; whether a round shall start from fresh values is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program
from firststep.lint.program.functions import mentioned
from firststep.lint.program.repetition import repetition
from firststep.lint.program.sessions import has_fresh_graph

WORDS = ("variables_initializer", "initialize_all_variables", "initializers.global_variables", "initializers.variables")
INITIALIZERS = ("tensorflow.global_variables_initializer", "tensorflow.initialize_all_variables", "tensorflow.variables_initializer",
                "tensorflow.initializers.global_variables", "tensorflow.initializers.variables")


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.calls(*INITIALIZERS):
        repeated = repetition(program, call)
        if repeated is None or has_fresh_graph(program, call, repeated):
            continue
        if any(mentioned(argument) & repeated.changing for argument in call.args):
            continue
        name = (program.name(call.func) or "").split(".")[-1]
        yield program.finding(__name__, call, f"`{name}()` in every round: each adds to the graph and computes all initial values again",
                              "call it once before the loop")
