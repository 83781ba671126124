"""The whole result as JSON, by the published schema (docs/report.schema.json)."""

from __future__ import annotations

from collections.abc import Sequence

from firststep.report import as_json
from firststep.report.formats import ReportedStart


def text(starts: Sequence[ReportedStart]) -> str:
    return as_json.text(starts[0].trace)
