"""How long each program took to be ready on its learning run, and what its boosted starts have saved since."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from firststep_agent.boost.folders import root as open_root
from firststep_agent.boost.store import SUFFIX, Entry, Store
from firststep_agent.boost.upkeep import files

FOLDER = "savings"


@dataclass(frozen=True)
class Savings:
    """One program's account. plain_ns: time to ready of its learning run, which had the command line `command` (digest of
    the words); saved_ns: over all `runs` boosted starts with that command line; ready: False where these starts end before they are,
    and their ends are what is compared; code: the program's files as they were at the learning run, None where that is not known;
    in_part: that run was boosted by what was known already."""

    program: str
    python: str
    prefix: str
    command: str
    plain_ns: int
    runs: int = 0
    saved_ns: int = 0
    ready: bool = True
    code: Mapping[str, object] | None = None
    in_part: bool = False


def _key(program: str, prefix: str) -> str:
    return hashlib.sha256(f"{prefix}\0{program}".encode("utf-8", "surrogateescape")).hexdigest()[:32]


def load(root: Path, program: str, prefix: str) -> Savings | None:
    """The account of a program, None where there is none."""
    return _read(Store(str(root), FOLDER).read(_key(program, prefix)))


def load_all(root: Path) -> list[Savings]:
    """Every account, the one that saved most first."""
    store = Store(str(root), FOLDER)
    found = [_read(store.read(file.parts[-1].removesuffix(SUFFIX))) for file in files(open_root(str(root)), [FOLDER])
             if file.is_entry]
    return sorted((one for one in found if one), key=lambda one: -one.saved_ns)


def digest(words: Iterable[str]) -> str:
    """A command line, told apart from others."""
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def learned(root: Path, fresh: Savings) -> None:
    """Opens an account with the learning run's time; what earlier boosted starts saved is kept."""
    with Store(str(root), FOLDER).turn():
        old = load(root, fresh.program, fresh.prefix)
        _write(root, replace(fresh, runs=old.runs, saved_ns=old.saved_ns) if old else fresh)


def boosted(root: Path, account: Savings, saved_ns: int) -> Savings:
    """Adds a boosted start; returns the new account. Others of the program may have been added since `account` was read."""
    with Store(str(root), FOLDER).turn():
        now = load(root, account.program, account.prefix) or account
        new = replace(account, runs=now.runs + 1, saved_ns=now.saved_ns + saved_ns)
        _write(root, new)
    return new


def _read(entry: Entry | None) -> Savings | None:
    if entry is None:
        return None
    entry.close()
    try:
        return Savings(**json.loads(entry.body))
    except (ValueError, TypeError):
        return None


def _write(root: Path, account: Savings) -> None:
    """A disk that does not take it keeps no account."""
    meta = {"program": account.program, "python": account.python, "prefix": account.prefix}
    Store(str(root), FOLDER).write(_key(account.program, account.prefix), meta, json.dumps(asdict(account)).encode())
