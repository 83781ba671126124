"""AutoGraph rewrites the program's functions before they are traced.

Symptom: the first call of a decorated function is slow though its graph is small.

Why: AutoGraph parses the source of every function that is called inside a `tf.function`, rewrites it, writes it to a
temporary file and imports that. Functions with no `if` or `for` over tensors gain nothing by it.

Confirmed by: the time of the conversions, each function once. That a function does without is known where its graph holds no operation
that AutoGraph has made: no condition and no loop.

Remedy: boost keeps the traced function. By hand, where no `if` or `for` depends on a tensor: `tf.function(autograph=False)`; around a
function that a pipeline's `map` is given, or Keras calls, `tf.autograph.experimental.do_not_convert`. Where one does, TensorFlow fails
without the conversion ("using a symbolic tf.Tensor as a Python bool"): less code in what is converted, helpers that need none apart.

Source: `tensorflow/python/autograph`; the TensorFlow guide on AutoGraph.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, parsed, programs_line, stack_lines
from firststep.causes._replayed import lies_in, replayed
from firststep.causes._stretches import of_spans, time_in
from firststep.model import ownership
from firststep.model.facts import SourceLine
from firststep.model.findings import Evidence, Found
from firststep.model.ownership import Ownership
from firststep.model.words import count, duration

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES = ("cache-functions",)
SHARE = (0.6, 1.0)
SLOW_NS = 50_000_000
OUTSIDE, AROUND = "tf.function(autograph=False)", "autograph.experimental.do_not_convert"
NEEDED = "less code in it"


def find(given: Facts) -> Found | None:
    seen = outermost(spans(given, "autograph"))
    cuts = of_spans(seen, SHARE)
    if time_in(cuts) < SLOW_NS:
        return None
    most = max(seen, key=lambda one: one.span.end - one.span.start)
    converted = sum("source" in one.span.labels for one in seen)
    conversions = f"{count(converted, 'conversion')} in " if converted else ""
    kept = replayed(given)
    answered = tuple(one for one in seen if lies_in(one, kept))
    by_hand = _by_hand(given, seen, most)
    return Found("functions rewritten", Evidence(
        f"{conversions}{duration(time_in(cuts))}, longest {most.span.name}",
        _line(given, most)),
        f"boost keeps the traced function; else {by_hand}" if answered else by_hand,
        "high" if answered or by_hand != NEEDED else "medium", of_spans(answered, SHARE) if answered else cuts,
        remedies=None if answered else ())


def _by_hand(given: Facts, seen: tuple[Seen, ...], most: Seen) -> str:
    """No function is to go without AutoGraph of which it is not known that it can: what needs it would fail."""
    around = [[trace for trace in spans(given, "trace") if lies_in(one, (trace,))] for one in seen]
    if not all(traces and all(trace.span.labels.get("autograph") is False for trace in traces) for traces in around):
        return NEEDED
    outermost_of_most = next(traces for one, traces in zip(seen, around, strict=True) if one is most)[0]
    of_data = lies_in(most, spans(given, "data-function"))
    return AROUND if of_data or not programs_line(given, str(outermost_of_most.span.labels.get("source", ""))) else OUTSIDE


def _line(given: Facts, most: Seen) -> SourceLine | None:
    """Where the function begins, if it is the program's; else the line of the program that came to it."""
    line = parsed(str(most.span.labels.get("source", "")))
    mine = line is not None and Ownership(most.process.header).of(line.file).kind == ownership.USER
    return line if mine else line_of(given, most)
