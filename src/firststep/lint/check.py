"""One source text in, what the rules say of it out. Nothing of it is run."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Sequence

from firststep.lint.findings import Checked, LintFinding, Trouble
from firststep.lint.ignores import read_ignores
from firststep.lint.program import Program, Setting
from firststep.lint.rules import Rule, ids

CONCERNED = re.compile(r"tensorflow|keras|import tf\b")
"""A file that names none of them can show no cause that lint knows, and is not parsed."""


def check_text(path: str, text: str, rules: Sequence[Rule], setting: Setting | None = None) -> Checked:
    """What these rules find in a source. A rule that fails is a trouble of the file, and the others go on."""
    setting = setting or Setting()
    ignores = read_ignores(text, ids())
    wanted = [rule for rule in rules if rule.concerns(text, setting)] if CONCERNED.search(text) else []
    if not wanted:
        return Checked(path, (), tuple(ignores.troubles), text)
    program = _parsed(text, setting)
    if isinstance(program, Trouble):
        return Checked(path, (), (program, *ignores.troubles), text)
    findings: list[LintFinding] = []
    troubles = list(ignores.troubles)
    for rule in wanted:
        try:
            findings.extend(rule.check(program))
        except (Exception, RecursionError) as error:
            troubles.append(Trouble(f"the rule {rule.id} failed here, which is a fault of firststep: {type(error).__name__}: {error}"))
    spoken = {finding for finding in findings if not ignores.silences(finding)}
    return Checked(path, tuple(sorted(spoken, key=lambda one: (one.line, one.column, one.rule))), tuple(troubles), text)


def _parsed(text: str, setting: Setting) -> Program | Trouble:
    version = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Program(text, setting)
    except SyntaxError as error:
        return Trouble(f"not {version}: {error.msg}", error.lineno or 0)
    except ValueError as error:
        return Trouble(f"not {version}: {error}")
    except (RecursionError, MemoryError):
        return Trouble("not checked: it is nested too deeply")
