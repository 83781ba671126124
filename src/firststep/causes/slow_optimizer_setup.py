"""The optimizer makes its own variables before the first update.

Symptom: the first step with Adam is slower than with plain SGD.

Why: most optimizers keep one or two more values for each weight ("slots"), and make them when they are first applied.

Confirmed by: the time inside an optimizer's `build`, and the variables made in it.

Remedy: boost makes them before the trace, and on a shorter way; those that the program makes outside of any trace, as by
`optimizer.build(model.trainable_variables)`, on the shorter way alone. By hand: that line before the first step; SGD without momentum
has none.

Source: the fifth document, "some optimizers require more complex calculations during the initialization phase".
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._replayed import has_one_cpu_alone, lies_in, replicas
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

GROUP = "variables"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES = ("prebuild-variables", "run-operations-directly")
SHORTER = ("run-operations-directly",)
SHARE = (0.2, 0.8)
SLOW_NS = 40_000_000


def find(given: Facts) -> Found | None:
    seen = outermost(tuple(one for one in spans(given, "optimizer-build") if one.on_main_thread))
    cuts = of_spans(seen, SHARE)
    if time_in(cuts) < SLOW_NS:
        return None
    made = [one for one in outermost(spans(given, "variable"))
            if any(outer.span.start <= one.span.start < outer.span.end for outer in seen)]
    most = max(seen, key=lambda one: one.span.end - one.span.start)
    do, remedies = _advice(given, most)
    return Found("slots for every weight", Evidence(
        f"{most.span.name} made {count(len(made), 'variable')} in {duration(time_in(cuts))}", line_of(given, most)),
        do, "high", cuts, remedies=remedies)


def _advice(given: Facts, most: Seen) -> tuple[str, tuple[str, ...]]:
    """What to do, and what of boost's does it: variables that are made outside of any trace nobody can make before one."""
    traced = lies_in(most, spans(given, "trace"))
    if replicas(given) or not (traced or has_one_cpu_alone(given)):
        return "an optimizer with fewer slots, as SGD, while you try things", ()
    return ("boost makes them before the trace", REMEDIES) if traced else ("boost makes them on a shorter way", SHORTER)
