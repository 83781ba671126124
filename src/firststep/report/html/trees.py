"""Two trees of times: the samples as a flame graph, and the imports by package as an icicle.

Both are lists of nodes in preorder: [node, parent's index, own microseconds, …]; what is too small to be seen is its parent's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from firststep.analyse.facts import Facts
from firststep.analyse.import_tree import import_tree
from firststep.model import ownership
from firststep.model.facts import ImportTree, SourceLine
from firststep.model.ownership import Ownership
from firststep.model.trace import Frame
from firststep.report.html.limits import STACK, Limits
from firststep.report.html.strings import Strings
from firststep.report.places import place
from firststep.report.stacks import Stack, stacks

US = 1000
USERS, LIBRARYS, PYTHONS = range(3)  # whose a frame is
KINDS = {ownership.USER: USERS, ownership.LIBRARY: LIBRARYS, ownership.GENERATED: LIBRARYS}


class Node:
    """A time with the times inside it, by key."""

    __slots__ = ("own", "total", "inside")

    def __init__(self) -> None:
        self.own = 0
        self.total = 0
        self.inside: dict[Any, Node] = {}

    def add(self, keys: Iterable[Any], ns: int) -> None:
        """ns: of the place that the keys lead to."""
        node = self
        node.total += ns
        for key in keys:
            node = node.inside.setdefault(key, Node())
            node.total += ns
        node.own += ns


def flame(facts: Facts, limits: Limits, strings: Strings) -> dict[str, Any]:
    """frames: [name, place, whose, package, …] by number. The program's own code is the outermost, and stands first."""
    root, frames = Node(), _Frames(facts, strings)
    for stack in facts(stacks):
        root.add(frames.numbers(stack), stack.ns)
    nodes, left_out = _preorder(root, limits.nodes, lambda number: (frames.flat[4 * number + 2], number))
    return {"frames": frames.flat, "nodes": nodes, "total": root.total // US, "left_out": left_out}


def packages(facts: Facts, limits: Limits, strings: Strings) -> dict[str, Any]:
    """Nodes are named by strings. A module's time is its own, with what was taken out of it."""
    root = Node()
    for module in (facts(import_tree) or ImportTree(())).modules:
        if module.main_thread:
            root.add(module.name.split(".")[:STACK], module.self_ns + module.native_ns + module.compiled_ns + module.gc_ns)
    nodes, left_out = _preorder(root, limits.nodes, lambda name: (0, strings(name)))
    return {"nodes": nodes, "total": root.total // US, "left_out": left_out}


class _Frames:
    """The functions of the stacks, each once, whatever line of theirs was seen."""

    def __init__(self, facts: Facts, strings: Strings) -> None:
        self.flat: list[int] = []
        self._facts = facts
        self._strings = strings
        self._owners: dict[int, Ownership] = {}
        self._known: dict[tuple[str, str, int], int] = {}
        self._stacks: dict[int, tuple[int, ...]] = {}

    def numbers(self, stack: Stack) -> tuple[int, ...]:
        """Frames from the program's first one on; all where none is the program's."""
        key = id(stack.frames)
        if key not in self._stacks:
            owners = self._owners.setdefault(id(stack.process), Ownership(stack.process.header))
            first = next((number for number, frame in enumerate(stack.frames) if owners.of(frame.file).kind == ownership.USER), 0)
            self._stacks[key] = tuple(self._number(frame, owners) for frame in stack.frames[first:first + STACK])
        return self._stacks[key]

    def _number(self, frame: Frame, owners: Ownership) -> int:
        key = (frame.file, frame.function, frame.first_line)
        if key not in self._known:
            self._known[key] = len(self._known)
            owner = owners.of(frame.file)
            where = place(SourceLine(frame.file, frame.first_line), self._facts.trace)
            self.flat += [self._strings(frame.function), self._strings(where), KINDS.get(owner.kind, PYTHONS), self._strings(owner.package)]
        return self._known[key]


def _preorder(root: Node, most: int, number: Callable[[Any], tuple[int, int]]) -> tuple[list[int], int]:
    """number: of a key, (what it is sorted by first, what it is called). The nodes, and how many were too small to be among them."""
    totals = sorted(_totals(root), reverse=True)
    least = totals[most] + 1 if len(totals) > most else 1
    flat: list[int] = []
    todo = [((0, 0), root, -1)]
    while todo:
        (_, name), node, parent = todo.pop()
        shown = [(number(key), inside) for key, inside in node.inside.items() if inside.total >= least]
        own = node.total - sum(inside.total for _, inside in shown)
        index = parent
        if node is not root:
            index = len(flat) // 3
            flat += [name, parent, own // US]
        todo += [(key, inside, index) for key, inside in sorted(shown, key=lambda one: (-one[0][0], one[1].total, one[0][1]))]
    return flat, len(totals) - len(flat) // 3


def _totals(root: Node) -> Iterator[int]:
    todo = [root]
    while todo:
        node = todo.pop()
        todo += node.inside.values()
        yield from (inside.total for inside in node.inside.values())
