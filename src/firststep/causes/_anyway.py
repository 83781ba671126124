"""What of an import others would have imported had the program not done so before them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from firststep.analyse.facts import Facts
from firststep.analyse.holders import OF_THE_PROGRAM, holders
from firststep.analyse.import_tree import import_tree
from firststep.causes._stretches import outside
from firststep.model.facts import HeavyImport, ImportedModule
from firststep.model.findings import Cut

Stretches = tuple[Cut, ...]


def spared(given: Facts, imports: Sequence[HeavyImport]) -> list[Stretches]:
    """For each of these imports, which are in order, the stretches that go if all of them go: without the modules that a package
    holds which is loaded nevertheless, and without what those modules import in turn."""
    tree = given(import_tree)
    modules = list(tree.modules) if tree else []
    held = given(holders)
    anyway = _Anyway(modules, held or {}, imports)
    kept = tuple(_outermost(modules[index] for index in anyway.found()))
    return [outside((Cut(one.start, one.end),), kept) for one in imports]


class _Anyway:
    """Modules by their index in the tree. A package counts as a whole: which of its modules hold another's is not told."""

    def __init__(self, modules: Sequence[ImportedModule], held: Mapping[str, frozenset[str]], imports: Iterable[HeavyImport]) -> None:
        self._modules, self._held = modules, held
        self._children: dict[int, list[int]] = {}
        self._by_name: dict[str, int] = {}
        for index, one in enumerate(modules):
            self._by_name.setdefault(one.name, index)
            if one.parent is not None:
                self._children.setdefault(one.parent, []).append(index)
        stretches = [(one.start, one.end) for one in imports]
        self._going = {index for index, one in enumerate(modules)
                       if one.main_thread and any(start <= one.start < end for start, end in stretches)}
        self._loaded = {_package(one.name) for index, one in enumerate(modules) if index not in self._going}

    def found(self) -> list[int]:
        """Those that come nevertheless, though they lie in the imports that go."""
        came: set[int] = set()
        while asked := [index for index in self._going - came if self._is_asked_for(index)]:
            for index in asked:
                came |= self._with_what_it_needs(index)
            self._loaded |= {_package(self._modules[index].name) for index in came}
        return sorted(came)

    def _is_asked_for(self, index: int) -> bool:
        name = self._modules[index].name
        return not self._loaded.isdisjoint(self._held.get(name, frozenset()) - {OF_THE_PROGRAM, _package(name)})

    def _with_what_it_needs(self, index: int) -> set[int]:
        """A module, the packages that it lies in, and all that these import; not what a package's import holds only as it lies in
        that of its module."""
        name = self._modules[index].name
        parts = name.split(".")
        names = [".".join(parts[:number]) for number in range(1, len(parts) + 1)]
        todo = [self._by_name[one] for one in names if one in self._by_name]
        found: set[int] = set()
        while todo:
            now = todo.pop()
            if now not in found:
                found.add(now)
                todo += self._children.get(now, ())
        return found & self._going


def _package(name: str) -> str:
    return name.partition(".")[0]


def _outermost(modules: Iterable[ImportedModule]) -> Iterable[Cut]:
    """Their stretches, those left out that lie in another's."""
    end = 0
    for one in modules:
        if one.start >= end:
            end = one.start + one.cumulative_ns
            yield Cut(one.start, end)
