"""The entries of the cache as files: what each is, whose it is, and whether it is whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firststep.cache.savings import FOLDER
from firststep.remedies import all_remedies
from firststep_agent.boost import store
from firststep_agent.boost.folders import root as open_root
from firststep_agent.boost.upkeep import FoundFile, files


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
    damage: str | None = None  # in words what is wrong with it, None where it is whole or was not read to its end


def folders() -> list[str]:
    """The names of the folders below the cache directory that are boost's."""
    return [*(remedy.id for remedy in all_remedies()), FOLDER]


def all_entries(root: Path, *, whole: bool = False) -> Iterator[CachedEntry]:
    """Every entry below `root` that is ours, read as far as its description goes, or `whole`. Raises store.Unsafe."""
    for found in files(open_root(str(root)), [remedy.id for remedy in all_remedies()]):
        if found.is_entry and found.is_ours():
            path = root.joinpath(*found.parts)
            meta, damage = _examined(found, path, whole)
            yield CachedEntry(path, found.parts[0], found.size, found.last_used, meta.get("program"), meta.get("python"),
                              meta.get("prefix"), damage)


def _examined(found: FoundFile, path: Path, whole: bool) -> tuple[Mapping[str, Any], str | None]:
    """(meta, in words what is wrong with the entry)."""
    try:
        with found.open() as file:
            entry = store.read_entry(file)
            if (entry.name or entry.key) != path.stem:
                return entry.meta, "it was written under another key"
            return entry.meta, "the checksum of its tail is wrong" if whole and not entry.tail_is_whole() else None
    except store.Damaged as error:
        return {}, str(error)
    except OSError as error:
        return {}, str(error.strerror)
    except ValueError as error:
        return {}, str(error)
