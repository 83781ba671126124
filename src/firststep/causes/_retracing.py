"""Traces that need not have been, by what makes them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from firststep.analyse import phases
from firststep.analyse.afterwards import afterwards, late_spans
from firststep.analyse.facts import Facts
from firststep.analyse.further import each
from firststep.analyse.spans import Seen, outermost, spans
from firststep.analyse.user_lines import parsed
from firststep.causes._stretches import of_phases_in, of_spans, time_in, without
from firststep.model.facts_frameworks import LateTrace
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.trace import Span
from firststep.model.words import count, duration, plain_name

USUAL = ("first trace", "variables were made in the first trace", "same arguments, traced elsewhere")
LOOP = "new function with the same code"
SHARE = (0.9, 1.0)
OF_EXECUTION = (0.0, 0.9)  # of a first call, but for the optimisation: what a later call takes stays
FEW = 2  # such traces of a function
LEAST_NS = 100_000_000  # before ready that are worth a word where more came after it


def found(given: Facts, what: Callable[[str], str], do: Callable[[str], str], is_one: Callable[[str], bool],
          few: int = FEW) -> Found | None:
    """The finding for traces whose reason is one of these; before ready, and after it. what(reason), do(reason): its title, the advice;
    few: how many of them one function has to have."""
    early = outermost(tuple(one for one in spans(given, "trace") if is_one(str(one.span.labels.get("why", "")))))
    after = given(afterwards)
    late = [one for one in (after.traces if after else ()) if is_one(one.why)]
    functions = [one for one in _functions(early, late) if one.times >= few]
    if not functions:
        return None
    early, late = _of(functions, early, late)
    early_ns, late_ns = sum(one.span.end - one.span.start for one in early), sum(one.ns for one in late)
    is_late = late_ns > early_ns
    most, *others = sorted(functions, key=lambda one: -(one.late_ns if is_late else one.early_ns))
    took = duration(most.late_ns if is_late else most.early_ns)
    cuts = _after_ready(given, {one.name for one in late}, is_one) if is_late else _with_first_calls(given, early)
    words = f"{plain_name(most.name)} {count(most.times, 'trace')} in {took}{_when(early_ns) if is_late else ''}"
    reason = "" if most.why.startswith(LOOP) else f"; {most.why}"
    return Found(what(most.why), Evidence(f"{words}{_besides(most, others)}{reason}", parsed(most.source)), do(most.why), "high",
                 cuts, after_ready=is_late)


def _when(early_ns: int) -> str:
    """Of traces that came after ready for the most part."""
    return ", after the first step" + (f", {duration(early_ns)} before it" if early_ns >= LEAST_NS else "")


class _Function(NamedTuple):
    """One that was traced: what is told of it, and how often that was needless, before ready and after it."""

    name: str
    source: str
    why: str
    times: int
    early_ns: int
    late_ns: int


def _functions(early: tuple[Seen, ...], late: list[LateTrace]) -> list[_Function]:
    """By name and source: a program may have two of one name. Why: of the longest, or of those after ready where they took longer."""
    groups: dict[tuple[str, str], tuple[list[Span], list[LateTrace]]] = defaultdict(lambda: ([], []))
    for one in early:
        groups[one.span.name, str(one.span.labels.get("source", ""))][0].append(one.span)
    for each_late in late:
        groups[each_late.name, each_late.source][1].append(each_late)
    found = []
    for (name, source), (spans_of, late_of) in groups.items():
        early_ns, late_ns = sum(one.end - one.start for one in spans_of), sum(one.ns for one in late_of)
        longest = max(spans_of, key=lambda one: one.end - one.start, default=None)
        why = str(longest.labels.get("why", "")) if longest and early_ns >= late_ns else late_of[0].why
        found.append(_Function(name, source, why, len(spans_of) + sum(one.traces for one in late_of), early_ns, late_ns))
    return found


def _of(functions: list[_Function], early: tuple[Seen, ...], late: list[LateTrace]) -> tuple[tuple[Seen, ...], list[LateTrace]]:
    """The traces of these functions alone."""
    names = {(one.name, one.source) for one in functions}
    return (tuple(one for one in early if (one.span.name, str(one.span.labels.get("source", ""))) in names),
            [one for one in late if (one.name, one.source) in names])


def _besides(most: _Function, others: list[_Function]) -> str:
    """The next function, with its line where that is in the same file, and how many more there are."""
    if not others:
        return ""
    line, same = parsed(others[0].source), parsed(most.source)
    where = f" at line {line.line}" if line and same and line.file == same.file else ""
    more = f", {sum(one.times for one in others[1:]):,} of {count(len(others) - 1, 'more function')}" if len(others) > 1 else ""
    return f", {others[0].times:,} of {plain_name(others[0].name)}{where}{more}"


class _FirstCalls(NamedTuple):
    """What came of some traces: the optimisation of their graphs, and the rest of the first calls."""

    optimised: tuple[Cut, ...]
    executed: tuple[Cut, ...]


def _first_calls(given: Facts, traces: tuple[Seen, ...]) -> _FirstCalls:
    names = {one.span.labels.get("function") for one in traces}
    calls = tuple(one for one in spans(given, "first-call") if one.span.name in names)
    return _FirstCalls(of_phases_in(given, (phases.OPTIMISATION, phases.COMPILE), calls, SHARE),
                       of_phases_in(given, (phases.EXECUTION,), calls, OF_EXECUTION))


def _with_first_calls(given: Facts, traces: tuple[Seen, ...]) -> tuple[Cut, ...]:
    """Each of these traces, and that its graph was optimised, compiled and run for a first time."""
    traced, calls = of_spans(traces, SHARE), _first_calls(given, traces)
    return tuple(sorted((*traced, *without((*calls.optimised, *calls.executed), traced))))


def _after_ready(given: Facts, names: set[str], is_one: Callable[[str], bool]) -> tuple[Cut, ...]:
    """Of traces of which only their time is seen: their first calls took as much more as those of the same functions (or of any)
    did before ready."""
    traces = tuple(one for one in outermost(spans(given, "trace")) if one.on_main_thread)
    before = tuple(one for one in traces if one.span.name in names) or traces
    calls = _first_calls(given, before)
    called = {one.span.name for one in spans(given, "first-call")}
    traced = time_in(of_spans(one for one in before if one.span.labels.get("function") in called))
    optimised, executed = (time_in(cuts) / traced if traced else 0.0 for cuts in calls)
    least, most = SHARE[0] * (1 + optimised), 1 + optimised + OF_EXECUTION[1] * executed
    late = outermost(tuple(one for one in given(late_spans) if one.span.kind == "trace" and is_one(str(one.span.labels.get("why", "")))))
    return tuple(Cut(one.span.start, one.span.start + round((one.span.end - one.span.start) * most), least / most, 1.0)
                 for one in each(late))
