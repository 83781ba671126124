"""How frames are called in formats of other tools."""

from __future__ import annotations

from firststep.model.facts import SourceLine
from firststep.model.trace import Frame, Trace
from firststep.printable import one_line
from firststep.report.places import place


def file_of(frame: Frame, trace: Trace) -> str:
    """The file as short as a reader needs it."""
    return one_line(place(SourceLine(frame.file, 0), trace).rpartition(":")[0])


def label(frame: Frame, trace: Trace) -> str:
    """`Model.fit (src/trainers/trainer.py)`"""
    return f"{one_line(frame.function)} ({file_of(frame, trace)})"
