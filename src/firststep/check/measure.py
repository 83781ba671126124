"""Starts a program for the gate, and reads its figures."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from firststep.analyse.facts import Facts
from firststep.check.sample import MeasuredStart, sample_of
from firststep.check.settings import FIRST_STEP, Budget
from firststep.history.remember import remember
from firststep.launch.session import Outcome, Session
from firststep.launch.until import parse_until
from firststep.model.plan import Plan
from firststep.model.read_trace import parse_trace
from firststep.model.trace import Trace

SHOWN = 300  # characters of what a program that failed printed last


class NoMeasurement(Exception):
    """A start that says nothing about time: it failed, hung, or was never ready."""


def start(budget: Budget, folder: Path, environment: Mapping[str, str] | None = None) -> tuple[MeasuredStart, Trace]:
    """One start in `folder`. Raises NoMeasurement; FirststepError where the program cannot be started at all."""
    plan = Plan(until=parse_until(budget.until), stop=budget.stop)
    with tempfile.TemporaryFile() as errors, open(os.devnull, "wb") as nothing, _inside(folder):
        outcome = Session(list(budget.command), plan, environment={**os.environ, **(environment or {})}, timeout_s=budget.timeout,
                          stdout=nothing.fileno(), stderr=errors.fileno()).run()
        outcome.go_on()
        size = errors.seek(0, os.SEEK_END)
        errors.seek(max(0, size - SHOWN))
        last = errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
    if not outcome.trace:
        raise NoMeasurement("its trace was lost")
    trace = parse_trace(outcome.trace)
    problem = _problem(outcome, trace, budget)
    if problem:
        raise NoMeasurement(f"{problem}: {last}" if last else problem)
    facts = Facts(trace)
    remember(facts, "check", stopped=outcome.stopped)
    return sample_of(facts), trace


def _problem(outcome: Outcome, trace: Trace, budget: Budget) -> str | None:
    if outcome.timed_out:
        return f"it was stopped after {budget.timeout:g} s"
    if outcome.exit_code and not outcome.stopped:
        return f"it ended with exit code {outcome.exit_code}"
    return tells_too_little(trace, budget)


def tells_too_little(trace: Trace, budget: Budget) -> str | None:
    """In words, where a trace does not hold what a budget is about."""
    if trace.cut_short:
        return "its trace breaks off before its last record"
    if not trace.processes:
        return "the agent could not get in (`firststep doctor -- COMMAND` says why)"
    if trace.ready is None and budget.until not in (FIRST_STEP, "exit"):
        return f"it ended before it was ready ({budget.until})"
    return None


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
