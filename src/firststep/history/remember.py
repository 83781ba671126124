"""From a trace to a run in the history. Whatever goes wrong here is nobody's trouble."""

from __future__ import annotations

import shlex

from firststep import printable
from firststep.analyse.facts import Facts
from firststep.analyse.identity import identity
from firststep.analyse.partition import partition
from firststep.analyse.path import root
from firststep.history.store import PastRun, Unusable, add, is_off, now
from firststep.model.words import cpu_count


def remember(facts: Facts, verb: str, trace_file: str = "", exit_code: int | None = None, stopped: bool = False) -> None:
    """Keeps the run, unless the user wants no history. stopped: by us, at ready: its exit code is no news."""
    if is_off():
        return
    try:
        add(run_of(facts, verb, trace_file, exit_code, stopped))
    except Unusable as why:  # `firststep history` says it, too
        if printable.verbose:
            printable.say(f"firststep: the history does not have this run: {why}")


def run_of(facts: Facts, verb: str, trace_file: str = "", exit_code: int | None = None, stopped: bool = False) -> PastRun:
    """What the history keeps of a start."""
    who, whole, first = facts(identity), facts(partition), root(facts.trace)
    code = facts.trace.header.get("exit_code") if exit_code is None else exit_code
    return PastRun(
        at=now(), verb=verb, program=who.program, folder=str(first.header.get("cwd") or "") if first else "",
        arguments=shlex.join(who.arguments), python=who.python,
        frameworks=", ".join(f"{name} {version}" for name, version in who.packages.items()),
        machine=f"{who.cpu or who.architecture}, {cpu_count(who.cpus)}", seconds=whole.wall_ns / 1e9,
        ready=_moment(who.ready, who.until),
        exit_code=code if isinstance(code, int) and not stopped else None, boosted=bool(who.boosted),
        phases={name: round(ns / 1e9, 4) for name, ns in whole.phases.items() if ns} if facts.measured("imports") else {},
        trace=trace_file,
    )


def _moment(ready: str, until: tuple[str, ...]) -> str:
    """What it was ready by: what was seen, or what else was waited for; the eighth step is not the first."""
    return ready if not ready or until[:1] in ((), ("first-step",)) else ":".join(until)
