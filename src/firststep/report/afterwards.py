"""One line, at the program's end, about what went on to cost time after its first step."""

from __future__ import annotations

from firststep.analyse.afterwards import afterwards
from firststep.analyse.facts import Facts
from firststep.analyse.machine_code import machine_code
from firststep.analyse.reasons import reason
from firststep.analyse.repeats import HANDED_OVER, LOOP, growing, models_made_and_used, repeats
from firststep.analyse.what_if import in_all
from firststep.causes import compiled_per_shape, eager_where_graph_pays, larger_step_later
from firststep.causes._replayed import is_around_the_programs
from firststep.model.facts_frameworks import Afterwards, LateTrace, Repeat
from firststep.model.words import count, duration, plain_name
from firststep.report.compose import gain_words

FEW, LEAST_NS = 3, 200_000_000  # traces, in so long
LONG_NS = 1_000_000_000  # less than those are nothing to speak of (another batch size) where they took less
EAGER_NS = 1_000_000_000
KINDS = {"session-create": ("session", "sessions"), "initialisation": ("initialisation", "initialisations"),
         "model-compile": ("model compiled", "models compiled"), "session-extend": ("run of a larger graph", "runs of a larger graph"),
         HANDED_OVER: ("whole graph handed over", "whole graphs handed over"),
         "model-build": ("model made", "models made")}


def line(facts: Facts) -> str:
    """`60 more traces in 5.1 s after the first step: n is a Python number`; empty where there is nothing to say."""
    known = facts(afterwards)
    if known is None:
        return ""
    larger = larger_step_later.find(facts)
    later = f"a larger first step came later: {larger.evidence.words} ({larger.do})" if larger else ""
    return "; ".join(filter(None, (_loops(facts), _traces(facts, known), _compiled(facts), _eager(facts), later)))


def _traces(facts: Facts, known: Afterwards) -> str:
    again = [one for one in known.traces if (one.why != "first trace" or one.traces >= FEW) and not is_around_the_programs(one.source)]
    ns, traces = sum(one.ns for one in again), sum(one.traces for one in again) + known.further.get("trace", 0)
    code = facts(machine_code)
    compiled_ns = code.traced_ns if code and again else 0
    if ns + compiled_ns < (LEAST_NS if traces >= FEW else LONG_NS):
        return ""
    by_xla = f", compiled in about {duration(compiled_ns)}," if compiled_ns else ""
    return f"{count(traces, 'more trace')} in {duration(ns)}{by_xla} after the first step: {_reason(again[0])}"


def _eager(facts: Facts) -> str:
    found = eager_where_graph_pays.find(facts)
    gain = in_all(found.cuts) if found and found.after_ready else None
    if found is None or gain is None or gain.high_ns < EAGER_NS:
        return ""
    return f"{found.what}, which may be {gain_words(gain)} of what came after the first: {found.do}"


def _compiled(facts: Facts) -> str:
    found = compiled_per_shape.find(facts)
    if found is None or found.gain is None or not found.after_ready or found.gain.high_ns < LEAST_NS:
        return ""
    return f"after the first step XLA compiled anew for other shapes, about {duration(found.gain.high_ns)}: {found.do}"


def _reason(one: LateTrace) -> str:
    known = reason(one.why)
    if known and known.is_pythons:
        return f"{known.argument} of {plain_name(one.name)} {known.words}"
    if one.why == "first trace":
        return f"{one.traces:,} functions called {plain_name(one.name)}"
    return f"{plain_name(one.name)}, {one.why}"


def _loops(facts: Facts) -> str:
    ready = facts.trace.end
    seen = [one for one in facts(repeats) if one.kind != "model-build"]
    if not any(one.kind == "model-compile" for one in seen):
        seen += facts(models_made_and_used)
    often = {one.kind: one for one in sorted(seen, key=lambda one: _late(one, ready))}  # of each kind the line with the most
    found = [one for one in often.values() if _late(one, ready) >= LOOP]
    if not found:
        return ""
    loops, larger = _by_turns(found, ready), facts(growing)
    told = [_loop(loop, ready) for loop in loops]
    if larger and larger in seen:
        begun = [place for place, loop in enumerate(loops) if min(one.starts[0] for one in loop) <= larger.starts[-1]]
        told[max(begun, default=0)] += f"; the graph grew from {larger.nodes[0]:,} to {larger.nodes[-1]:,} nodes"
    return "after the first step " + ", then ".join(told)


def _by_turns(found: list[Repeat], ready: int) -> list[list[Repeat]]:
    """What takes turns is of one loop; the loops in the order of time, each as it was found."""
    first = {one.kind: min(start for start in one.starts if start > ready) for one in found}
    loops: list[list[Repeat]] = []
    for one in sorted(found, key=lambda one: first[one.kind]):
        if loops and first[one.kind] <= max(other.starts[-1] for other in loops[-1]):
            loops[-1].append(one)
        else:
            loops.append([one])
    return [sorted(loop, key=found.index) for loop in loops]


def _loop(loop: list[Repeat], ready: int) -> str:
    said = ", ".join(count(_late(one, ready), *KINDS[one.kind]) for one in loop)
    most = max(loop, key=lambda one: sum(one.rounds_ns[:-1]))
    where = f" at {most.line.file.rpartition('/')[2]}:{most.line.line}" if most.line else ""
    return f"{said} in a loop{where}, {duration(sum(most.rounds_ns[:-1]))}"


def _late(one: Repeat, ready: int) -> int:
    return sum(start > ready for start in one.starts)
