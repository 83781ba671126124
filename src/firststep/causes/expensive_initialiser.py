"""Initial values are expensive to compute.

Symptom: `build`, or the construction of a model, takes long in proportion to its weights.

Why: most initialisers draw one random number for each weight, and some do more: `Orthogonal` factorises a matrix, which
takes seconds for a few thousand rows. A function of the program's own may take any time. Zeros cost next to nothing, but all-zero
weights do not train. Keras 3 calls such a function twice where a model has variables only when it is first called: once for the shapes of
its layers, of which the value is thrown away, and once for the variable.

Confirmed by: the time of each initialiser, summed by kind with the bytes that it filled; of a function of the program's own, the samples
in which the making of a variable had called it, or Keras where it wanted shapes; of a line that computes a value and makes a variable of
it (`tf.Variable(tf.random.normal(shape))`), the samples in which that line was under way before. Variables that are made within a trace
get theirs together, from a graph: its time is told where orthogonal values were built into it. Values that are overwritten unread are
another cause's (`discarded-initialisation`).

Remedy: a cheaper initialiser where it is as good: `glorot_uniform` instead of `orthogonal` in large layers; what a function of your own
computes at every start can be computed once and kept in a file. What the usual kinds cost is the price of training from the beginning:
one random number for each weight, and fewer with fewer weights.

Source: the second document ("glorot_uniform ... incurs computational cost for every weight") and the fifth.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import NamedTuple

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.given_values import given_values
from firststep.analyse.initial_values import initial_values
from firststep.analyse.own_initial_values import OwnValue, own_initial_values, own_values
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._overwritten import filled, overwritten
from firststep.causes._stretches import of_own_values, of_phases_in, of_spans, time_in
from firststep.model.facts import SourceLine
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration, plain_name, size

GROUP = "variables"
WATCHED = ("frameworks",)
FACTS = (given_values, initial_values, own_initial_values, own_values, partition, spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
CHEAP = ("Zeros", "Ones", "Constant")
SLOW_NS = 40_000_000  # of one kind, together
MUCH = 1_000_000  # bytes: filling less is the price of the first operations, not of the values
COSTLY = ("Orthogonal", "OrthogonalInitializer")
LESS = "glorot_uniform costs a fraction"
SHARE_OF_OWN, SHARE_OF_LINES = (0.5, 0.98), (0.2, 0.95)
SHARE_OF_LIFTED = (0.5, 0.95)  # the others of the trace are in it
SHARE = {True: (0.7, 0.98), False: (0.2, 0.95)}  # by whether a common kind would do the same for less


class _Costly(NamedTuple):
    """What computed costly values, and the finding that it would be alone."""

    name: str
    found: Found


def find(given: Facts) -> Found | None:
    known = overwritten(given)
    unread = {id(one) for one in (*known.made, *known.own)} if known else set()
    own = [one for one in given(own_values) if id(one) not in unread]
    read = [one for one in given(initial_values) if one.on_main_thread and id(one) not in unread]
    by_lines = [one for one in given(given_values) if id(one) not in unread]
    costly = [one for one in (_by_themselves(given, read), _lifted(given, read), _of_the_program(own), _of_lines(by_lines)) if one]
    if not costly:
        return None
    most, *others = sorted(costly, key=lambda one: -time_in(one.found.cuts))
    besides = "".join(f", {one.name} {duration(time_in(one.found.cuts))}" for one in others)
    evidence = Evidence(most.found.evidence.words + besides, most.found.evidence.line)
    return replace(most.found, evidence=evidence)


def _by_themselves(given: Facts, read: list[Seen]) -> _Costly | None:
    """Values that were computed one by one: the kind that took the most."""
    kinds: dict[str, list[Seen]] = defaultdict(list)
    for one in read:
        if not one.span.labels.get("lifted") and one.span.labels.get("initialiser") not in CHEAP:
            kinds[_kind(one)].append(one)
    if not kinds:
        return None
    kind, seen = max(kinds.items(), key=lambda item: time_in(of_spans(item[1])))
    cuts = of_spans(seen, SHARE[kind in COSTLY])
    if time_in(cuts) < SLOW_NS or filled(seen) < MUCH:
        return None
    times = f"{len(seen)} × " if len(seen) > 1 else ""
    do = LESS if kind in COSTLY else "fewer weights: each begins with a random number"
    evidence = Evidence(f"{times}{kind} took {duration(time_in(cuts))} for {size(filled(seen))}", line_of(given, *seen))
    return _Costly(kind, Found(f"{kind} initial values", evidence, do, "high" if kind in COSTLY else "medium", cuts))


def _of_the_program(own: list[OwnValue]) -> _Costly | None:
    """Values of the program's own functions: the one that took the most."""
    name, seen = _longest(own)
    cuts = of_own_values(seen, SHARE_OF_OWN)
    if time_in(cuts) < SLOW_NS:
        return None
    return _Costly(plain_name(name), Found("values of your own function", _evidence(name, seen),
                                         "a cheaper one; or compute it once, and load it", "high", cuts))


def _of_lines(values: list[OwnValue]) -> _Costly | None:
    """Values that a line gives to the variable that it makes."""
    name, seen = _longest(values)
    cuts = of_own_values(seen, SHARE_OF_LINES)
    if time_in(cuts) < SLOW_NS or filled(one.variable for one in seen) < MUCH:
        return None
    return _Costly(plain_name(name), Found("values of variables", _evidence(name, seen),
                                         "fewer weights; or compute them once, and load them", "medium", cuts))


def _longest(values: list[OwnValue]) -> tuple[str, list[OwnValue]]:
    """The function that took the most."""
    functions: dict[str, list[OwnValue]] = defaultdict(list)
    for one in values:
        functions[one.function].append(one)
    return max(functions.items(), key=lambda item: sum(one.end - one.start for one in item[1]), default=("", []))


def _evidence(name: str, seen: list[OwnValue]) -> Evidence:
    filled_by_it = filled({id(one.variable): one.variable for one in seen}.values())
    lines: Counter[SourceLine] = Counter()
    for one in seen:
        lines[one.line] += one.end - one.start
    took = sum(one.end - one.start for one in seen)
    return Evidence(f"{plain_name(name)} took {duration(took)} for {size(filled_by_it)}", lines.most_common(1)[0][0])


def _lifted(given: Facts, read: list[Seen]) -> _Costly | None:
    """Costly values that were built into a trace, and computed with all others of it by what was lifted out of it."""
    lifted = [one for one in read if one.span.labels.get("lifted")]
    built = [one for one in spans(given, "initialiser") if one.span.labels.get("symbolic") and _kind(one) in COSTLY]
    traces = spans(given, "trace")
    holding: list[Seen] = []
    costly: list[Seen] = []
    for one in lifted:
        trace = max((each for each in traces if each.span.end <= one.span.start), key=lambda each: each.span.end, default=None)
        inside = [each for each in built if trace and trace.span.start <= each.span.start < trace.span.end]
        if inside:
            holding.append(one)
            costly += inside
    cuts = of_phases_in(given, (phases.OPTIMISATION, phases.EXECUTION), holding, SHARE_OF_LIFTED)
    if time_in(cuts) < SLOW_NS or filled(costly) < MUCH:
        return None
    kind = _kind(costly[0])
    evidence = Evidence(f"{duration(time_in(cuts))} for values of a trace, {kind} of {size(filled(costly))} too", line_of(given, *holding))
    return _Costly(f"{kind} of a trace", Found(f"{kind} initial values", evidence, LESS, "medium", cuts))


def _kind(one: Seen) -> str:
    return str(one.span.labels.get("initialiser", one.span.name))
