"""Loops of the program's source, by a line within."""

import linecache
import re

LOOP = re.compile(r"\s*(?:async\s+for|for|while)\b")
FUNCTION = re.compile(r"\s*(?:async\s+def|def|class)\b")
COMPREHENSION = re.compile(r"[\[({].*\bfor\b.+\bin\b")
CLAUSE = re.compile(r"\s*(?:async\s+)?for\b.+\bin\b[^:#]*(?:#.*)?$")  # of a comprehension: it ends without a colon
CLAUSES_WITHIN = 2  # lines below what a comprehension makes
CLOSING = "#)]}"  # such a line says nothing by how far it is indented


def loop_around(file: str, number: int) -> "int | None":
    """The line at which the innermost loop begins that a line of a file lies in, within its function; of a comprehension the line itself.
    Told from how far lines are indented: to parse the file could print the program's own syntax warnings once more."""
    below = linecache.getlines(file)
    lines = below[:number]
    if not lines:
        return None
    if COMPREHENSION.search(lines[-1]) or LOOP.match(lines[-1]) or any(map(CLAUSE.match, below[number:number + CLAUSES_WITHIN])):
        return number
    least = _indented(lines[-1])
    for place in range(number - 1, 0, -1):
        line = lines[place - 1]
        if not line.strip() or line.lstrip()[0] in CLOSING or _indented(line) >= least:
            continue
        if LOOP.match(line):
            return place
        if FUNCTION.match(line):
            return None
        least = _indented(line)
    return None


def _indented(line: str) -> int:
    return len(line) - len(line.lstrip())
