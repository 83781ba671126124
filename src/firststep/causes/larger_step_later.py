"""The program was ready at a small trial, and a much larger first step came later.

Symptom: the report speaks of a short start, and the program then stands for a minute before its model trains.

Why: the first training step ends the start. Where that was a trial's (a toy model that shows that all is installed, a layer tried out),
what the program is for comes after it, and the phases say nothing of it.

Confirmed by: a function's first trace after ready that took twice as long as all that was traced before it, has twice as many operations
as any of that, and asks for gradients: saving the model, or a prediction after the training, is no training step, and a second stage of the
same training no larger one.

Remedy: look at that start: `firststep record --until step:N`, with the number of a step that lies behind it.

Source: measured: a toy of three weights before MobileNetV2, ready after 8 s, and 47 s of tracing after that.
"""

from __future__ import annotations

from firststep.analyse.afterwards import late_spans
from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, outermost
from firststep.analyse.tracing import tracing
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._retracing import LOOP
from firststep.model.findings import Evidence, Found, Gain
from firststep.model.words import duration, plain_name

GROUP = "first run"
WATCHED = ("frameworks", "afterwards")
FACTS = (late_spans, tracing, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
LARGER = 2  # times as long to trace as all that was traced before ready, and as many operations as the largest of that
LARGER_NS = 500_000_000


def find(given: Facts) -> Found | None:
    before, later = given(tracing), given(late_spans)
    traces = outermost(tuple(one for one in later if one.span.kind == "trace"))
    most = max((one for one in traces if _is_first(one) and _trains(later, one)), key=_ns, default=None)
    if most is None or _ns(most) < max(LARGER_NS, LARGER * (before.ns if before else 0)) or _is_made_anew(traces, most):
        return None
    operations, known = _operations(later, most), max((one.ops for one in before.functions), default=0) if before else 0
    if operations and operations < LARGER * known:
        return None
    return Found("ready was a small trial's", Evidence(
        f"{plain_name(most.span.name)}{_model(later, most)} took {duration(_ns(most))} to trace, after the first step",
        line_of(given, most) if most.span.labels.get("line") else None),
        "firststep record --until step:N waits for it", "high", gain=Gain(0, 0), after_ready=True, whatever_it_gains=True)


def _ns(seen: Seen) -> int:
    return seen.span.end - seen.span.start


def _inside(later: tuple[Seen, ...], trace: Seen) -> list[Seen]:
    """The trace, and those inside it."""
    return [one for one in later if one.span.kind == "trace" and trace.span.start <= one.span.start < trace.span.end]


def _operations(later: tuple[Seen, ...], trace: Seen) -> int:
    """Of the largest of these graphs; 0 where it is not known."""
    return max(int(one.span.labels.get("ops", 0)) for one in _inside(later, trace))


def _trains(later: tuple[Seen, ...], trace: Seen) -> bool:
    """Whether it, or a trace inside it, has gradients."""
    return any(one.span.labels.get("gradients") for one in _inside(later, trace))


def _is_first(seen: Seen) -> bool:
    """Of its function: another of the same code may have been the trial's."""
    return str(seen.span.labels.get("why", "")).startswith(("first trace", LOOP))


def _is_made_anew(traces: tuple[Seen, ...], most: Seen) -> bool:
    """Whether a function of this code is traced for the first time again and again: that is a loop's."""
    alike = [one for one in traces if (one.span.name, one.span.labels.get("source")) == (most.span.name, most.span.labels.get("source"))]
    return sum(map(_is_first, alike)) > 1


def _model(later: tuple[Seen, ...], most: Seen) -> str:
    """` of mobilenetv2`: the model that was compiled last before it."""
    compiled = [one.span.name for one in later if one.span.kind == "model-compile" and one.span.end <= most.span.start]
    return f" of {compiled[-1]}" if compiled else ""
