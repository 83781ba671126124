"""A session is made in every round of a loop.

Symptom: each round of a TensorFlow 1 loop begins slowly, however little it computes.

Why: a new session has nothing of the one before. The graph is handed over, pruned, optimised and placed again,
variables are allocated and initialised again, and the old session's memory is given back.

Confirmed by: `firststep record`, which counts the sessions and the milliseconds of each. In source, a session that is
made in a loop, or in a function that a loop calls. Rounds that make a graph of their own, and sessions that are kept,
are left alone.

Remedy: make one session before the loop, or move the computation to a `tf.function`.

Source: TensorFlow's guide "Graphs and sessions"; the document "Why does initializing TensorFlow graph variables
repeatedly become progressively slower?".

Fix: none; what the rounds share is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program
from firststep.lint.program.functions import mentioned
from firststep.lint.program.repetition import is_kept, repetition
from firststep.lint.program.sessions import SESSIONS, has_fresh_graph

WORDS = ("Session",)


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.calls(*SESSIONS):
        repeated = repetition(program, call)
        if repeated is None or is_kept(program, call) or has_fresh_graph(program, call, repeated):
            continue
        if any(mentioned(argument) & repeated.changing for argument in [*call.args, *call.keywords]):
            continue
        yield program.finding(__name__, call, "a session is made in every round: the graph is optimised and placed anew each time",
                              "make one session before the loop")
