"""One line for each finding, `path:line:column: id message`; on a terminal the source line and an arrow besides."""

from __future__ import annotations

from collections.abc import Sequence

from firststep.lint.findings import Checked, LintFinding
from firststep.lint.run import LintedFile
from firststep.lint.show.clean import clean, width

WIDEST = 200  # characters of a source line


def show(outcomes: Sequence[LintedFile], terminal: bool = False) -> str:
    lines: list[str] = []
    for outcome in outcomes:
        checked = outcome.checked
        source = checked.lines() if terminal and checked.findings else []
        for finding in checked.findings:
            lines.append(_line(checked, finding, terminal))
            if source:
                lines += _excerpt(source[finding.line - 1], finding)
    return "\n".join([*lines, summary(outcomes)]) + "\n"


def troubles(outcomes: Sequence[LintedFile]) -> list[str]:
    """A line for each file, or part of one, that was left out."""
    found = []
    for outcome in outcomes:
        for trouble in outcome.checked.troubles:
            place = f":{trouble.line}" if trouble.line else ""
            found.append(f"firststep: {clean(outcome.checked.path)}{place}: {clean(trouble.message)}")
    return found


def summary(outcomes: Sequence[LintedFile]) -> str:
    """What was found in all, in one line."""
    findings = [finding for outcome in outcomes for finding in outcome.checked.findings]
    files = sum(bool(outcome.checked.findings) for outcome in outcomes)
    applied = sum(outcome.applied for outcome in outcomes)
    safe = sum(finding.fix is not None and finding.fix.safe for finding in findings)
    unsafe = sum(finding.fix is not None and not finding.fix.safe for finding in findings)
    parts = [f"{_count(applied, 'fix', 'fixes')} made"] if applied else []
    nothing = "nothing left" if applied else "nothing found"
    if any(outcome.checked.troubles for outcome in outcomes):
        nothing += " in what could be checked"
    parts.append(f"{_count(len(findings), 'finding')} in {_count(files, 'file')}" if findings else nothing)
    parts += [f"{safe} fixable with --fix"] if safe else []
    parts += [f"{unsafe} with --fix --unsafe-fixes"] if unsafe else []
    return ", ".join(parts)


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _line(checked: Checked, finding: LintFinding, terminal: bool) -> str:
    import click

    place, rule = f"{clean(checked.path)}:{finding.line}:{finding.column}:", finding.rule
    if terminal:
        place, rule = click.style(place, bold=True), click.style(rule, fg="red", bold=True)
    return f"{place} {rule} {clean(finding.words)}"


def _excerpt(line: str, finding: LintFinding) -> list[str]:
    """The source line and an arrow below what is meant."""
    end = finding.end_column if finding.end_line == finding.line else len(line.rstrip()) + 1
    before, meant = (clean(part.replace("\t", "    ")) for part in (line[: finding.column - 1], line[finding.column - 1 : end - 1]))
    shown = clean(line.rstrip("\r\n").replace("\t", "    "))
    number = str(finding.line)
    arrow = " " * width(before) + "^" * max(1, min(width(meant), WIDEST))
    return [f"  {number} | {shown[:WIDEST]}", f"  {' ' * len(number)} | {arrow[: WIDEST]}", ""]
