"""What a traced graph comes into: the graphs of its forward and backward pass, and those of the functions that call it.

Where a gradient is taken of a function's call, TensorFlow makes two graphs of its one, and gives them its name. A function that another
calls is inlined into that one's graph before it is optimised.
"""

from __future__ import annotations

from collections import defaultdict

from firststep.analyse.facts import Facts
from firststep.analyse.spans import Seen, spans
from firststep.causes._replayed import is_around_the_programs
from firststep.model.words import plain_name

BACKWARD = "__backward_"
Graphs = dict[str, int]
"""Operations of graphs, by their names."""


def graphs_of(given: Facts, wanted: list[Seen]) -> list[Graphs]:
    """For each of these traces its own graph, and those that were made of it. A name is the last trace's that had it until then."""
    of_name: dict[tuple[int, str], list[Seen]] = defaultdict(list)
    for one in spans(given, "trace"):
        of_name[one.process.pid, plain_name(_function(one))].append(one)
    found: dict[int, Graphs] = {id(one): {_function(one): operations(one)} for one in wanted}
    for one in spans(given, "function-register"):
        alike = of_name.get((one.process.pid, _traced_as(one.span.name)), [])
        last = max((each for each in alike if each.span.start <= one.span.start), key=lambda each: each.span.start, default=None)
        if last is not None and id(last) in found:
            found[id(last)][one.span.name] = operations(one)
    return [found[id(one)] for one in wanted]


def holders(given: Facts, inner: Seen) -> list[Seen]:
    """The traces of all functions that call this one, or call one that does. Each says whom it calls; one that was being traced when this
    one was does as well, and so does each later trace of it. What an input pipeline runs is no part of their graphs, nor are the
    framework's own helpers."""
    if is_around_the_programs(str(inner.span.labels.get("source", ""))):
        return []
    traces = list(spans(given, "trace"))
    graphs = {id(one): set(found) for one, found in zip(traces, graphs_of(given, traces))}
    around, called = _keys_around(given, inner), graphs[id(inner)]
    found = [one for one in traces if one is not inner and _key(one) in around and one.span.end > inner.span.start]
    more = [inner, *found]
    while more:
        called = called.union(*(graphs[id(one)] for one in more))
        known = {id(one) for one in (inner, *found)}
        more = [one for one in traces if id(one) not in known and not called.isdisjoint(one.span.labels.get("calls") or ())]
        found = found + more
    return found


def _keys_around(given: Facts, inner: Seen) -> set[tuple[str, str]]:
    apart = [one for one in spans(given, "data-function") if _lies_in(inner, one)]
    around = (one for one in spans(given, "trace") if _lies_in(inner, one))
    return {_key(one) for one in around if not any(_lies_in(each, one) for each in apart)}


def operations(one: Seen) -> int:
    return int(one.span.labels.get("ops", 0))


def inside(given: Facts, holder: Seen) -> list[Seen]:
    """The traces that began while this one went on, and itself."""
    return [one for one in spans(given, "trace") if one is holder or _lies_in(one, holder)]


def _lies_in(inner: Seen, outer: Seen) -> bool:
    """Whether one lies inside the other, on one thread."""
    return (inner is not outer and inner.process is outer.process and inner.span.thread == outer.span.thread
            and outer.span.start <= inner.span.start and inner.span.end <= outer.span.end)


def _function(trace: Seen) -> str:
    return str(trace.span.labels.get("function", ""))


def _traced_as(graph: str) -> str:
    """`__inference___backward_run_7_9` and `__forward_run_9` were made of `run`."""
    plain = plain_name(graph)
    return plain_name(plain) if plain.startswith(BACKWARD) else plain


def _key(trace: Seen) -> tuple[str, str]:
    return trace.span.name, str(trace.span.labels.get("source", ""))
