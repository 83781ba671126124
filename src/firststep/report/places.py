"""Where something is, as short as a reader needs it."""

from __future__ import annotations

import os

from firststep.model.facts import SourceLine
from firststep.model.trace import Trace

LONGEST = 32  # characters of a short place


def place(line: SourceLine, trace: Trace) -> str:
    """`train.py:12`: relative to where the program ran, else the last two parts of the path; `cell 3:12` of a notebook."""
    file = line.file
    for process in trace.processes:
        if file in process.cells:
            return f"cell {process.cells[file][0]}:{line.line}"
    cwd = next((str(process.header["cwd"]) for process in trace.processes if process.header.get("cwd")), "")
    if cwd and file.startswith(cwd + os.sep):
        file = file[len(cwd) + 1 :]
    elif file.startswith(os.sep):
        file = "/".join(file.split("/")[-2:])
    return f"{file}:{line.line}"


def short_place(line: SourceLine, trace: Trace, longest: int = LONGEST) -> str:
    """Without its first folders where it is too long; then without its beginning, for the line number matters most."""
    where = place(line, trace)
    folders = where
    while len(where) > longest and "/" in folders:
        folders = folders.partition("/")[2]
        where = f"…/{folders}" if "/" in folders else folders
    return where if len(where) <= longest else "…" + where[1 - longest :]


def source(line: SourceLine, trace: Trace) -> str:
    """The text of the line as the trace has it, else nothing: a trace does not say which files are opened here."""
    for process in trace.processes:
        if line.file in process.cells:
            lines = process.cells[line.file][1]
            return lines[line.line - 1].strip() if 0 < line.line <= len(lines) else ""
    return str(trace.header.get("source", {}).get(line.file, {}).get(str(line.line), ""))
