"""Properties, static methods and class methods, whoever holds them: what they wrap, and what was set on them.

They are made in C, so that no attribute shows all of it, and not the framework's alone: each is told by the words of its structure.
"""

import functools
import itertools

from firststep_agent import kinds
from firststep_agent.boost.cache_functions.proof import raw
from firststep_agent.boost.cache_functions.proof.contents import digest, items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from firststep_agent.boost.cache_functions.proof.glance import Held
    from firststep_agent.boost.cache_functions.proof.tracked import Tracked

KINDS = (property, classmethod, staticmethod)
_HEAD = 2  # words of any object: how often it is referred to, and its class


def is_wanted(kind: type) -> bool:
    """Whether objects of this class are such."""
    return issubclass(kind, KINDS)


def among(tracked: "Tracked") -> "Iterator[tuple[list[Any], Callable[[Held], Iterable[Any]], Callable[[Any], int]]]":
    """Those among all objects: (some of one kind, what is the same for as long as they are, a token of one)."""
    for kind in KINDS:
        found = [value for value, _ in tracked.of(functools.partial(_is_below, kind))]
        yield found, functools.partial(_seen, kind), functools.partial(_token, kind)


def _is_below(kind: type, cls: type) -> bool:
    return issubclass(cls, kind)


def _seen(kind: type, held: "Held") -> "Iterable[Any]":
    own = kinds.dict_offset(kind) // raw.WORD
    put_on = raw.words([place + own for place in held.at]) if own else ()
    return itertools.chain(raw.spans(held.at, _HEAD, kind.__basicsize__ // raw.WORD), raw.changes([at // raw.WORD for at in put_on if at]))


def _token(kind: type, value: "Any") -> int:
    """Less where its dictionary stands, which is made when it is first asked for."""
    (structure,) = raw.spans(raw.places([value]), _HEAD, kind.__basicsize__ // raw.WORD)
    own = kinds.dict_offset(kind) - _HEAD * raw.WORD
    if own < 0:
        return digest(structure)
    return digest((structure[:own], structure[own + raw.WORD:], items(value.__dict__) if value.__dict__ else None))
