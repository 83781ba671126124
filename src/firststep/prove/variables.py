"""Variables of two runs, one against the other, by name and by value.

A variable whose name exists in one run only is matched by its value, if the names differ in nothing but the numbers
that TensorFlow appends to make them unique (`accuracy/count`, `accuracy_1/count`): it was made at another moment and
is called otherwise, but nothing else was computed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from firststep.prove.run import Digest

_NUMBERED = re.compile(r"(_\d+)+(?=[/:]|$)")

Variable = Sequence[Any]  # name, type, digest of the value


@dataclass(frozen=True)
class Match:
    """unequal: names of variables whose value the other run does not have; renamed: names of the others, in pairs."""

    unequal: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]


def match(one: Digest, two: Digest) -> Match | None:
    """None where the variables are not listed one by one, so that nobody can say which differ."""
    if len(one.values) < one.count or len(two.values) < two.count:
        return None
    mine, others = (Counter(tuple(value) for value in each.values) for each in (one, two))
    candidates = defaultdict(list)
    for variable in (others - mine).elements():
        candidates[_unnumbered(variable)].append(variable)
    known = [{name for name, *_ in each} for each in (mine, others)]
    unequal, renamed = [], []
    for variable in (mine - others).elements():
        found = next((other for other in candidates[_unnumbered(variable)]
                      if variable[0] not in known[1] or other[0] not in known[0]), None)
        if found is None:
            unequal.append(variable[0])
        else:
            candidates[_unnumbered(variable)].remove(found)
            renamed.append((variable[0], found[0]))
    return Match(tuple(sorted(unequal)), tuple(sorted(renamed)))


def _unnumbered(variable: Variable) -> tuple[Any, ...]:
    name, *rest = variable
    return (_NUMBERED.sub("", name), *rest)
