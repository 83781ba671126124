"""The program's own source with the time that each of its lines took."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.source_lines import source_lines
from firststep.model.facts import LineTime, SourceLine
from firststep.model.words import duration
from firststep.printable import one_line
from firststep.report.html.limits import SOURCE_LINES
from firststep.report.lengths import NAME, cut
from firststep.report.places import place, source


@dataclass(frozen=True)
class PageLine:
    """own, total: times in words, empty where there was none; bar: of the start, 0 to 1; after_gap: lines before it are not known."""

    number: int
    text: str
    own: str
    total: str
    bar: float
    after_gap: bool


@dataclass(frozen=True)
class File:
    """id: of its place in the page."""

    id: str
    name: str
    total: str
    lines: tuple[PageLine, ...]


def files(facts: Facts) -> tuple[tuple[File, ...], int]:
    """Files in order of the time they took, and how many lines there was no room for."""
    wall = facts(partition).wall_ns or 1
    known = sorted(facts(source_lines), key=lambda one: (-one.total_ns, one.line))
    by_file: dict[str, list[LineTime]] = defaultdict(list)
    for one in known[:SOURCE_LINES]:
        by_file[one.line.file].append(one)
    ordered = sorted(by_file.items(), key=lambda item: (-sum(one.self_ns for one in item[1]), item[0]))
    return tuple(_file(facts, number, name, found, wall) for number, (name, found) in enumerate(ordered)), max(0, len(known) - SOURCE_LINES)


def _file(facts: Facts, number: int, name: str, found: list[LineTime], wall: int) -> File:
    times = {one.line.line: one for one in found}
    read = facts.trace.header.get("source", {}).get(name, {})
    numbers = sorted({*times, *(int(key) for key in list(read)[:SOURCE_LINES] if key.isascii() and key.isdigit() and len(key) < 9)})
    lines, before = [], numbers[0] - 1 if numbers else 0
    for line in numbers:
        took = times.get(line)
        lines.append(PageLine(line, cut(one_line(source(SourceLine(name, line), facts.trace)), 2 * NAME),
                              duration(took.self_ns) if took and took.self_ns else "", duration(took.total_ns) if took else "",
                              min(1.0, took.total_ns / wall) if took else 0.0, line != before + 1))
        before = line
    return File(f"file{number}", cut(one_line(place(SourceLine(name, 0), facts.trace).rpartition(":")[0])),
                duration(sum(one.self_ns for one in found)), tuple(lines))


def anchors(found: tuple[File, ...]) -> dict[tuple[str, int], str]:
    """(file as the page calls it, line) -> the id of the line's place in the page."""
    return {(file.name, line.number): f"{file.id}-{line.number}" for file in found for line in file.lines}


def name_of(line: SourceLine, facts: Facts) -> str:
    """A file as the page calls it."""
    return cut(one_line(place(SourceLine(line.file, 0), facts.trace).rpartition(":")[0]))
