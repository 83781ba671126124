"""What each package's modules cost: their part of the phase imports, and what ran inside of it and belongs to other phases."""

from __future__ import annotations

from collections import Counter, defaultdict

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.import_tree import import_tree
from firststep.analyse.partition import partition
from firststep.model.facts import ImportedModule, ImportedPackage


def imported_packages(facts: Facts) -> tuple[ImportedPackage, ...]:
    """By top-level package, costliest first; `own_ns` and `compiled_ns` of all together are the phase imports, but for what was compiled
    outside of any."""
    tree = facts(import_tree)
    groups: dict[str, list[ImportedModule]] = defaultdict(list)
    for module in tree.modules if tree else ():
        if module.main_thread:
            groups[_package(module.name)].append(module)
    own = _own(facts)
    found = [_together(name, modules, own[name]) for name, modules in groups.items()]
    return tuple(sorted(found, key=lambda one: (-one.together_ns, one.name)))


def _own(facts: Facts) -> Counter[str]:
    """The stretches of the phase in which a module of the package was the innermost thing that went on."""
    found: Counter[str] = Counter()
    for piece in facts(partition).pieces:
        if piece.phase == phases.IMPORTS and piece.span and piece.span.kind == "import":
            found[_package(piece.span.name)] += piece.end - piece.start
    return found


def _together(name: str, modules: list[ImportedModule], own_ns: int) -> ImportedPackage:
    native, compiled, collected = (sum(values) for values in zip(*((one.native_ns, one.compiled_ns, one.gc_ns) for one in modules)))
    other = max(0, sum(one.self_ns for one in modules) - own_ns)
    return ImportedPackage(name, len(modules), own_ns, native, compiled, collected, other)


def _package(name: str) -> str:
    return name.partition(".")[0]
