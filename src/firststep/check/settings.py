"""What `[tool.firststep]` in pyproject.toml, or firststep.toml, says of the programs whose starts are kept in budget."""

from __future__ import annotations

import difflib
import math
import os
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firststep import exit_codes, toml
from firststep.analyse.counts import COUNTS
from firststep.analyse.phases import PHASES
from firststep.causes import all_causes
from firststep.errors import FirststepError
from firststep.launch.until import parse_until

OWN, SHARED = "firststep.toml", "pyproject.toml"
BASELINE = "baseline"  # as a limit: no more than the baseline has
TOTAL = "total"
FIRST_STEP = "first-step"  # what is waited for where nothing is said
DEFAULT = "default"  # of the findings: those that are not named
LEVELS = ("error", "warn", "off")
UNITS = {"s": 1.0, "ms": 1e-3, "min": 60.0}
TIME = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|min)\s*")
KEYS = ("command", "until", "runs", "timeout", "stop", "time", "counts", "findings")
MOST_RUNS = 200
EXAMPLE = '[tool.firststep.programs.train]\ncommand = "python train.py"\ntime = { total = "8 s" }'


@dataclass(frozen=True)
class Budget:
    """One program and what its start may cost. time: seconds by phase and TOTAL, None for no more than the baseline; counts
    likewise; findings: error, warn or off by cause, and for DEFAULT; runs: None for as many as it takes."""

    name: str
    command: tuple[str, ...]
    until: str = FIRST_STEP
    runs: int | None = None
    timeout: float | None = None
    stop: bool = True
    time: Mapping[str, float | None] = field(default_factory=dict)
    counts: Mapping[str, int | None] = field(default_factory=dict)
    findings: Mapping[str, str] = field(default_factory=dict)

    def level(self, finding: str) -> str:
        """error, warn or off."""
        return self.findings.get(finding, self.findings.get(DEFAULT, "warn"))


@dataclass(frozen=True)
class CheckSettings:
    """path: of the file; baseline: where the stored baseline is or would be."""

    path: Path
    baseline: Path
    budgets: tuple[Budget, ...]


def settings(named: Path | None) -> CheckSettings:
    """From the named file, else from the nearest one at or above the current folder. Raises FirststepError."""
    if named and not named.exists():
        raise FirststepError(f"there are no budgets: there is no {named}", "", "name the file that has them after --config",
                             exit_codes.USAGE)
    path = named or _nearest(Path.cwd())
    if path is None:
        raise FirststepError("no budget is set", f"there is neither {OWN} nor [tool.firststep.programs] in a {SHARED} here or above",
                             f"write one, as docs/check.md shows: {EXAMPLE.splitlines()[0]}", exit_codes.USAGE)
    return _Reader(path.absolute()).settings()


def chosen(known: CheckSettings, names: Iterable[str]) -> tuple[Budget, ...]:
    """The budgets of these programs, or all. Raises FirststepError for a name that there is none of."""
    by_name = {one.name: one for one in known.budgets}
    for name in names:
        if name not in by_name:
            raise FirststepError(f"no program is called {name}", f"{known.path.name} has {', '.join(by_name)}", "firststep check",
                                 exit_codes.USAGE)
    return tuple(by_name[name] for name in dict.fromkeys(names)) or known.budgets


def _nearest(folder: Path) -> Path | None:
    for above in (folder, *folder.parents):
        own, shared = above / OWN, above / SHARED
        has_shared = shared.is_file() and _programs_of(_load(shared), shared) is not None
        if own.is_file() and has_shared:
            raise FirststepError(f"both {OWN} and {SHARED} set budgets", f"in {above}, and one would hide the other's",
                                 f"put all of them into one, or firststep check --config {OWN}", exit_codes.USAGE)
        if own.is_file() or has_shared:
            return own if own.is_file() else shared
    return None


def _programs_of(document: Mapping[str, Any], path: Path) -> Mapping[str, Any] | None:
    """The table that holds `programs`; None where there is none."""
    table: Any = document
    for name in ("tool", "firststep") if path.name == SHARED else ():
        table = table.get(name, {})
        if not isinstance(table, dict):
            raise _wrong(path, f"`{name}` is not a table", "")
    return table if "programs" in table else None


def _load(path: Path) -> dict[str, Any]:
    try:
        return toml.load(path)
    except ValueError as why:
        raise _wrong(path, str(why), "") from why


