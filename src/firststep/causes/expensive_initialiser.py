"""Initial values are expensive to compute.

Symptom: `build`, or the construction of a model, takes long in proportion to its weights.

Why: most initialisers draw one random number for each weight, and some do more: `Orthogonal` factorises a matrix, which
takes seconds for a few thousand rows. Zeros cost next to nothing, but all-zero weights do not train.

Confirmed by: the time of each initialiser, summed by kind with the bytes that it filled. Values that are overwritten unread are
another cause's (`discarded-initialisation`).

Remedy: a cheaper initialiser where it is as good: `glorot_uniform` instead of `orthogonal` in large layers. What the usual kinds cost is
the price of training from the beginning; where weights are given to the model all the same, build it with `initializer='zeros'`.

Source: the second document ("glorot_uniform ... incurs computational cost for every weight") and the fifth.
"""

from __future__ import annotations

from collections import defaultdict

from firststep.analyse.facts import Facts
from firststep.analyse.initial_values import initial_values
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._overwritten import filled, overwritten
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration, size

GROUP = "variables"
WATCHED = ("frameworks",)
FACTS = (initial_values, spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
CHEAP = ("Zeros", "Ones", "Constant")
SLOW_NS = 40_000_000  # of one kind, together
MUCH = 1_000_000  # bytes: filling less is the price of the first operations, not of the values
DEAR = ("Orthogonal", "OrthogonalInitializer")
SHARE = {True: (0.7, 0.98), False: (0.2, 0.95)}  # by whether a common kind would do the same for less


def find(given: Facts) -> Found | None:
    kinds: dict[str, list[Seen]] = defaultdict(list)
    known = overwritten(given)
    unread = {id(one) for one in known.made} if known else set()
    for one in given(initial_values):
        if _counts(one) and id(one) not in unread:
            kinds[str(one.span.labels.get("initialiser", one.span.name))].append(one)
    if not kinds:
        return None
    kind, seen = max(kinds.items(), key=lambda item: time_in(of_spans(item[1])))
    cuts = of_spans(seen, SHARE[kind in DEAR])
    if time_in(cuts) < SLOW_NS or filled(seen) < MUCH:
        return None
    times = f"{len(seen)} × " if len(seen) > 1 else ""
    do = "glorot_uniform costs a fraction" if kind in DEAR else "initializer='zeros' where they are overwritten unread"
    return Found(f"{kind} initial values", Evidence(f"{times}{kind} took {duration(time_in(cuts))} for {size(filled(seen))}",
                                                    line_of(given, *seen)), do, "high" if kind in DEAR else "medium", cuts)


def _counts(one: Seen) -> bool:
    return one.on_main_thread and not one.span.labels.get("lifted") and one.span.labels.get("initialiser") not in CHEAP
