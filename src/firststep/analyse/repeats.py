"""What a program does again and again at one line: sessions, initialisations and models made in a loop."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import replace

from firststep.analyse.afterwards import late_spans
from firststep.analyse.facts import Facts
from firststep.analyse.further import each
from firststep.analyse.spans import Seen, spans
from firststep.analyse.user_lines import line_of, parsed
from firststep.model.facts import SourceLine
from firststep.model.facts_frameworks import Repeat

KINDS = ("session-create", "initialisation", "session-extend", "model-build", "model-compile")
MODELS = ("model-build", "model-compile")
HANDED_OVER = "session-hand-over"  # of a whole graph, at a session's first run: nothing has grown

LOOP = 3  # times at one line
GROWTH = 1.5  # times as large at the last round as at the second (the first may build what all share)


def repeats(facts: Facts) -> tuple[Repeat, ...]:
    """Everything of these kinds, by line, whether it happened once or often; before ready and after it."""
    groups: dict[tuple[str, SourceLine | None], list[Seen]] = defaultdict(list)
    late = facts(late_spans)
    for seen in (*spans(facts, *KINDS), *late):
        made = seen.span.kind != "model-build" or "layers" in seen.span.labels
        if seen.span.kind in KINDS and made and "again" not in seen.span.labels:
            groups[_kind(seen), line_of(facts, seen)].append(seen)
    end = max((seen.span.end for seen in late), default=facts.trace.end)
    found = (_repeat(kind, line, each(members), end) for (kind, line), members in groups.items())
    traces = sorted((*spans(facts, "trace"), *(seen for seen in late if seen.span.kind == "trace")), key=lambda seen: seen.span.start)
    return tuple(replace(one, nodes=_traced(one, traces)) if one.kind in MODELS else one for one in found)


def _traced(models: Repeat, traces: list[Seen]) -> tuple[int, ...]:
    """How many operations were traced from each model to the next."""
    starts, ops = [one.span.start for one in traces], [0]
    for one in traces:
        ops.append(ops[-1] + int(one.span.labels.get("ops", 0)))
    ends = (*models.starts[1:], models.until)
    return tuple(ops[bisect_left(starts, end)] - ops[bisect_left(starts, start)] for start, end in zip(models.starts, ends))


def _kind(seen: Seen) -> str:
    return HANDED_OVER if seen.span.kind == "session-extend" and seen.span.labels.get("first") else seen.span.kind


def models_made_and_used(facts: Facts) -> tuple[Repeat, ...]:
    """Models by line, one for each round in which a function was traced before the next was made: not the parts of one model,
    nor the second time that loading one builds it."""
    traces = (*spans(facts, "trace"), *(seen for seen in facts(late_spans) if seen.span.kind == "trace"))
    traced = sorted(seen.span.start for seen in each(traces))
    found = []
    for one in facts(repeats):
        used = tuple(start for start, until in zip(one.starts, (*one.starts[1:], one.until))
                     if bisect_left(traced, start) < bisect_left(traced, until))
        if one.kind == "model-build" and used:
            found.append(replace(one, starts=used, ns=(), nodes=(), graphs=(), resident=(), variables=(), weights=()))
    return tuple(found)


def growing(facts: Facts) -> Repeat | None:
    """The loop in which one graph grows, named where its rounds begin: that is before the graph is handed over; better, where they make
    operations, if that is known."""
    loops = [one for one in facts(repeats) if one.kind not in MODELS and one.times >= LOOP and len(one.nodes) == one.times
             and list(one.nodes) == sorted(one.nodes) and one.nodes[-1] >= max(1, one.nodes[1]) * GROWTH and len(set(one.graphs)) <= 1]
    loop = max(loops, key=lambda one: (one.kind not in ("session-extend", HANDED_OVER), one.nodes[-1]), default=None)
    return replace(loop, line=loop.made) if loop and loop.made else loop


def _repeat(kind: str, line: SourceLine | None, members: list[Seen], end: int) -> Repeat:
    def numbers(label: str) -> tuple[int, ...]:
        return tuple(int(one.span.labels[label]) for one in members if label in one.span.labels)

    last = members[-1].span.end
    made = [known for one in members if (known := parsed(str(one.span.labels.get("made", ""))))]
    process = members[-1].process
    until = process.end[0] if process.end and process.end[0] > last else max(end, last)
    return Repeat(kind, line, tuple(one.span.start for one in members), tuple(one.span.end - one.span.start for one in members),
                  numbers("nodes"), numbers("graph"), numbers("resident"), numbers("variables"), until, numbers("weights"),
                  tuple(str(one.span.labels.get("name", one.span.name)) for one in members) if kind in MODELS else (),
                  max(made, key=made.count, default=None), max(numbers("gone"), default=0),
                  numbers("settings"), numbers("bytes"))
