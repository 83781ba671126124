"""The findings as SARIF 2.1.0, for code hosts: a result for each, at the line of the program that it happened at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from firststep import sarif
from firststep.analyse.facts import Facts
from firststep.causes import all_causes
from firststep.diagnose import diagnosis
from firststep.model.findings import Finding
from firststep.model.trace import Trace
from firststep.printable import one_line
from firststep.report.compose import gain_words
from firststep.report.formats import ReportedStart
from firststep.report.shared import relative

LEVELS = {"high": "error", "medium": "warning", "low": "note"}


def text(starts: Sequence[ReportedStart]) -> str:
    trace = starts[0].trace
    found = Facts(trace)(diagnosis)
    ids = [one.id for one in found.findings]
    rules = [sarif.rule(cause.id, cause.title, cause.page) for cause in all_causes() if cause.id in ids]
    places = {rule["id"]: place for place, rule in enumerate(rules)}
    notes = [{"level": "error", "message": {"text": f"{one.id} could not be looked for: {one.error}"}} for one in found.failed]
    return sarif.document(rules, [_result(one, places[one.id], trace) for one in found.findings], notes, not found.failed)


def _result(one: Finding, place: int, trace: Trace) -> Mapping[str, Any]:
    gain = gain_words(one.gain)
    saves = f" It would save {gain}{' after the first step' if one.after_ready else ''}." if gain else ""
    words = one_line(f"{one.what}: {one.evidence.words}.{saves} {one.do[:1].upper()}{one.do[1:]}.")
    return {"ruleId": one.id, "ruleIndex": place, "level": LEVELS[one.severity], "message": {"text": words},
            "locations": list(_locations(one, trace)),
            "properties": {"gain_low_ns": one.gain.low_ns, "gain_high_ns": one.gain.high_ns, "confidence": one.confidence,
                           "remedies": list(one.remedies)}}


def _locations(one: Finding, trace: Trace) -> list[Mapping[str, Any]]:
    """The user's line; without one, the program: code hosts show no result that is nowhere."""
    line = one.evidence.line
    if line and (file := relative(line.file, trace)):
        return [sarif.location(file, {"startLine": max(1, line.line)})]
    program = next((str(word) for part in trace.processes[:1] for word in part.header.get("argv", ()) if str(word).endswith(".py")), "")
    file = relative(program, trace) if program else None
    return [sarif.location(file, {"startLine": 1})] if file else []
