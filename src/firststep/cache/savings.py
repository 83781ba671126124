"""How long each program took to be ready on its learning run, and what its boosted starts have saved since."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

FOLDER = "savings"


@dataclass(frozen=True)
class Savings:
    """One program's account. plain_ns: time to ready of its learning run, which had the command line `command` (digest of
    the words); saved_ns: over all `runs` boosted starts with that command line."""

    program: str
    python: str
    prefix: str
    command: str
    plain_ns: int
    runs: int = 0
    saved_ns: int = 0


def _path(root: Path, program: str, prefix: str) -> Path:
    return root / FOLDER / (hashlib.sha256(f"{prefix}\0{program}".encode()).hexdigest()[:32] + ".json")


def load(root: Path, program: str, prefix: str) -> Savings | None:
    """The account of a program, None where there is none."""
    return _read(_path(root, program, prefix))


def load_all(root: Path) -> list[Savings]:
    """Every account, the one that saved most first."""
    found = [_read(path) for path in (root / FOLDER).glob("*.json")]
    return sorted((one for one in found if one), key=lambda one: -one.saved_ns)


def digest(words: Iterable[str]) -> str:
    """A command line, told apart from others."""
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def learned(root: Path, program: str, python: str, prefix: str, command: str, plain_ns: int) -> None:
    """Opens an account with the learning run's time; what earlier boosted starts saved is kept."""
    old = load(root, program, prefix)
    fresh = Savings(program, python, prefix, command, plain_ns)
    _write(root, replace(fresh, runs=old.runs, saved_ns=old.saved_ns) if old else fresh)


def boosted(root: Path, account: Savings, ns: int) -> Savings:
    """Adds a boosted start that took `ns`; returns the new account."""
    new = replace(account, runs=account.runs + 1, saved_ns=account.saved_ns + account.plain_ns - ns)
    _write(root, new)
    return new


def _read(path: Path) -> Savings | None:
    try:
        return Savings(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _write(root: Path, account: Savings) -> None:
    path = _path(root, account.program, account.prefix)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        temporary.write_text(json.dumps(asdict(account)), encoding="utf-8")
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
