"""Gradients are built operation by operation while a step is traced.

Symptom: tracing a training step takes several times as long as tracing the model.

Why: for each operation of the forward pass the gradient function is called, which makes more operations. Loops and
functions inside the step are differentiated by tracing new functions.

Confirmed by: the time inside the construction of gradients while a function is traced.

Remedy: boost keeps the traced function, gradients and all. By hand: fewer operations in the step.

Source: `tensorflow/python/ops/gradients_util.py`; the fifth document, "augmented to accommodate the backward pass".
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._replayed import lies_in, replayed
from firststep.causes._sessions import by_sessions
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES = ("cache-functions",)
SHARE = (0.6, 0.95)
SLOW_NS = 100_000_000


def find(given: Facts) -> Found | None:
    seen = outermost(tuple(one for one in spans(given, "gradients") if one.on_main_thread))
    cuts = of_spans(seen, SHARE)
    if time_in(cuts) < SLOW_NS:
        return None
    kept = () if by_sessions(given) else tuple(one for one in seen if lies_in(one, replayed(given)))
    targets = max(int(one.span.labels.get("xs", 0)) for one in seen)
    of = f" of {count(targets, 'variable')}" if targets else ""
    return Found("the backward pass is built", Evidence(
        f"{duration(time_in(cuts))} for gradients{of}", line_of(given, *seen)),
        "boost keeps the traced function, gradients and all" if kept else "fewer operations in the step", "high",
        of_spans(kept, SHARE) if kept else cuts, remedies=None if kept else ())
