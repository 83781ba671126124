"""What `[tool.firststep.lint]` in pyproject.toml and the command line say."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from typing import Any

from firststep import exit_codes, toml
from firststep.errors import FirststepError
from firststep.lint.rules import Rule, all_rules, ids

FILE = "pyproject.toml"
KEYS = ("select", "ignore", "exclude", "per-file-ignores")


@dataclass(frozen=True)
class LintSettings:
    """Ids of rules to use (None: all) and to leave out, patterns of paths relative to `root`."""

    root: str
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    per_file_ignores: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def rules(self, path: str) -> list[Rule]:
        """The rules that look at a file."""
        relative = os.path.relpath(os.path.abspath(path), self.root).replace(os.sep, "/")
        name = os.path.basename(path)
        ignored = set(self.ignore)
        for pattern, ignores in self.per_file_ignores.items():
            if fnmatch(relative, pattern.removeprefix("./")) or fnmatch(name, pattern):
                ignored |= set(ignores)
        return [rule for rule in all_rules() if (self.select is None or rule.id in self.select) and rule.id not in ignored]


def settings_for(paths: Sequence[str], select: Sequence[str], ignore: Sequence[str], exclude: Sequence[str]) -> LintSettings:
    """The nearest pyproject.toml's settings, above what is linted; the command line's `select` and `ignore` take their place,
    its `exclude` is added. Raises FirststepError for what is not known."""
    found = _from_file(_start(paths))
    for option, names in (("--select", select), ("--ignore", ignore)):
        _check_ids(names, option)
    return replace(found, select=tuple(select) or found.select, ignore=tuple(ignore) or found.ignore, exclude=(*found.exclude, *exclude))


def _start(paths: Sequence[str]) -> str:
    """The folder that holds all that is linted."""
    try:
        common = os.path.commonpath([os.path.abspath(path) for path in paths] or [os.getcwd()])
    except ValueError:
        common = os.getcwd()
    return common if os.path.isdir(common) else os.path.dirname(common)


def _from_file(folder: str) -> LintSettings:
    above = folder
    while True:
        path = os.path.join(above, FILE)
        if os.path.isfile(path):
            return _parsed(path, above)
        if os.path.dirname(above) == above:
            return LintSettings(os.getcwd())
        above = os.path.dirname(above)


def _parsed(path: str, root: str) -> LintSettings:
    table = _load(path)
    for name in ("tool", "firststep", "lint"):
        table = table.get(name, {})
        if not isinstance(table, dict):
            raise _wrong(path, f"`{name}` is not a table", "[tool.firststep.lint]")
    for key in table:
        if key not in KEYS:
            raise _wrong(path, f"`{key}` is not a setting of lint", "known are " + ", ".join(KEYS))
    lists = {key: _strings(path, key, table[key]) for key in KEYS[:3] if key in table}
    for key in ("select", "ignore"):
        _check_ids(lists.get(key, ()), f"{FILE}: {key}")
    per_file = table.get("per-file-ignores", {})
    if not isinstance(per_file, dict):
        raise _wrong(path, "`per-file-ignores` is not a table", 'per-file-ignores = {"tests/*" = ["session-churn"]}')
    ignores = {pattern: _strings(path, f'per-file-ignores."{pattern}"', value) for pattern, value in per_file.items()}
    for pattern, names in ignores.items():
        _check_ids(names, f"{FILE}: per-file-ignores.{pattern}")
    return LintSettings(root, lists.get("select"), lists.get("ignore", ()), lists.get("exclude", ()), ignores)


def _load(path: str) -> dict[str, Any]:
    try:
        return toml.load(path)
    except ValueError as why:
        raise _wrong(path, str(why), "") from why


def _strings(path: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        example = "third_party" if key == "exclude" else "session-churn"
        raise _wrong(path, f"`{key}` is not a list of strings", f'{key} = ["{example}"]')
    return tuple(value)


def _check_ids(names: Sequence[str], where: str) -> None:
    for name in names:
        if name not in ids():
            known = "known are " + ", ".join(ids())
            raise FirststepError(f"`{name}` ({where}) is no rule of lint", known, "firststep lint --help", exit_codes.USAGE)


def _wrong(path: str, why: str, instead: str) -> FirststepError:
    return FirststepError(f"the settings in {path} are not understood", why, instead or "docs/lint.md shows what it may hold",
                          exit_codes.USAGE)
