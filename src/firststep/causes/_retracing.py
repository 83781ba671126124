"""Traces that need not have been, by what makes them."""

from __future__ import annotations

from collections.abc import Callable

from firststep.analyse.afterwards import afterwards
from firststep.analyse.facts import Facts
from firststep.analyse.spans import outermost, spans
from firststep.analyse.user_lines import parsed
from firststep.causes._stretches import of_spans
from firststep.model.findings import Evidence, Found, Gain
from firststep.model.words import count, duration, plain_name

USUAL = ("first trace", "variables were made in the first trace", "same arguments, traced elsewhere")
LOOP = "new function with the same code"
FEW = 2  # such traces: one more shape (the last, shorter batch) is nobody's mistake


def found(given: Facts, what: Callable[[str], str], do: Callable[[str], str], is_one: Callable[[str], bool]) -> Found | None:
    """The finding for traces whose reason is one of these; before ready, and after it. what(reason), do(reason): its title, the advice."""
    early = outermost(tuple(one for one in spans(given, "trace") if is_one(str(one.span.labels.get("why", "")))))
    after = given(afterwards)
    late = [one for one in (after.traces if after else ()) if is_one(one.why)]
    times = len(early) + sum(one.traces for one in late)
    if times < FEW:
        return None
    late_ns = sum(one.ns for one in late)
    early_ns = sum(one.span.end - one.span.start for one in early)
    if late_ns > early_ns:
        name, source, why = late[0].name, late[0].source, late[0].why
        when = f" in {duration(late_ns)}, after the first step"
    else:
        most = max(early, key=lambda one: one.span.end - one.span.start).span
        name, source, why = most.name, str(most.labels.get("source", "")), str(most.labels.get("why", ""))
        when = f" in {duration(early_ns)}"
    gain = Gain(round(late_ns * 0.9), late_ns) if late_ns > early_ns else None
    reason = "" if why.startswith(LOOP) else f"; {why}"
    return Found(what(why), Evidence(f"{plain_name(name)} {count(times, 'trace')}{when}{reason}", parsed(source)), do(why), "high",
                 of_spans(early, (0.9, 1.0)), gain=gain, after_ready=gain is not None)
