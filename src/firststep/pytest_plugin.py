"""For pytest: a fixture that starts a program under `firststep record`, for tests that hold its start to what it should be.

    def test_start(firststep_start):
        start = firststep_start("train.py", "--small")
        assert start.counts["traces"] <= 2
        assert "double-trace" not in start.findings
        start.keeps(total=8.0, phases={"imports": 4.0}, counts={"modules": 3000})
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE_S = 600.0
SHOWN = 2000  # characters of what went wrong
WITHOUT_READY = ("first-step", "exit")  # what a program that never trains ends without, too: `Start.ready` is empty then


@dataclass(frozen=True)
class Start:
    """One start. seconds: to ready (or to its end, where `ready` is empty); phases: seconds by phase; counts: as `firststep check`
    has them; findings: the evidence, by cause; stdout: what the program printed; trace: the file, for `firststep report`."""

    seconds: float
    ready: str
    phases: Mapping[str, float]
    counts: Mapping[str, int]
    findings: Mapping[str, str]
    exit_code: int
    stdout: str
    trace: Path

    def keeps(self, *, total: float | None = None, phases: Mapping[str, float] | None = None,
              counts: Mapping[str, int] | None = None) -> None:
        """Fails, with all that is over, where the start took more seconds or has more of something than it may. One start is no
        measurement: give times room, or use `firststep check`, which knows the noise; counts need none."""
        limits: dict[str, tuple[float, float]] = {"total": (self.seconds, total)} if total is not None else {}
        for name, limit in {**(phases or {}), **(counts or {})}.items():
            known = self.phases if name in (phases or {}) else self.counts
            if name not in known:
                raise KeyError(f"{name} is none of {', '.join(known)}")
            limits[name] = known[name], limit
        over = [f"{name} {has:g}, at most {limit:g}" for name, (has, limit) in limits.items() if has > limit]
        if over:
            raise AssertionError(f"{'; '.join(over)} (firststep report {shlex.quote(str(self.trace))})")


Starter = Callable[..., Start]


@pytest.fixture
def firststep_start(tmp_path: Path) -> Starter:
    """start(*words, until="first-step", stop=True, cwd=None, env=None, timeout=600, exit_code=0): a script (run by this Python) with its
    arguments, or a command. exit_code: what it must end with, None for whatever it may be; one that is stopped ends with 0."""
    made = iter(range(1_000_000))

    def start(*words: str | os.PathLike[str], until: str = "first-step", stop: bool = True, cwd: str | os.PathLike[str] | None = None,
              env: Mapping[str, str] | None = None, timeout: float = PATIENCE_S, exit_code: int | None = 0) -> Start:
        from firststep.cli import STARTS
        from firststep.switch import is_off

        command = [os.fspath(word) for word in words]
        if command and command[0].endswith(".py"):
            command.insert(0, sys.executable)
        if is_off(os.environ if env is None else env):
            pytest.skip("FIRSTSTEP=off: no start is recorded")
        path = tmp_path / f"start-{next(made)}.trace"
        try:
            done = subprocess.run([sys.executable, "-I", STARTS, "record", "-o", str(path), "--until", until,
                                   *(["--stop"] if stop else []), "--", *command], cwd=cwd, capture_output=True, text=True,
                                  env=dict(os.environ if env is None else env), errors="replace", timeout=timeout, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired as late:
            said = (late.stderr or b"").decode(errors="replace")[-SHOWN:]
            pytest.fail(f"{shlex.join(command)} took more than {timeout:g} s:\n{said}", pytrace=False)
        if not path.exists():
            pytest.fail(f"{shlex.join(command)} was not recorded:\n{done.stderr[-SHOWN:]}", pytrace=False)
        if exit_code is not None and done.returncode != exit_code:
            pytest.fail(f"{shlex.join(command)} ended with exit code {done.returncode}:\n{done.stderr[-SHOWN:]}", pytrace=False)
        read = _read(path, done.returncode, done.stdout)
        if not read.ready and until not in WITHOUT_READY:
            pytest.fail(f"{shlex.join(command)} ended before {until}:\n{done.stderr[-SHOWN:]}", pytrace=False)
        return read

    return start


def _read(path: Path, exit_code: int, stdout: str) -> Start:
    from firststep.analyse.counts import counts
    from firststep.analyse.facts import Facts
    from firststep.analyse.partition import partition
    from firststep.diagnose import diagnosis
    from firststep.report.load import load

    facts = Facts(load(path))
    whole, ready = facts(partition), facts.trace.ready
    return Start(whole.wall_ns / 1e9, ready.kind if ready else "", {name: ns / 1e9 for name, ns in whole.phases.items()}, facts(counts),
                 {one.id: one.evidence.words for one in facts(diagnosis).findings}, exit_code, stdout, path)
