"""The optimizer makes its own variables before the first update.

Symptom: the first step with Adam is slower than with plain SGD.

Why: most optimizers keep one or two more values for each weight ("slots"), and make them when they are first applied.

Confirmed by: the time inside an optimizer's `build`, and the variables made in it.

Remedy: boost makes the variables before the trace, and on a shorter way. By hand:
`optimizer.build(model.trainable_variables)`; SGD without momentum has none.

Source: the fifth document, "some optimizers require more complex calculations during the initialization phase".
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._replayed import replicas
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

GROUP = "variables"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES = ("prebuild-variables", "run-operations-directly")
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
    by_hand = bool(replicas(given))
    return Found("slots for every weight", Evidence(
        f"{most.span.name} made {count(len(made), 'variable')} in {duration(time_in(cuts))}", line_of(given, most)),
        "an optimizer with fewer slots, as SGD, while you try things" if by_hand else "boost makes them before the trace", "high", cuts,
        remedies=() if by_hand else None)
