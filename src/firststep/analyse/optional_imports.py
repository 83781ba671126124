"""Libraries that a framework imports because they are installed, though neither it nor the program needs them."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from firststep.analyse.facts import Facts
from firststep.analyse.heavy_imports import was_used
from firststep.analyse.holders import holders
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, outermost, spans
from firststep.analyse.user_lines import line_of
from firststep.model.facts import OptionalImport

FRAMEWORKS = ("tensorflow", "keras", "tf_keras")
# What they cannot do without, and what that needs in turn: by their installers' words, TensorFlow 2.15 to 2.21.
REQUIRED = frozenset((
    "absl astunparse certifi chardet charset_normalizer clang flatbuffers gast google grpc h5py idna keras libclang markdown_it mdurl "
    "ml_dtypes namex numpy opt_einsum optree packaging pkg_resources pygments requests rich setuptools six tensorboard tensorflow "
    "tensorflow_estimator tensorflow_io_gcs_filesystem termcolor tf_keras tree typing_extensions urllib3 wheel wrapt"
).split())


def optional_imports(facts: Facts) -> tuple[OptionalImport, ...]:
    """By package that a framework holds, costliest first; what the program or a library of its own holds as well is none, nor what ran
    afterwards. None at all where the trace does not tell who holds what."""
    held = facts(holders)
    found: list[OptionalImport] = []
    for process in {id(leg.process): leg.process for leg in facts(path)}.values() if held else ():
        mine = tuple(seen for seen in spans(facts, "import") if seen.process is process and seen.on_main_thread)
        groups = _by_package(mine)
        for package in _needed_by_nobody(groups, held or {}):
            first = groups[package][0]
            if not was_used(process, package, first.span.end, mine):
                stretches = tuple((seen.span.start, seen.span.end) for seen in outermost(tuple(groups[package])))
                found.append(OptionalImport(package, _framework_around(first, mine), stretches, 0, line_of(facts, first)))
    alone = [replace(one, ns=_alone(one, found)) for one in found]
    return tuple(sorted(alone, key=lambda one: (-one.ns, one.package)))


def _alone(one: OptionalImport, found: Iterable[OptionalImport]) -> int:
    """Its imports without those of the others that lie in them, of these the outermost."""
    others = sorted((stretch for other in found if other is not one for stretch in other.stretches), key=lambda each: (each[0], -each[1]))
    total = 0
    for start, end in one.stretches:
        total += end - start
        at = start
        for begun, ended in others:
            if at <= begun and ended <= end and (begun, ended) != (start, end):
                total -= ended - begun
                at = ended
    return total


def _by_package(imports: Sequence[Seen]) -> Mapping[str, list[Seen]]:
    """Imports of what is optional that came while a framework was imported: all of a package, or none."""
    inside = outermost(tuple(seen for seen in imports if _package(seen) in FRAMEWORKS))
    groups: dict[str, list[Seen]] = defaultdict(list)
    asked_for_elsewhere = set()
    for seen in imports:
        package = _package(seen)
        if package in REQUIRED or package in sys.stdlib_module_names:
            continue
        if any(one.span.start <= seen.span.start < one.span.end for one in inside):
            groups[package].append(seen)
        else:
            asked_for_elsewhere.add(package)
    return {package: found for package, found in groups.items() if package not in asked_for_elsewhere}


def _needed_by_nobody(groups: Mapping[str, list[Seen]], held: Mapping[str, frozenset[str]]) -> list[str]:
    """Those that frameworks hold, and else only packages that go with them."""
    by: dict[str, set[str]] = defaultdict(set)
    for module, packages in held.items():
        by[module.partition(".")[0]] |= packages
    left = set(groups)
    while needed := {package for package in left if not by[package] <= left.union(FRAMEWORKS)}:
        left -= needed
    return [package for package in groups if package in left and not by[package].isdisjoint(FRAMEWORKS)]


def _framework_around(seen: Seen, imports: Iterable[Seen]) -> str:
    """The framework whose module's import is the innermost around it."""
    around = [one for one in imports if _package(one) in FRAMEWORKS and one.span.start <= seen.span.start < one.span.end]
    return _package(around[-1])


def _package(seen: Seen) -> str:
    return seen.span.name.partition(".")[0]
