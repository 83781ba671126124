"""The findings as workflow commands, which GitHub shows at the lines of a change."""

from __future__ import annotations

from collections.abc import Sequence

from firststep.lint.run import LintedFile
from firststep.lint.show.clean import clean


def show(outcomes: Sequence[LintedFile], terminal: bool = False) -> str:
    lines = []
    for outcome in outcomes:
        path = _property(outcome.checked.path)
        for one in outcome.checked.findings:
            place = f"file={path},line={one.line},endLine={one.end_line},col={one.column},endColumn={one.end_column}"
            where = f"{outcome.checked.path}:{one.line}:{one.column}: {one.rule} {one.words}"
            lines.append(f"::warning title=firststep ({one.rule}),{place}::{_data(where)}")
        for trouble in outcome.checked.troubles:
            line = f",line={trouble.line}" if trouble.line else ""
            lines.append(f"::{'error' if trouble.error else 'warning'} title=firststep,file={path}{line}::{_data(trouble.message)}")
    return "\n".join(lines) + "\n" * bool(lines)


def _data(text: str) -> str:
    return clean(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
