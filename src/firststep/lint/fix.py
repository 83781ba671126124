"""Fixes applied to a text, one after the other, each looked at again before the next; and files written whole."""

from __future__ import annotations

import ast
import os
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from firststep.lint.findings import Checked, LintFinding
from firststep.lint.read import SourceFile, UnreadableSource, read_file

MOST = 200  # fixes of one file in one run
MOST_TRIED = 20  # of one file, where none is made: each is a parse of it


@dataclass(frozen=True)
class Fixed:
    """The text after the fixes, how many were made, and what is said of the text that results."""

    text: str
    applied: int
    checked: Checked


def fixed(text: str, check: Callable[[str], Checked], unsafe: bool) -> Fixed:
    """Makes the safe fixes, and the others where `unsafe`. A fix stays only if the text still parses and the finding is
    gone; one that could not be made is offered no more."""
    checked, applied = check(text), 0
    refused: set[tuple[str, int, int, str]] = set()
    while applied < MOST:
        finding = next((one for one in checked.findings if _is_wanted(one, unsafe) and _key(one, text) not in refused), None)
        if finding is None:
            break
        outcome = _tried(text, finding, checked, check)
        if outcome is None:
            refused.add(_key(finding, text))
        else:
            text, checked = outcome
            applied += 1
    tried = tuple(replace(one, fix=None) if _key(one, text) in refused else one for one in checked.findings)
    return Fixed(text, applied, replace(checked, findings=tried))


def makeable(text: str, checked: Checked, check: Callable[[str], Checked]) -> Checked:
    """What was found, without the fixes that could not be made in this text: what is told to be fixable is so. Of very many the first are
    tried."""
    fixable = [one for one in checked.findings if one.fix is not None][:MOST_TRIED]
    vain = {id(one) for one in fixable if _tried(text, one, checked, check) is None}
    return replace(checked, findings=tuple(replace(one, fix=None) if id(one) in vain else one for one in checked.findings))


def _is_wanted(finding: LintFinding, unsafe: bool) -> bool:
    return finding.fix is not None and (finding.fix.safe or unsafe)


def _key(finding: LintFinding, text: str) -> tuple[str, int, int, str]:
    return finding.rule, finding.line, finding.column, text


def _tried(text: str, finding: LintFinding, checked: Checked, check: Callable[[str], Checked]) -> tuple[str, Checked] | None:
    assert finding.fix is not None
    try:
        new = finding.fix.edit(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(new)
    except Exception:  # whatever libcst or Python cannot do with this text: it stays as it is
        return None
    after = check(new)
    gone = Counter(map(_said, checked.findings))[_said(finding)] > Counter(map(_said, after.findings))[_said(finding)]
    return (new, after) if gone and len(after.findings) <= len(checked.findings) else None


def _said(finding: LintFinding) -> tuple[str, str]:
    return finding.rule, finding.message


def write(path: str, source: SourceFile, text: str) -> None:
    """Puts the text in the file's place at once, with the file's mode and owner; into the file where that has other names as well, or the
    owner cannot be given. Raises UnreadableSource where it cannot, and the file stays."""
    real = os.path.realpath(path)
    temporary = os.path.join(os.path.dirname(real), f".{os.path.basename(real)[:200]}.{os.getpid()}")
    try:
        data = source.encoded(text)
        if read_file(real).data != source.data:
            raise UnreadableSource("not fixed: it was changed meanwhile")
        status = os.stat(real)
        if not os.access(real, os.W_OK):
            raise UnreadableSource("not fixed: it is read-only")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            replaces = status.st_nlink == 1 and _is_given(file.fileno(), status)
        if replaces:
            os.replace(temporary, real)
        else:  # the disk has room for it, at least
            os.unlink(temporary)
            with open(real, "r+b") as file:
                file.write(data)
                file.truncate()
    except (OSError, UnicodeEncodeError) as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise UnreadableSource(f"not fixed: {error}") from error


def _is_given(descriptor: int, status: os.stat_result) -> bool:
    """Gives a file the owner and the mode of another; whether it has them then."""
    try:
        os.fchown(descriptor, status.st_uid, status.st_gid)
    except OSError:
        pass
    os.fchmod(descriptor, status.st_mode & 0o7777)  # last: a change of the owner takes bits of it away
    now = os.fstat(descriptor)
    return (now.st_uid, now.st_gid) == (status.st_uid, status.st_gid)
