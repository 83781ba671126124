"""A stored baseline: what each program took in each session in which it was saved. A file to commit; it is read as anybody's."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from firststep import exit_codes
from firststep.check.sample import MeasuredStart
from firststep.errors import FirststepError, reason_of
from firststep.model.facts import Identity
from firststep_agent import AGENT_VERSION

MAGIC = "firststep-baseline"
SCHEMA = 1
KEPT = 20  # sessions of a program
LARGEST = 16 << 20  # bytes
CLOCK_S = 86_400.0  # a clock may be off by so much; what is later than that is from the future
AGAIN = "move it away, then: firststep check --save-baseline"


@dataclass(frozen=True)
class Occasion:
    """One occasion. at: seconds since 1970; times: seconds of each run, by phase and total; reference: of the fixed work."""

    at: float
    times: Mapping[str, tuple[float, ...]]
    reference: tuple[float, ...]


@dataclass(frozen=True)
class Stored:
    """One program."""

    identity: Identity
    sessions: tuple[Occasion, ...]
    counts: Mapping[str, int]


def read(path: Path) -> dict[str, Stored]:
    """Programs by name; empty where there is no file. Raises FirststepError for what is no baseline."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _bad(path, reason_of(error)) from error
    if len(data) > LARGEST:
        raise _bad(path, "it is larger than any baseline is")
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _bad(path, "it is damaged: it is not JSON") from error
    if not isinstance(document, dict) or document.get("magic") != MAGIC:
        raise _bad(path, "it is no baseline of firststep")
    if document.get("schema") != SCHEMA:
        raise FirststepError(f"the baseline {path} cannot be used",
                             f"it has schema {str(document.get('schema'))[:20]}, and this version reads schema {SCHEMA}",
                             f"use the firststep that wrote it, or {AGAIN}", exit_codes.USAGE)
    try:
        return {str(name): _stored(value) for name, value in document["programs"].items()}
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise _bad(path, f"it is damaged: {type(error).__name__}: {error}") from error


def from_the_future(stored: Stored) -> bool:
    """Whether a session was saved later than now: a clock is wrong, and nobody knows what is before what."""
    return any(session.at > time.time() + CLOCK_S for session in stored.sessions)


def text(known: Mapping[str, Stored]) -> str:
    """The file's text."""
    programs = {name: {"identity": asdict(one.identity), "sessions": [asdict(session) for session in one.sessions],
                       "counts": dict(one.counts)} for name, one in sorted(known.items())}
    return json.dumps({"magic": MAGIC, "schema": SCHEMA, "version": AGENT_VERSION, "programs": programs}, indent=1) + "\n"


def with_session(old: Stored | None, samples: Sequence[MeasuredStart], reference: Sequence[float]) -> Stored:
    """The baseline with one more session; anew where the program, its versions or the machine are others."""
    newest = samples[-1]
    names = [name for name in newest.times if all(name in sample.times for sample in samples)]
    session = Occasion(time.time(), {name: tuple(sample.times[name] for sample in samples) for name in names}, tuple(reference))
    kept = old.sessions if old and _alike(old.identity, newest.identity) and not from_the_future(old) else ()
    return Stored(newest.identity, (*kept, session)[-KEPT:], newest.counts)


def _alike(one: Identity, other: Identity) -> bool:
    from firststep.diff.comparable import in_the_way

    return not in_the_way([one], [other])


def _stored(value: Mapping[str, Any]) -> Stored:
    counts = {str(name): _whole(number) for name, number in value["counts"].items()}
    sessions = tuple(Occasion(_number(one["at"]), {str(name): _times(times) for name, times in one["times"].items()},
                              _times(one["reference"])) for one in value["sessions"])
    if not sessions:
        raise ValueError("no session")
    return Stored(_identity(value["identity"]), sessions, counts)


def _identity(value: Mapping[str, Any]) -> Identity:
    words = {name: tuple(map(str, value[name])) for name in ("arguments", "until", "observed", "boosted")}
    names = {name: str(value[name]) for name in ("program", "python", "architecture", "cpu", "ready")}
    packages = {str(name): str(version) for name, version in value["packages"].items()}
    return Identity(**words, **names, packages=packages, cpus=float(value["cpus"]))  # type: ignore[arg-type]


def _times(values: Sequence[Any]) -> tuple[float, ...]:
    return tuple(map(_number, values))


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value <= 0:
        raise ValueError(f"{value!r} is no time")
    return float(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} is no count")
    return value


def _bad(path: Path, why: str) -> FirststepError:
    return FirststepError(f"the baseline {path} cannot be used", why, AGAIN, exit_codes.USAGE)
