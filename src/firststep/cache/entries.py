"""The entries of the cache as files: what each is, whose it is, and whether it is whole."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firststep_agent.boost import store
from firststep_agent.boost.cache_functions import store as function_store

SUFFIX = ".entry"


@dataclass(frozen=True)
class CachedEntry:
    """One file. program, python, prefix: as the agent described them, None where the file does not say."""

    path: Path
    remedy: str
    size: int
    last_used: float
    program: str | None = None
    python: str | None = None
    prefix: str | None = None


def all_entries(root: Path) -> Iterator[CachedEntry]:
    """Every entry below `root`, read as far as its description goes."""
    for path in sorted(root.glob(f"*/**/*{SUFFIX}")):
        try:
            found = path.lstat()
        except OSError:
            continue
        meta = _description(path)
        remedy = path.relative_to(root).parts[0]
        yield CachedEntry(path, remedy, found.st_size, found.st_mtime, meta.get("program"), meta.get("python"),
                          meta.get("prefix"))


def damage(path: Path) -> str | None:
    """In words what is wrong with an entry, None where it is whole."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            magic = os.read(file, len(function_store.MAGIC))
        finally:
            os.close(file)
        if magic == function_store.MAGIC:
            return None if function_store.read(str(path)) else "its checksum is wrong"
        return _damage_of_own(path)
    except OSError as error:
        return str(error.strerror)


def _damage_of_own(path: Path) -> str | None:
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        entry = store.read_entry(file)
        return None if entry.tail_is_whole() else "the checksum of its tail is wrong"
    except (store.Damaged, ValueError) as error:
        return str(error)
    finally:
        os.close(file)


def _description(path: Path) -> Mapping[str, Any]:
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return {}
    try:
        meta = store.read_entry(file).meta
        return meta if isinstance(meta, dict) else {}
    except (store.Damaged, OSError, ValueError):
        return {}
    finally:
        os.close(file)
