"""Every function that was turned into a graph: how often, how large, for how long, and why again."""

from __future__ import annotations

from collections import Counter, defaultdict

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.phases import TRACING
from firststep.analyse.shares import shares_by
from firststep.analyse.spans import Seen, spans, total_ns
from firststep.model.facts_frameworks import Retrace, TracedFunction, Tracing
from firststep.model.trace import Span

COUNTER = "tensorflow-graph-building-us"


def tracing(facts: Facts) -> Tracing | None:
    """None where nothing was traced, or frameworks were not watched."""
    found = spans(facts, "trace")
    if not found:
        return None
    own = _self_times(found)
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, seen in enumerate(found):
        groups[_key(seen.span)].append(index)
    in_phase = shares_by(facts, TRACING, "trace", _key)
    functions = [_function(key, [found[index] for index in members], sum(own[index] for index in members), in_phase[key])
                 for key, members in groups.items()]
    counted = [int(leg.process.counters[COUNTER]) for leg in facts(path) if COUNTER in leg.process.counters]
    return Tracing(
        functions=tuple(sorted(functions, key=lambda function: -function.self_ns)),
        traces=len(found),
        ns=total_ns(found),
        framework_ns=sum(counted) * 1000 if counted else None,
    )


def _key(span: Span) -> tuple[str, str]:
    return span.name, str(span.labels.get("source", ""))


def _function(key: tuple[str, str], found: list[Seen], self_ns: int, phase_ns: int) -> TracedFunction:
    reasons = Counter(str(seen.span.labels["why"]) for seen in found if "why" in seen.span.labels)
    return TracedFunction(
        name=key[0],
        source=key[1],
        traces=len(found),
        ns=total_ns(tuple(found)),
        self_ns=self_ns,
        phase_ns=phase_ns,
        ops=max(int(seen.span.labels.get("ops", 0)) for seen in found),
        reasons=tuple(Retrace(why, traces) for why, traces in reasons.most_common()),
    )


def _self_times(found: tuple[Seen, ...]) -> list[int]:
    """Each trace's time without the traces directly inside it."""
    own = [seen.span.end - seen.span.start for seen in found]
    stacks: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, seen in enumerate(found):
        stack = stacks[(seen.process.pid, seen.span.thread)]
        while stack and found[stack[-1]].span.end <= seen.span.start:
            stack.pop()
        if stack:
            own[stack[-1]] -= seen.span.end - seen.span.start
        stack.append(index)
    return own
