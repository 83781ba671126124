"""The findings as SARIF 2.1.0, as code hosts take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from firststep import sarif
from firststep.lint.findings import LintFinding, Trouble
from firststep.lint.rules import all_rules
from firststep.lint.run import LintedFile


def show(outcomes: Sequence[LintedFile], terminal: bool = False) -> str:
    results = [_result(outcome.checked.path, finding) for outcome in outcomes for finding in outcome.checked.findings]
    notes = [_note(outcome.checked.path, trouble) for outcome in outcomes for trouble in outcome.checked.troubles]
    complete = not any(trouble.error for outcome in outcomes for trouble in outcome.checked.troubles)
    return sarif.document([sarif.rule(rule.id, rule.title, rule.explanation) for rule in all_rules()], results, notes, complete)


def _result(path: str, finding: LintFinding) -> Mapping[str, Any]:
    places = [rule.id for rule in all_rules()]
    region = {"startLine": finding.line, "startColumn": finding.column, "endLine": finding.end_line, "endColumn": finding.end_column}
    return {"ruleId": finding.rule, "ruleIndex": places.index(finding.rule), "level": "warning", "message": {"text": finding.words},
            "locations": [sarif.location(path, region)]}


def _note(path: str, trouble: Trouble) -> Mapping[str, Any]:
    level = "error" if trouble.error else "warning"
    region = {"startLine": trouble.line} if trouble.line else None
    return {"level": level, "message": {"text": trouble.message}, "locations": [sarif.location(path, region)]}
