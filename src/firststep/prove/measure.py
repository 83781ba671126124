"""Runs a side once and reads its figures from the trace."""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import IO, Any

from firststep.analyse.facts import Facts
from firststep.history.remember import remember
from firststep.launch.session import Outcome, Session
from firststep.model.limits import STEP_KINDS
from firststep.model.plan import Plan
from firststep.model.read_trace import parse_trace
from firststep.model.trace import Note, Process, Trace
from firststep.prove import machine
from firststep.prove.run import LATER_STEP, ComparedRun, Digest, Purpose, Side

SHOWN = 2000  # characters of what a program printed last
TOO_WIDE = ("/", os.path.expanduser("~"))  # never walked for the sake of a script that lies there
NOT_A_DIGEST = ("cost", "memory")


def run_once(
    command: list[str],
    plan: Plan,
    side: Side,
    purpose: Purpose,
    *,
    timeout: float | None = None,
    compare_output: bool = False,
    environment: Mapping[str, str] | None = None,
) -> ComparedRun:
    """One start of `command` under `plan`, seen through to its end. Raises FirststepError if it cannot start."""
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as errors:
        before = machine.read()
        outcome = Session(
            command, plan, environment={**os.environ, **(environment or {})}, timeout_s=timeout,
            stdout=printed.fileno(), stderr=errors.fileno(),
        ).run()
        outcome.go_on()
        after = machine.read()
        trace = parse_trace(outcome.trace)
        remember(Facts(trace), "prove", stopped=outcome.stopped)
        wall = (int(trace.header["ended"]) - trace.spawned[0]) / 1e9
        extra = _stdout(printed) if compare_output else ()
        return ComparedRun(
            side=side,
            purpose=purpose,
            exit_code=outcome.exit_code,
            timed_out=outcome.timed_out,
            stopped=outcome.stopped,
            watched=bool(trace.processes),
            results=(*_digests(trace), *extra),
            printed_last=_last(errors) or _last(printed),
            folders=_folders(trace),
            conditions=machine.between(before, after, outcome.cpu_s + _proofs(trace)),
            **_times(trace, outcome, wall),
            **_remedies(trace),
        )


def _times(trace: Trace, outcome: Outcome, wall: float) -> dict[str, Any]:
    began, ends = trace.spawned[0], _step_ends(trace)
    waited = sum(_figures(_main(trace), "cost", "ns")) / 1e9
    digesting = sum(_figures(trace.processes, "cost", "cpu_ns")) / 1e9
    ended = not outcome.stopped and not outcome.timed_out
    ready, ready_by = _ready(trace, ended and outcome.exit_code == 0, wall - waited)
    return {
        "ready": ready,
        "ready_by": ready_by,
        "step20": (ends[LATER_STEP - 1] - began) / 1e9 if len(ends) >= LATER_STEP else None,
        "exit": wall - waited if ended else None,
        "step": _step_time(ends[:LATER_STEP]),
        "steps": len(ends),
        "memory": max(_figures(trace.processes, "memory", "bytes"), default=outcome.max_rss),
        "cpu": outcome.cpu_s + _proofs(trace) - digesting,
    }


def _proofs(trace: Trace) -> float:
    """CPU seconds of the copies that prove answers: nobody waits for those, so the kernel does not count them as the program's."""
    return sum(int(note.labels.get("cpu_ns", 0)) for process in trace.processes for note in process.notes) / 1e9


def _figures(processes: Iterable[Process], what: str, name: str) -> list[int]:
    """A figure of what the observer notes beside the results."""
    return [int(record[name]) for process in processes for record in process.results if record["what"] == what]


def _ready(trace: Trace, ended_well: bool, exit_time: float) -> tuple[float | None, str]:
    """Seconds until ready and what made it so. A program without steps is ready at its end, unless it was told
    what to be ready by."""
    if trace.ready:
        return (trace.ready.at - trace.spawned[0]) / 1e9, trace.ready.kind
    if ended_well and trace.header["until"][0] in ("first-step", "exit"):
        return exit_time, "exit"
    return None, ""


def _step_ends(trace: Trace) -> list[int]:
    """The ends of the steps of the process that became ready, of the kind that made it ready if steps did."""
    process = next((each for each in trace.processes if each.ready), None)
    if process is None:
        return []
    kinds = [process.ready.kind] if process.ready and process.ready.kind in STEP_KINDS else list(STEP_KINDS)
    for kind in kinds:
        ends = sorted(step.at for step in process.steps if step.kind == kind)
        if ends:
            return ends
    return []


def _step_time(ends: list[int]) -> float | None:
    """The median step after the first, in seconds."""
    lengths = [(later - earlier) / 1e9 for earlier, later in zip(ends, ends[1:], strict=False)]
    return statistics.median(lengths) if lengths else None


def _main(trace: Trace) -> Iterable[Process]:
    return (process for process in trace.processes if process.pid == trace.header["pid"])


def _digests(trace: Trace) -> Iterable[Digest]:
    main = set(map(id, _main(trace)))
    for process in trace.processes:
        for record in process.results:
            of_another = record["what"] == "stream" and id(process) not in main
            if record["what"] not in NOT_A_DIGEST and not of_another:
                yield Digest(
                    record["what"], record["name"], record["digest"], record.get("count", 1),
                    record.get("position"), tuple(record.get("values", ())),
                )


def _folders(trace: Trace) -> tuple[str, ...]:
    """Where the program's files may lie: its script, its interpreter, its modules."""
    if not trace.processes:
        return ()
    header = trace.processes[0].header
    script = os.path.dirname(os.path.join(str(header["cwd"]), str(header["argv"][1]))) if header["argv"][1:] else ""
    named = [script, *header["path"], *(os.path.join(header[key], "lib") for key in ("prefix", "base_prefix"))]
    return tuple(dict.fromkeys(folder for folder in named if os.path.isdir(folder) and folder not in TOO_WIDE))


def _remedies(trace: Trace) -> dict[str, Any]:
    notes = [note for process in trace.processes for note in process.notes]

    def named(chosen: Iterable[Note]) -> tuple[str, ...]:
        return tuple(sorted({note.remedy for note in chosen}))

    refused = {note.remedy: str(note.labels.get("reason", "")) for note in notes
               if note.what in ("refused", "error")}
    learned = named(note for note in notes if note.what in ("learned", "confirmed"))  # the next start will be another
    return {"live": named(note for note in notes if note.is_live), "learned": learned, "refused": refused}


def _stdout(printed: IO[bytes]) -> tuple[Digest, ...]:
    printed.seek(0)
    text = printed.read()
    if not text.strip():
        return ()
    lines = text.decode("utf-8", "backslashreplace").splitlines()
    return (Digest("stdout", "stdout", sha256(text).hexdigest(), len(lines), values=tuple(lines[:SHOWN])),)


def _last(stream: IO[bytes]) -> str:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - SHOWN))
    return stream.read().decode("utf-8", "replace").strip()
