"""Which program an entry of the function cache is of: the entries do not say, a boosted start sees which of them it made or used."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

from firststep.cache.savings import FOLDER
from firststep_agent.boost.cache_functions.keep.entries import SUFFIX as FUNCTION
from firststep_agent.boost.folders import root as open_root
from firststep_agent.boost.store import SUFFIX, Store
from firststep_agent.boost.upkeep import files

FUNCTIONS = "cache-functions"
OWNS = "functions"  # the key of the entries' names
MOST = 1000  # of one program: the newest

Owner = tuple[str, str]
"""(program, prefix), as the agent describes them."""


def own(root: Path, owner: Owner, since_ns: int) -> None:
    """Notes that the entries that were made or used since a moment of CLOCK_MONOTONIC are of this program. Another program that was
    boosted at that time may have some of them: an entry can be of several."""
    since = time.time() - (time.monotonic_ns() - since_ns) / 1e9
    known = owners(root)
    fresh = [name for name, used in _entries(root) if used >= since and owner not in known.get(name, ())]
    if not fresh:
        return
    mine = [name for name, programs in known.items() if owner in programs]
    program, prefix = owner
    meta = {"program": program, "prefix": prefix}
    body = json.dumps({**meta, OWNS: [*mine, *fresh][-MOST:]})
    key = hashlib.sha256(f"{OWNS}\0{prefix}\0{program}".encode("utf-8", "surrogateescape")).hexdigest()[:32]
    Store(str(root), FOLDER).write(key, meta, body.encode())


def owners(root: Path) -> dict[str, list[Owner]]:
    """By the name of an entry."""
    found: dict[str, list[Owner]] = {}
    for body in _bodies(root):
        if isinstance(body, dict) and isinstance(body.get(OWNS), list):
            for name in body[OWNS]:
                found.setdefault(str(name), []).append((str(body.get("program")), str(body.get("prefix"))))
    return found


def _entries(root: Path) -> Iterator[tuple[str, float]]:
    """(name, seconds since 1970 of its last use)"""
    for path in (root / FUNCTIONS).glob(f"*/*{FUNCTION}"):
        try:
            yield path.stem, os.lstat(path).st_mtime
        except OSError:
            continue


def _bodies(root: Path) -> Iterator[object]:
    store = Store(str(root), FOLDER)
    for file in files(open_root(str(root)), [FOLDER]):
        entry = store.read(file.parts[-1].removesuffix(SUFFIX)) if file.is_entry else None
        if entry is None:
            continue
        entry.close()
        try:
            yield json.loads(entry.body)
        except ValueError:
            continue
