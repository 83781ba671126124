"""A session is made in every round of a loop.

Symptom: seconds go by in the first run of each session, where a later run takes milliseconds.

Why: a new session has nothing of the old one: devices' resources are made, the whole graph is handed over, and every fetch is pruned,
optimised and instantiated once more. Where the graph itself grows from round to round, one session would have to take it in as well:
that time is the growing graph's (`growing-graph`), and here only the making counts, which is a millisecond or less on a CPU.

Confirmed by: more than two sessions made at one line; what making them and handing the graph over took, and, where they all run one
graph, the first runs of those sessions that were made before ready.

Remedy: one session before the loop, and its initialiser run again in each round where variables are to begin anew. (Random operations go
on with their stream then, where a new session begins it again.) Or `tf.function` in TensorFlow 2.

Source: the fourth document, "a new session is created within each iteration"; measured: 24 sessions over one graph took 5.2 s of CPU
time, one session 3.0 (zoo/slow/session_churn.py, two runs each); over a graph that grows, 60 sessions 7.2, one session 7.4.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.repeats import GROWTH, HANDED_OVER, repeats
from firststep.analyse.sessions import sessions
from firststep.causes._loops import is_after_ready, later_rounds, most_repeated, of_rounds
from firststep.model.facts_frameworks import Repeat
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "sessions"
WATCHED = ("frameworks", "afterwards")
FACTS = (repeats, sessions)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.3, 1.0)  # of first runs: those of the first session, which alone are seen, pay for what happens once in a process, too
MOST = 0.9  # of a round: its steps stay


def find(given: Facts) -> Found | None:
    loop = most_repeated(given, "session-create")
    if loop is None:
        return None
    made, rounds = sum(loop.ns[1:]), sum(later_rounds(loop))
    low, high = (made + min(ns, rounds * MOST) for ns in _again(given, loop))
    return Found("a session in every round", Evidence(
        f"{loop.times} sessions made in {duration(sum(loop.ns))}; their rounds took {duration(rounds)}", loop.line),
        "make one session before the loop, or use tf.function", "high",
        cuts=of_rounds(loop, low, high), after_ready=is_after_ready(given, loop))


def _again(given: Facts, loop: Repeat) -> tuple[float, float]:
    """What each session but the first does again for one and the same graph, at least and at most; nothing where the graph is another."""
    if len(set(loop.graphs)) != 1 or loop.nodes[-1] >= max(1, loop.nodes[1]) * GROWTH:
        return 0.0, 0.0
    handed = sum(sum(one.ns[1:]) for one in given(repeats) if one.kind == HANDED_OVER and set(one.graphs) == set(loop.graphs))
    first = _first_runs(given) * (loop.times - 1)
    return handed + first * SHARE[0], handed + first * SHARE[1]


def _first_runs(given: Facts) -> float:
    """Nanoseconds of one session's runs of fetches that it had not run before."""
    known = given(sessions)
    seen = [one.first_run_ns for one in known.sessions if one.first_runs] if known else []
    return sum(seen) / max(1, len(seen))
