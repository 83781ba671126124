"""What lint has to say: findings, and files that could not be checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Edit = Callable[[str], str]
"""Source text in, source text out. Raises `CannotEdit` where the text does not allow it."""


class CannotEdit(Exception):
    """The source does not allow an edit: it is left as it is."""


@dataclass(frozen=True)
class Fix:
    """A change of the source. Safe: the program computes the same; unsafe: it may behave differently, as the rule says."""

    title: str
    edit: Edit = field(repr=False, compare=False)
    safe: bool = False


@dataclass(frozen=True)
class LintFinding:
    """One cause at one place. Lines count from 1, columns (in characters) from 1, `end_column` is one past the last."""

    rule: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    remedy: str
    fix: Fix | None = None

    @property
    def words(self) -> str:
        return f"{self.message}; {self.remedy}"


@dataclass(frozen=True)
class Trouble:
    """Why a file, or a part of the work on it, was left out. `line` is 0 where it is the whole file."""

    message: str
    line: int = 0
    error: bool = True


@dataclass(frozen=True)
class Checked:
    """All that is known of one file."""

    path: str
    findings: tuple[LintFinding, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    text: str = field(default="", repr=False)

    def lines(self) -> list[str]:
        from firststep.lint.program.tree import split_lines

        return split_lines(self.text)
