"""Comments that silence findings: `# firststep: ignore`, `ignore[id, id]`, `ignore-file`, `ignore-file[id]`."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass, field

from firststep.lint.findings import LintFinding, Trouble

MARK = "firststep:"
COMMENT = re.compile(r"#\s*firststep:\s*(?P<verb>[\w-]+)\s*(?:\[(?P<ids>[^\]]*)\]|(?P<word>[\w-]+)|(?P<open>\[))?")
ALL = frozenset({"*"})


@dataclass
class Ignores:
    """Per line, and for the whole file, the ids that are silenced; `*` for all."""

    lines: dict[int, frozenset[str]] = field(default_factory=dict)
    file: frozenset[str] = frozenset()
    troubles: list[Trouble] = field(default_factory=list)

    def silences(self, finding: LintFinding) -> bool:
        silenced = self.file.union(*(self.lines.get(line, frozenset()) for line in range(finding.line, finding.end_line + 1)))
        return "*" in silenced or finding.rule in silenced


def read_ignores(text: str, known: Iterable[str]) -> Ignores:
    """The comments of a source; those that are not understood, and unknown ids, are troubles that are no errors."""
    ignores, known = Ignores(), set(known)
    if MARK not in text:
        return ignores
    for line, comment in _comments(text):
        for found in COMMENT.finditer(comment):
            if found["open"]:
                ignores.troubles.append(Trouble(f"`{found['verb']}[` has no `]`: it silences nothing", line, error=False))
                continue
            _read(ignores, line, found["verb"], found["ids"], known)
            if found["word"] in known:
                words = f"`{found['verb']} {found['word']}` silences every rule: `{found['verb']}[{found['word']}]` names one"
                ignores.troubles.append(Trouble(words, line, error=False))
    return ignores


def _read(ignores: Ignores, line: int, verb: str, listed: str | None, known: set[str]) -> None:
    if verb not in ("ignore", "ignore-file"):
        ignores.troubles.append(Trouble(f"`firststep: {verb}` is not known: `ignore` and `ignore-file` are", line, error=False))
        return
    ids = ALL if listed is None else frozenset(part.strip() for part in listed.split(",") if part.strip())
    for unknown in sorted(ids - known - ALL) if ids else [""]:
        ignores.troubles.append(Trouble(f"`{verb}[{unknown}]` names no rule", line, error=False))
    if verb == "ignore":
        ignores.lines[line] = ignores.lines.get(line, frozenset()) | ids
    else:
        ignores.file |= ids


def _comments(text: str) -> list[tuple[int, str]]:
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type == tokenize.COMMENT and MARK in token.string:
                found.append((token.start[0], token.string))
    except (tokenize.TokenError, SyntaxError):
        pass  # the parser says what is wrong
    return found
