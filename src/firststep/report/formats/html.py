"""A page of one file, for any browser; two starts side by side."""

from __future__ import annotations

from collections.abc import Sequence

from firststep.report.formats import ReportedStart
from firststep.report.html.page import page

MOST = 2
PROFILES = "start"


def text(starts: Sequence[ReportedStart]) -> str:
    return page([start.trace for start in starts], redacted=all(start.redacted for start in starts),
                profiles=[profile for start in starts for profile in start.profiles])
