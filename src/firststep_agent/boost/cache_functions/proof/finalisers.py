"""Objects that do something when they go, made since the look began: how many of which class, whether anybody reaches them or not.

What a trace leaves in a cycle goes when the collector comes, and says then what it says. No path leads there from anything.
"""

import collections
import gc

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions.proof.held import GENERATORS, is_programs_generator

YOUNG = 0  # the generation in which all are that were made while the collector was off


def now() -> "list[tuple[str, int]]":
    """[(class, how many)] of those that there are, less the frameworks'. The collector has to be off."""
    found = gc.get_objects(generation=YOUNG)
    kinds_of = list(map(type, found))  # each object is looked at once
    by_number = dict(zip(map(id, kinds_of), kinds_of))
    counted = collections.Counter(map(id, kinds_of))
    told = [(kinds.qualified(kind), counted[number]) for number, kind in by_number.items() if _has_own(kind)]
    if GENERATORS.keys() & by_number.keys():
        generators = sum(id(kind) in GENERATORS and is_programs_generator(value) for value, kind in zip(found, kinds_of))
        told += [("generator", generators)] if generators else []  # of a library's, which one child may have alone, nothing is told
    return sorted(told)


def _has_own(kind: type) -> bool:
    """Whether a class, or one that it is below, has a finaliser that is not the frameworks' or Python's own."""
    having = (base for base in kinds.mro(kind) if "__del__" in kinds.namespace(base))
    return any(ownership.module_owner(kinds.module(base)) == ownership.USER for base in having)
