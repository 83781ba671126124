"""Markdown for pull requests: the verdict, the findings, the phases.

Names of the program stand in it as text: none of them is markup, mentions anybody, or refers to an issue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from firststep.analyse.facts import Facts
from firststep.diagnose import diagnosis
from firststep.printable import one_line
from firststep.report.compose import compose, finding_row
from firststep.report.formats import ReportedStart
from firststep.report.lengths import cut
from firststep.report.tree import FindingRow, Report

PUNCTUATION = re.compile(r"([\\`*_{}\[\]()#!|~$])")
LONGEST = 300
MOST_NOTES = 20


def text(starts: Sequence[ReportedStart]) -> str:
    facts = Facts(starts[0].trace)
    report = compose(facts)
    rows = [finding_row(facts, one) for one in facts(diagnosis).findings]
    return "\n".join([*_head(report), *_findings(rows), *_phases(report), *_lines(report), *_notes(report)]) + "\n"


def escaped(words: str) -> str:
    """Text that is only text, in a paragraph and in a cell of a table."""
    plain = cut(one_line(words), LONGEST).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    plain = PUNCTUATION.sub(r"\\\1", plain)
    plain = re.sub(r"@(?=\w)", "@<!-- -->", plain)
    return re.sub(r"(?i)\b(https?|www|gh)(?=[\\.:-])", r"\1<!-- -->", plain)


def code(words: str) -> str:
    """A name, a command or a line, as code; empty for nothing."""
    plain = cut(one_line(words), LONGEST).replace("|", "\\|").strip()
    if not plain:
        return ""
    longest = max(map(len, re.findall("`+", plain)), default=0)
    fence = "`" * (longest + 1)
    around = " " if plain[0] == "`" or plain[-1] in "`\\" else ""
    return f"{fence}{around}{plain}{around}{fence}"


def _head(report: Report) -> Iterator[str]:
    yield f"### {escaped(report.time)} from start to {escaped(report.reached)}"
    yield ""
    yield f"**{escaped(report.verdict)}**"
    if report.outlook:
        yield f"{escaped(report.outlook)}."
    yield ""


def _findings(rows: Sequence[FindingRow]) -> Iterator[str]:
    if not rows:
        return
    yield "| finding | saves | evidence | what to do |"
    yield "|---|---|---|---|"
    for row in rows:
        place = f" ({code(row.place)})" if row.place else ""
        gain = f"{row.when} {row.gain}".lstrip()
        yield f"| {code(row.id)} {escaped(row.what)} | {escaped(gain)} | {escaped(row.evidence)}{place} | {escaped(row.do)} |"
    yield ""


def _phases(report: Report) -> Iterator[str]:
    yield "<details><summary>Where the time went</summary>"
    yield ""
    yield "| phase | time | share | |"
    yield "|---|--:|--:|---|"
    for row in [*report.phases, *([report.rest] if report.rest else [])]:
        yield f"| {escaped(row.phase)} | {escaped(row.time)} | {row.share:.0%} | {escaped(', '.join(row.detail))} |"
    yield ""
    yield "</details>"
    yield ""


def _lines(report: Report) -> Iterator[str]:
    if not report.lines:
        return
    yield "<details><summary>Lines of the program that cost most, each with all that it calls</summary>"
    yield ""
    yield "| line | time | |"
    yield "|---|--:|---|"
    for row in report.lines:
        yield f"| {code(row.place)} | {escaped(row.time)} | {code(row.text)} |"
    yield ""
    yield "</details>"
    yield ""


def _notes(report: Report) -> Iterator[str]:
    warnings = [note.words for note in report.notes if note.kind == "warning"]
    for words in warnings[:MOST_NOTES]:
        yield f"- {escaped(words)}"
    if len(warnings) > MOST_NOTES:
        yield f"- and {len(warnings) - MOST_NOTES:,} more"
    yield f"<sub>{escaped(report.machine)}; {code(report.command)}</sub>"
