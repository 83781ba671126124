"""Variables that were made, with their bytes, and what their initial values cost."""

from __future__ import annotations

from bisect import bisect_left

from firststep.analyse.facts import Facts
from firststep.analyse.initial_values import initial_values
from firststep.analyse.own_initial_values import own_initial_values
from firststep.analyse.spans import Seen, outermost, spans, total_ns
from firststep.model.facts_frameworks import Variable, Variables


def variables(facts: Facts) -> Variables | None:
    """None where none was made, or frameworks were not watched."""
    found = spans(facts, "variable")
    if not found:
        return None
    lifted = sorted(_place(seen) for seen in found if seen.span.labels.get("lifted"))
    filled = sorted((*_place(seen), str(seen.span.labels.get("initialiser", ""))) for seen in facts(initial_values))
    made = [_variable(seen, lifted, filled) for seen in outermost(found)]
    return Variables(
        variables=tuple(made),
        bytes=sum(variable.bytes or 0 for variable in made),
        ns=sum(variable.ns for variable in made),
        initialisers_ns=total_ns(facts(initial_values)) + sum(one.end - one.start for one in facts(own_initial_values)),
    )


def _place(seen: Seen) -> tuple[int, int, int]:
    return seen.process.pid, seen.span.thread, seen.span.start


def _variable(seen: Seen, lifted: list[tuple[int, int, int]], filled: list[tuple[int, int, int, str]]) -> Variable:
    """One framework's variable may hold another's: that one, inside it, may be the lifted one. One that is told of no initialiser, as
    Keras's where only the shapes were asked for before, has the one that runs within it."""
    span = seen.span
    shape = span.labels.get("shape")
    pid, thread, start = _place(seen)
    inside, first = bisect_left(lifted, (pid, thread, start)), bisect_left(filled, (pid, thread, start, ""))
    ran = filled[first][3] if first < len(filled) and filled[first][:3] < (pid, thread, span.end) else ""
    return Variable(
        name=str(span.labels.get("name", span.name)),
        shape=None if shape is None else tuple(shape),
        dtype=str(span.labels.get("dtype", "")),
        bytes=span.labels.get("bytes"),
        start=span.start,
        ns=span.end - span.start,
        lifted=inside < len(lifted) and lifted[inside] < (pid, thread, span.end),
        initialiser=str(span.labels.get("initialiser") or ran),
    )
