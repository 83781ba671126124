"""What went on after the first step: late traces, sessions, initialisations, models."""

from __future__ import annotations

from collections import Counter, defaultdict

from firststep.analyse.facts import Facts
from firststep.analyse.further import calls, more_ns
from firststep.analyse.path import path
from firststep.analyse.reasons import family
from firststep.analyse.spans import Seen, outermost, total_ns
from firststep.model.facts_frameworks import Afterwards, LateTrace

PREFIX = "afterwards "


def late_spans(facts: Facts) -> tuple[Seen, ...]:
    """Spans of the process that became ready that began after it was, in order of time."""
    legs = facts(path)
    if not legs or not facts.trace.ready:
        return ()
    process, ready = legs[-1].process, legs[-1].end
    found = [Seen(process, span) for span in process.spans if span.start >= ready]
    return tuple(sorted(found, key=lambda seen: seen.span.start))


def work_after_ready(facts: Facts) -> int | None:
    """CPU time of the process that became ready, from there to its end; the time itself where that was not told, None without an end."""
    legs, ready = facts(path), facts.trace.ready
    if not legs or ready is None or legs[-1].process.end is None:
        return None
    process, (ended, _) = legs[-1].process, legs[-1].process.end
    return int(process.counters.get("cpu_after_ready_ns", max(0, ended - ready.at)))


def afterwards(facts: Facts) -> Afterwards | None:
    """None where nothing was watched after ready."""
    legs = facts(path)
    if not facts.measured("afterwards") or not legs or not facts.trace.ready:
        return None
    process = legs[-1].process
    seen = facts(late_spans)
    kinds: Counter[str] = Counter()
    for one in seen:
        kinds[one.span.kind] += calls(one)
    return Afterwards(
        traces=_traces(outermost(tuple(one for one in seen if one.span.kind == "trace"))),
        sessions=kinds["session-create"],
        initialisations=kinds["initialisation"],
        models=sum(calls(one) for one in seen if one.span.kind == "model-build" and "layers" in one.span.labels),
        further={name.removeprefix(PREFIX): int(value[0]) for name, value in process.counters.items() if name.startswith(PREFIX)},
    )


def _traces(seen: tuple[Seen, ...]) -> tuple[LateTrace, ...]:
    groups: dict[tuple[str, str, str], list[Seen]] = defaultdict(list)
    for one in seen:
        groups[one.span.name, str(one.span.labels.get("source", "")), family(str(one.span.labels.get("why", "")))].append(one)
    found = []
    for (name, source, _), members in groups.items():
        reasons: Counter[str] = Counter()
        for one in members:
            reasons[str(one.span.labels.get("why", ""))] += calls(one)
        ops = max(int(one.span.labels.get("ops", 0)) for one in members)
        ns = total_ns(tuple(members)) + sum(map(more_ns, members))
        found.append(LateTrace(name, source, sum(map(calls, members)), ns, ops, reasons.most_common(1)[0][0]))
    return tuple(sorted(found, key=lambda one: -one.ns))
