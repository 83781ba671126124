"""The findings as SARIF 2.1.0, as code hosts take it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from firststep.lint.findings import Finding, Trouble
from firststep.lint.rules import all_rules
from firststep.lint.run import Outcome
from firststep_agent import AGENT_VERSION

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def show(outcomes: Sequence[Outcome], terminal: bool = False) -> str:
    results = [_result(outcome.checked.path, finding) for outcome in outcomes for finding in outcome.checked.findings]
    notes = [_note(outcome.checked.path, trouble) for outcome in outcomes for trouble in outcome.checked.troubles]
    rules = [{"id": rule.id, "shortDescription": {"text": rule.title}, "fullDescription": {"text": rule.explanation},
              "help": {"text": rule.explanation}, "defaultConfiguration": {"level": "warning"}} for rule in all_rules()]
    driver = {"name": "firststep", "version": AGENT_VERSION, "rules": rules}
    complete = not any(trouble.error for outcome in outcomes for trouble in outcome.checked.troubles)
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results,
           "invocations": [{"executionSuccessful": complete, "toolExecutionNotifications": notes}]}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _result(path: str, finding: Finding) -> dict[str, Any]:
    places = [rule.id for rule in all_rules()]
    region = {"startLine": finding.line, "startColumn": finding.column, "endLine": finding.end_line, "endColumn": finding.end_column}
    return {"ruleId": finding.rule, "ruleIndex": places.index(finding.rule), "level": "warning", "message": {"text": finding.words},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(path)}, "region": region}}]}


def _note(path: str, trouble: Trouble) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(path)}}
    if trouble.line:
        place["region"] = {"startLine": trouble.line}
    level = "error" if trouble.error else "warning"
    return {"level": level, "message": {"text": trouble.message}, "locations": [{"physicalLocation": place}]}


def _uri(path: str) -> str:
    relative = os.path.normpath(path) if not os.path.isabs(path) else path
    prefix = "file://" if os.path.isabs(path) else ""
    return prefix + quote(os.fsencode(relative.replace(os.sep, "/")))
