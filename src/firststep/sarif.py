"""SARIF 2.1.0, as code hosts take it: what lint's findings and a report's have in common."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from firststep_agent import AGENT_VERSION

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
Value = Mapping[str, Any]


def document(rules: Sequence[Value], results: Sequence[Value], notes: Sequence[Value] = (), complete: bool = True) -> str:
    """One run. notes: what could not be looked at; complete: whether everything was."""
    driver = {"name": "firststep", "version": AGENT_VERSION, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results,
           "invocations": [{"executionSuccessful": complete, "toolExecutionNotifications": notes}]}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def rule(id_: str, title: str, explanation: str, level: str = "warning") -> Value:
    return {"id": id_, "shortDescription": {"text": title}, "fullDescription": {"text": explanation}, "help": {"text": explanation},
            "defaultConfiguration": {"level": level}}


def location(path: str, region: Value | None = None) -> Value:
    """A place in a file. path: as the user writes it; relative ones are relative to the repository."""
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(path)}}
    if region:
        place["region"] = region
    return {"physicalLocation": place}


def _uri(path: str) -> str:
    relative = os.path.normpath(path) if not os.path.isabs(path) else path
    prefix = "file://" if os.path.isabs(path) else ""
    return prefix + quote(os.fsencode(relative.replace(os.sep, "/")))
