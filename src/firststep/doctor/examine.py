"""Starts the interpreter once with an observer that tries the hook points, and reads what it found."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from firststep import exit_codes
from firststep.errors import FirststepError
from firststep.launch import host
from firststep.launch.session import Session
from firststep.model.plan import Plan, Until
from firststep.model.read_trace import parse_trace
from firststep.switch import is_off
from firststep_agent.interpreters import shut_out_by

PLAN = Plan(until=Until("exit"), observe=("hook-points",), follow=False)
TIMEOUT_S = 180.0  # importing every framework module, page cache cold
OLDEST = (3, 9)


@dataclass(frozen=True)
class Examination:
    """command: how the interpreter is started. entered: whether the agent got in. points: module and name, and
    True or why it is missing. untried: versions that remedies were not tried on, in words. limits: what will not be seen, in words."""

    command: tuple[str, ...]
    entered: bool
    python: str
    executable: str
    packages: Mapping[str, str]
    points: Mapping[str, bool | str]
    untried: tuple[str, ...]
    limits: tuple[str, ...]
    host: Mapping[str, object]


def examine(command: list[str]) -> Examination:
    """Raises FirststepError where `command` cannot be started, or is not an interpreter."""
    if command[-1].endswith(".py"):
        raise FirststepError(f"{command[-1]} is a program", "doctor examines the interpreter that runs it",
                             f"firststep doctor -- {shlex.join(command[:-1]) or 'python'}", exit_codes.USAGE)
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    outcome = Session([*command, "-c", "pass"], PLAN, timeout_s=TIMEOUT_S, environment=environment,
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run()
    trace = parse_trace(outcome.trace)
    process = trace.processes[0] if trace.processes else None
    facts = host.describe()
    return Examination(
        command=tuple(command),
        entered=process is not None,
        python=str(process.header["python"]).split()[0] if process else "",
        executable=str(process.header["executable"]) if process else command[0],
        packages=process.packages if process else {},
        points=process.points if process else {},
        untried=tuple(str(mark.labels["reason"]) for mark in process.marks if mark.name == "untried") if process else (),
        limits=tuple(_limits(command, process is not None, facts)),
        host=facts,
    )


def _limits(command: list[str], entered: bool, facts: Mapping[str, object]) -> list[str]:
    limits = []
    switched_off = is_off()
    if switched_off:
        limits.append("FIRSTSTEP=off is set: nothing is watched or boosted")
    elif not entered:
        option = shut_out_by(command)
        why = f"it is started with {option}, which shuts PYTHONPATH or site out" if option else _other(command)
        limits.append(f"the agent cannot get in: {why}")
    if facts["system"] != "Linux":
        limits.append("no /proc here: what the main thread waits for, and mapped libraries, are not seen")
    limits.append("processes started by os.system, or by native code, are not followed")
    limits.append("connections made inside native libraries (gRPC, cloud file systems) show as waiting, without a peer")
    return limits


def _other(command: list[str]) -> str:
    """Why the agent is not in what is started with none of the flags that shut it out."""
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([*command, "-c", ask], capture_output=True, text=True, timeout=TIMEOUT_S)
        version = tuple(int(part) for part in done.stdout.strip().split("."))
    except (OSError, ValueError, subprocess.SubprocessError):
        return f"{shlex.join(command)} is no Python interpreter, or it is a frozen one"
    if version < OLDEST:
        return "it is Python {}.{}, and {}.{} is the oldest that firststep works in".format(*version, *OLDEST)
    return "it is not CPython, it is frozen, or another sitecustomize comes first and does not chain"
