"""Packages that the program's own lines import: what each costs, and whether anything of it ran afterwards."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Set

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, outermost, spans
from firststep.analyse.user_lines import line_of
from firststep.model.facts import HeavyImport
from firststep.model.ownership import LIBRARY, OWN_MODULES, Ownership
from firststep.model.trace import Process

LEAST_NS = 50_000_000
ENOUGH = 3  # samples: what a command does in a few milliseconds, none of them may have met
LONGEST = 9  # digits of a line's number

Place = tuple[str, int]  # file and line


def heavy_imports(facts: Facts) -> tuple[HeavyImport, ...]:
    """Outermost imports of libraries on the main thread that took long, in order of time."""
    found = []
    for process in {id(leg.process): leg.process for leg in facts(path)}.values():
        mine = tuple(seen for seen in spans(facts, "import") if seen.process is process and seen.on_main_thread)
        own = _own_modules(process, mine)
        for seen in outermost(tuple(one for one in mine if one.span.name.partition(".")[0] not in own)):
            span = seen.span
            package = span.name.partition(".")[0]
            if span.end - span.start >= LEAST_NS and package not in sys.stdlib_module_names and package != OWN_MODULES:
                used = was_used(process, package, span.end, mine, _lines_with(facts, package))
                found.append(HeavyImport(package, span.start, span.end, line_of(facts, seen), used))
    return tuple(found)


def _own_modules(process: Process, imports: tuple[Seen, ...]) -> set[str]:
    """Top-level names whose import ran the user's own files: modules of the program."""
    owners, header = Ownership(process.header), process.header
    files = {frame.file for sample in process.samples for frame in sample.stack}
    own = {file for file in files if owners.of(file).kind not in (LIBRARY, "agent", "generated", "import system", "runner")}
    cwd = str(header.get("cwd") or "")
    roots = {f"{one.rstrip('/')}/" for one in (cwd, *header.get("path", ())) if isinstance(one, str) and one}
    names = {name for file in own for name in _names_of(file, roots)}
    return names & {seen.span.name.partition(".")[0] for seen in imports}


def _names_of(file: str, roots: set[str]) -> set[str]:
    """What modules and packages on the way to a file may be called: from which folder a program imports is not known."""
    ways = [file[len(one):] for one in roots if file.startswith(one)] or ["/".join(file.split("/")[-2:])]
    return {name for way in ways for name in way.removesuffix(".py").split("/")}


def was_used(process: Process, package: str, after: int, imports: tuple[Seen, ...], lines: Set[Place] = frozenset()) -> bool:
    """Whether a later sample was in that package, or at one of these lines, while nothing was being imported, or so few came later that
    nobody knows."""
    owners = Ownership(process.header)
    importing = [(seen.span.start, seen.span.end) for seen in outermost(imports)]
    later = [sample for sample in process.samples
             if sample.at > after and not any(start <= sample.at < end for start, end in importing)]
    return len(later) < ENOUGH or any(
        owners.of(frame.file).package == package or (frame.file, frame.line) in lines for sample in later for frame in sample.stack)


def _lines_with(facts: Facts, package: str) -> Set[Place]:
    """The program's lines, of those that were seen, that name the package or what they have imported of it: what is written in C leaves
    no frame of its own."""
    texts = {(file, int(line)): text for file, lines in facts.trace.header.get("source", {}).items() for line, text in lines.items()
             if line.isdecimal() and len(line) < LONGEST}
    imports = {place: names for place, text in texts.items() if (names := _imported(text, package))}
    named = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in {package, *(name for names in imports.values() for name in names)}))
    return {place for place, text in texts.items() if place not in imports and named.search(text)}


def _imported(text: str, package: str) -> list[str]:
    """The names that an import statement gives something of the package."""
    try:
        node = ast.parse(text).body[0] if text.startswith(("import ", "from ")) else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # it goes on in the next line
    if isinstance(node, ast.ImportFrom):
        of = (node.module or "").partition(".")[0] == package and not node.level
        return [alias.asname or alias.name for alias in node.names if of and alias.name != "*"]
    named = node.names if isinstance(node, ast.Import) else []
    return [alias.asname or package for alias in named if alias.name.partition(".")[0] == package]
