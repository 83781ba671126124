"""What was started, with what, on what, and until when: starts that differ in it are not the same start made twice."""

from __future__ import annotations

import os

from firststep.analyse.facts import Facts
from firststep.analyse.path import path, root
from firststep.analyse.processes import looks_like_python
from firststep.model.facts import Identity
from firststep.model.trace import Process, Trace
from firststep_agent.boost.program import program

NO_PROGRAM = ("", "interactive")
NO_VERSION = "999.0"


def identity(facts: Facts) -> Identity:
    """Of the process that the tool started; of its command alone where no process was watched."""
    trace = facts.trace
    first = root(trace)
    cwd = _folder(first)
    name, arguments = _program([str(word) for word in (first.header.get("argv") if first else None) or ()], cwd)
    if name in NO_PROGRAM:  # Python 3.9 does not know its own command line
        name, arguments = _of_command([str(word) for word in trace.header.get("command", ())], cwd)
    host = trace.header.get("host", {})
    return Identity(
        program=name,
        arguments=tuple(arguments),
        python=str(first.header.get("python", "")).split()[0] if first and first.header.get("python") else "",
        packages=_packages(facts),
        architecture=str(host.get("machine") or ""),
        cpu=str(host.get("cpu") or ""),
        cpus=float(host.get("cpu_quota") or host.get("usable_cpus") or host.get("cpus") or 0),
        until=tuple(str(part) for part in trace.header.get("until", ()) if part is not None),
        ready=trace.ready.kind if trace.ready else "",
        observed=tuple(sorted(trace.header.get("observe", ()))),
        boosted=_boosted(trace),
    )


def asked_for(trace: Trace) -> str:
    """The program that the command names, which may start another; empty where it names none, as `./start`."""
    return program_of([str(word) for word in trace.header.get("command", ())], _folder(root(trace)))


def program_of(command: list[str], cwd: str = "") -> str:
    """The same of a command line that was typed in `cwd`."""
    name = _program(command, cwd)[0]
    return "" if name in NO_PROGRAM else name


def _folder(process: Process | None) -> str:
    """Where a process ran; empty where that is not known."""
    return str(process.header.get("cwd") or "") if process else ""


def _program(words: list[str], cwd: str) -> tuple[str, list[str]]:
    """(the program: a script relative to where it ran, or `-m module`; its arguments)"""
    if not words:
        return "", []
    name = program(words)
    if not name.startswith(os.sep):
        after = words.index("-m") + 2 if "-m" in words else words.index("-c") + 2 if "-c" in words else 1
        return name, words[after:]
    at = next((number for number, word in enumerate(words) if number and os.path.realpath(word) == name), 0)
    script = os.path.normpath(words[at])
    return script.removeprefix(cwd.rstrip(os.sep) + os.sep) if cwd else script, words[at + 1 :]


def _of_command(words: list[str], cwd: str) -> tuple[str, list[str]]:
    """The same of a command of which no Python was seen: it may be none."""
    return _program(words, cwd) if not words or looks_like_python(tuple(words)) else (words[0], words[1:])


def _packages(facts: Facts) -> dict[str, str]:
    found: dict[str, str] = {}
    for leg in facts(path):
        found.update({name: version for name, version in leg.process.packages.items() if version != NO_VERSION})
    return dict(sorted(found.items()))


def _boosted(trace: Trace) -> tuple[str, ...]:
    """The remedies that did something."""
    return tuple(sorted({note.remedy for process in trace.processes for note in process.notes if note.is_live}))