class _Reader:
    """Reads one file; every complaint says where."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def settings(self) -> CheckSettings:
        table = _programs_of(_load(self._path), self._path)
        if table is None:
            raise self._wrong(f"it has no `{'tool.firststep.' if self._path.name == SHARED else ''}programs`", self._example())
        self._known(table, ("programs", BASELINE, *(("lint",) if self._path.name == SHARED else ())), "")
        programs = self._table(table["programs"], "programs")
        baseline = table.get(BASELINE, "firststep-baseline.json")
        if not isinstance(baseline, str) or not baseline or "\0" in baseline:
            raise self._wrong("`baseline` is not a path", 'baseline = "firststep-baseline.json"')
        if not programs:
            raise self._wrong("`programs` is empty", self._example())
        return CheckSettings(self._path, self._path.parent / baseline,
                             tuple(self._budget(name, self._table(value, f"programs.{name}")) for name, value in programs.items()))

    def _budget(self, name: str, table: Mapping[str, Any]) -> Budget:
        where = f"programs.{name}"
        self._known(table, KEYS, where)
        stop = table.get("stop", True)
        if not isinstance(stop, bool):
            raise self._wrong(f"`{where}.stop` is not true or false", "stop = true")
        until = table.get("until", FIRST_STEP)
        if not isinstance(until, str):
            raise self._wrong(f"`{where}.until` is not text", 'until = "first-step"')
        try:
            parse_until(until)
        except FirststepError as error:
            raise self._wrong(f"`{where}.until`: {until!r} is no moment", error.next_step) from error
        return Budget(
            name, self._command(table.get("command"), where), until, self._runs(table.get("runs"), where),
            self._seconds(table["timeout"], f"{where}.timeout") if "timeout" in table else None, stop,
            self._times(self._table(table.get("time", {}), f"{where}.time"), f"{where}.time"),
            self._counts(self._table(table.get("counts", {}), f"{where}.counts"), f"{where}.counts"),
            self._findings(self._table(table.get("findings", {}), f"{where}.findings"), f"{where}.findings"),
        )

    def _example(self) -> str:
        """The first line of a budget, as this file has them."""
        line = EXAMPLE.splitlines()[0]
        return line if self._path.name == SHARED else line.replace("tool.firststep.", "")

    def _command(self, value: Any, where: str) -> tuple[str, ...]:
        words: Any = value
        if isinstance(value, str):
            try:
                words = shlex.split(value)
            except ValueError as error:
                raise self._wrong(f"`{where}.command`: {error}", 'command = "python train.py"') from error
        if not isinstance(words, list) or not words or not all(isinstance(word, str) and "\0" not in word for word in words):
            raise self._wrong(f"`{where}.command` is no command", 'command = "python train.py"')
        return tuple(words)

    def _runs(self, value: Any, where: str) -> int | None:
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= MOST_RUNS:
            raise self._wrong(f"`{where}.runs` is not a number from 1 to {MOST_RUNS}", "runs = 10")
        return value

    def _times(self, table: Mapping[str, Any], where: str) -> dict[str, float | None]:
        names = {name.replace("-", " "): value for name, value in table.items()}
        self._known(names, (TOTAL, *PHASES), where)
        return {name: None if value == BASELINE else self._seconds(value, f"{where}.{name}") for name, value in names.items()}

    def _seconds(self, value: Any, where: str) -> float:
        """A number of seconds, or words like `800 ms`."""
        found = TIME.fullmatch(value) if isinstance(value, str) else None
        seconds = float(found[1]) * UNITS[found[2]] if found else value
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not math.isfinite(seconds) or not 0 < seconds < 1e6:
            raise self._wrong(f"`{where}` is no time: {value!r}", f'{where.rpartition(".")[2]} = "4.5 s"')
        return float(seconds)

    def _counts(self, table: Mapping[str, Any], where: str) -> dict[str, int | None]:
        self._known(table, tuple(COUNTS), where)
        for name, value in table.items():
            if value != BASELINE and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
                raise self._wrong(f"`{where}.{name}` is no count: {value!r}", f"{name} = 100")
        return {name: None if value == BASELINE else value for name, value in table.items()}

    def _findings(self, table: Mapping[str, Any], where: str) -> dict[str, str]:
        self._known(table, (DEFAULT, *(cause.id for cause in all_causes())), where)
        for name, value in table.items():
            if value not in LEVELS:
                raise self._wrong(f"`{where}.{name}` is {value!r}", f'{name} = "error", "warn" or "off"')
        return dict(table)

    def _table(self, value: Any, where: str) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self._wrong(f"`{where}` is not a table", "")
        return value

    def _known(self, table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                raise self._wrong(f"`{f'{where}.' if where else ''}{key}` is not a setting",
                                  f"did you mean {near[0]}?" if near else f"known are {', '.join(known[:12])}")

    def _wrong(self, why: str, instead: str) -> FirststepError:
        return _wrong(self._path, why, instead)


def _wrong(path: Path, why: str, instead: str) -> FirststepError:
    return FirststepError(f"the budgets in {os.path.relpath(path)} are not understood", why, instead or "docs/check.md shows what it holds",
                          exit_codes.USAGE)
