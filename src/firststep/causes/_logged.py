"""Causes that the framework itself tells in its log."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.log_lines import log_lines
from firststep.model.facts import LogLine


def said(given: Facts, *says: str) -> tuple[LogLine, ...]:
    """The lines that say one of these."""
    return tuple(line for line in given(log_lines) if line.says in says)
