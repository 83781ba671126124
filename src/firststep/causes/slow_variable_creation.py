"""Each variable costs a millisecond to make, whatever its size.

Symptom: a model of many small layers takes long to build; its optimizer as long again.

Why: making a variable is a dozen eager operations, and TensorFlow wraps each new kind of operation in a function of its own
(a variable's name makes its handle a new kind). Inside a trace it costs ten times as much.

Confirmed by: the time of each variable's making, without its initialiser (`expensive-initialiser`), and the line that most of it came
from. An optimizer's and a strategy's own
are another cause's (`slow-optimizer-setup`, `slow-strategy-setup`).

Beside a GPU the first variable also waits for the device's memory pool and its first kernels.

Remedy: on CPUs boost makes them on a shorter way, and before the trace. By hand: fewer and larger variables.

Source: `tensorflow/python/ops/resource_variable_ops.py`; measured: 12 ms inside a trace, 1 ms outside of one.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.own_initial_values import own_initial_values
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.analyse.variables import variables
from firststep.causes._replayed import has_one_cpu_alone, replicas
from firststep.causes._sessions import by_sessions
from firststep.causes._stretches import of_own_values, of_phases, of_spans, outside, time_in, without
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration, size

GROUP = "variables"
WATCHED = ("frameworks",)
FACTS = (variables, own_initial_values, partition, path, spans_by_kind, stack_lines)
REMEDIES = ("run-operations-directly", "prebuild-variables")
SHARE = (0.3, 0.7)
SLOW_NS = 60_000_000
ELSEWHERE = ("optimizer-build", "strategy")  # whose own variables are other causes'


def find(given: Facts) -> Found | None:
    known = given(variables)
    if known is None:
        return None
    others = of_spans(spans(given, *ELSEWHERE))
    cuts = without(of_phases(given, phases.VARIABLES, share=SHARE), of_spans(spans(given, "initialiser", *ELSEWHERE)))
    cuts = outside(cuts, of_own_values(given(own_initial_values), SHARE))
    made = [one for one in known.variables if not any(other.start <= one.start < other.end for other in others)]
    if time_in(cuts) < SLOW_NS:
        return None
    starts = {one.start for one in made}
    seen = [one for one in outermost(spans(given, "variable")) if one.on_main_thread and one.span.start in starts]
    lifted = sum(one.lifted for one in made)
    by_hand = by_sessions(given) or not has_one_cpu_alone(given) or bool(replicas(given))
    traced = f", {lifted} of them while tracing" if lifted else ""
    return Found("one by one", Evidence(
        f"{count(len(made), 'variable')} of {size(sum(one.bytes or 0 for one in made))} made in {duration(time_in(cuts))}{traced}",
        line_of(given, *seen)),
        "fewer and larger variables" if by_hand else "boost makes them on a shorter way", "high", cuts, remedies=() if by_hand else None)

