"""The findings as JSON, schema 1: `{"schema", "findings", "errors"}`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from firststep.lint.findings import LintFinding
from firststep.lint.run import LintedFile

SCHEMA = 1


def show(outcomes: Sequence[LintedFile], terminal: bool = False) -> str:
    findings = [_finding(outcome.checked.path, finding) for outcome in outcomes for finding in outcome.checked.findings]
    errors = [{"path": outcome.checked.path, "line": trouble.line or None, "message": trouble.message, "error": trouble.error}
              for outcome in outcomes for trouble in outcome.checked.troubles]
    return json.dumps({"schema": SCHEMA, "findings": findings, "errors": errors}, indent=2) + "\n"


def _finding(path: str, finding: LintFinding) -> dict[str, Any]:
    fix = {"title": finding.fix.title, "safe": finding.fix.safe} if finding.fix else None
    return {"rule": finding.rule, "path": path, "line": finding.line, "column": finding.column, "end_line": finding.end_line,
            "end_column": finding.end_column, "message": finding.message, "remedy": finding.remedy, "fix": fix}
