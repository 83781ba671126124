"""The graph of objects below some roots, breadth first, as one line per object.

An object's number is the order in which it is first met, and later references say its number: aliases are part of the
lines. Two walks give equal lines exactly when everything that counts below the roots is equal. Tuples, bound methods and
such values, which have no identity of their own, are numbered anew wherever they are met.
"""

import types

from firststep_agent import kinds
from firststep_agent.boost.objects.expand import expand
from firststep_agent.boost.objects.leaves import LEAVES
from firststep_agent.boost.objects.special import ALONE, OF_NO_FRAMEWORK, holds_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from firststep_agent.boost.objects.reading import Reading

_holds_data = kinds.once(holds_data)
EPHEMERAL = kinds.numbers((tuple, frozenset, types.MethodType, slice))


class Walk:
    """What a walk found.

    `lines`: one string per object. `objects`: the objects. `parents`: for each (number of its parent, step); roots have -1.
    `numbers`: id -> number.
    """

    __slots__ = ("lines", "objects", "parents", "numbers", "reading", "opaque")

    def __init__(self, reading: "Reading") -> None:
        self.lines: list[str] = []
        self.objects: list[Any] = []
        self.parents: list[tuple[int, str]] = []
        self.numbers: dict[int, int] = {}
        self.reading = reading
        self.opaque: list[int] = []  # numbers of the objects that cannot be digested

    def digest(self) -> str:
        """Hex digest of all lines."""
        import hashlib

        return hashlib.blake2b("\n".join(self.lines).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def path(self, number: int) -> "list[str]":
        """The steps from a root to this object; the first step is the root's name."""
        steps = []
        while number >= 0:
            number, step = self.parents[number]
            steps.append(step)
        return steps[::-1]


def walk(roots: "Iterable[tuple[str, Any]]", reading: "Reading",
         parts: "Callable[[Any], tuple[str, Iterable[tuple[str, Any]], int | None]] | None" = None) -> "Walk":
    """Walks from `roots` ([(name, value)]). `parts(value)` gives (head, children, kind) and defaults to taking the live value apart."""
    found = Walk(reading)
    lines, objects, parents, numbers = found.lines, found.objects, found.parents, found.numbers
    names = reading.names
    by_kind, presence = ({}, False) if names is None else (names.by_kind, names.presence)
    leaf_of = LEAVES.get
    ephemeral = EPHEMERAL

    for name, value in roots:
        objects.append(value)
        parents.append((-1, name))
        numbers.setdefault(id(value), len(objects) - 1)
    at = 0
    while at < len(objects):
        value = objects[at]
        leaf = leaf_of(id(type(value)))
        word = leaf(value) if leaf is not None else None
        if word is not None:
            lines.append(word)
            at += 1
            continue
        head, children, kind = parts(value) if parts is not None else expand(value, reading)
        if head[0] == "!":
            found.opaque.append(at)
        line = [head]
        keep = by_kind.get(kind)
        for step, child in children:
            if keep is not None and step[0] == "." and step[1] != ".":
                attribute = step[1:]
                if attribute not in keep and attribute[:2] != "__":
                    if not presence or kind not in OF_NO_FRAMEWORK:
                        continue
                    if kind == ALONE or _holds_data(type(child)):  # all of a large array would be read for what hardly anything reads
                        line.append(step)
                        continue
            type_ = id(type(child))
            leaf = leaf_of(type_)
            told = step if "=" not in step else step.replace("=", "==")  # `setattr(o, "a=sb", "c")` is not `o.a = "b=sc"`
            if leaf is not None:
                word = leaf(child)
                if word is not None:
                    line.append(f"{told}={word}")
                    continue
            number = None if type_ in ephemeral else numbers.get(id(child))
            if number is None:
                number = len(objects)
                objects.append(child)
                parents.append((at, step))
                if type_ not in ephemeral:
                    numbers[id(child)] = number
                elif number > 5_000_000:
                    raise RecursionError("values nested without end")
            line.append(f"{told}=@{number}")
        lines.append("\x1f".join(line))
        at += 1
    return found
