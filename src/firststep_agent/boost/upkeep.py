"""What lies in the cache directory and is ours: found, pruned and cleared without touching anything else.

Ours is a regular file of this user's, in a remedy's folder below a marked root, that has the name that we give and, where
it is an entry or what a killed writer left of one, begins with our mark.
"""

import re
import stat
from contextlib import ExitStack

from firststep_agent.as_found import os, time
from firststep_agent.boost.store import BAD, MAGIC, REFUSALS_LAST_S, REFUSED, SUFFIX, beside_entry, open_regular, read_meta
from firststep_agent.descriptors import open_own
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Any, TypeVar

    from firststep_agent.boost.folders import Root
    from firststep_agent.descriptors import Own

    Done = TypeVar("Done")

LEFT_OVER_S = 3600.0  # a temporary file this old belongs to nobody
MARKS = (MAGIC, b"FIRSTSTEP-FUNCTION-")  # the second: of functions, until they were entries like others
_ENTRY = re.compile(r"[0-9a-f]{32}\.entry")
_TEMPORARY = re.compile(r"\.[0-9a-f]{32}\.\d+\.\d+\.tmp|[0-9a-f]{32}\.entry\.\d+\.tmp")
_BESIDE = re.compile(r"[0-9a-f]{32}\.(uses|bad|trust|refused)|[0-9a-f]{32}(\.\d+\.\d+)?\.answering|[0-9a-f]{16}\.refused")


class FoundFile:
    """One file. parts: its path below the cache directory, the remedy's folder first."""

    def __init__(self, root: "Root", parts: "tuple[str, ...]", found: "os.stat_result") -> None:
        self._root = root
        self.parts = parts
        self.size = found.st_size
        self.last_used = found.st_mtime
        name = parts[-1]
        self.is_entry = bool(_ENTRY.fullmatch(name))
        self.is_temporary = bool(_TEMPORARY.fullmatch(name))
        self.is_beside = bool(_BESIDE.fullmatch(name))
        self.place = *parts[:-1], name.partition(".")[0]  # of an entry, and of what lies beside it

    def open(self) -> "Own":
        """An Own of it. Raises OSError."""
        return self._in_folder(lambda folder: open_regular(self.parts[-1], os.O_RDONLY, folder))

    def meta(self) -> "dict[str, Any]":
        """What an entry says of itself, its checksum not looked at: an empty dict where it says nothing."""
        try:
            with self.open() as file:
                return read_meta(file)
        except (OSError, ValueError) as error:
            if is_theirs(error):
                raise
            return {}

    def is_ours(self) -> bool:
        if self.is_beside:
            return True
        if not (self.is_entry or self.is_temporary):
            return False
        try:
            with self.open() as file:
                begin = os.pread(file.number(), max(map(len, MARKS)), 0)
        except OSError as error:
            if is_theirs(error):
                raise
            return False
        return begin.startswith(MARKS) or any(mark.startswith(begin) for mark in MARKS)

    def is_outlived(self, now: float) -> bool:
        """Whether it counts no longer, whatever there is room for. now: seconds since 1970."""
        age = now - self.last_used
        return self.is_temporary and age > LEFT_OVER_S or self.parts[-1].endswith(REFUSED) and age > REFUSALS_LAST_S

    def is_left_behind(self, now: float) -> bool:
        """Whether it goes with an entry, and should that not be there, nobody is about to write it. now: seconds since 1970."""
        return self.is_beside and not self.parts[-1].endswith((BAD, REFUSED)) and now - self.last_used > LEFT_OVER_S

    def remove(self) -> bool:
        """Removes it if it is ours, and what lies beside it with it; False where that was not possible."""
        if not self.is_ours():
            return False
        try:
            self._in_folder(self._unlink)
        except OSError as error:
            if is_theirs(error):
                raise
            return False
        return True

    def _unlink(self, folder: int) -> None:
        name = self.parts[-1]
        os.unlink(name, dir_fd=folder)
        if self.is_entry:
            for beside in beside_entry(folder, name[:-len(SUFFIX)]):
                try:
                    os.unlink(beside, dir_fd=folder)
                except OSError as error:
                    if is_theirs(error):
                        raise

    def _in_folder(self, do: "Callable[[int], Done]") -> "Done":
        with ExitStack() as opened:
            at = opened.enter_context(self._root.open())
            for part in self.parts[:-1]:
                at = opened.enter_context(open_own(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, at=at.number()))
            return do(at.number())


def files(root: "Root", remedies: "Iterable[str]") -> "Iterator[FoundFile]":
    """Every regular file of this user's in the folders of these remedies. root: a folders.Root."""
    for remedy in remedies:
        for folder, _, names, number in _walked(root, remedy):
            for name in sorted(names):
                try:
                    found = os.stat(name, dir_fd=number, follow_symlinks=False)
                except OSError as error:
                    if is_theirs(error):
                        raise
                    continue  # another process has removed it
                if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
                    yield FoundFile(root, (*folder.split("/"), name), found)


def _walked(root: "Root", remedy: str, topdown: bool = True) -> "Iterator[tuple[str, list[str], list[str], int]]":
    """os.fwalk of a remedy's folder; nothing where it is none."""
    with root.open() as folder:
        at = folder.number()
        try:
            if stat.S_ISDIR(os.stat(remedy, dir_fd=at, follow_symlinks=False).st_mode):
                yield from os.fwalk(remedy, topdown, follow_symlinks=False, dir_fd=at)
        except OSError as error:
            if is_theirs(error):
                raise
            return


def prune(root: "Root", remedies: "Iterable[str]", bound: int) -> "tuple[int, int]":
    """Removes entries until those of these remedies have `bound` bytes, the least recently used first, and what killed
    writers left. Returns (files removed, their bytes).
    """
    removed, kept, beside = [], [], []
    for found in files(root, remedies):
        if found.is_outlived(time.time()):
            if found.remove():
                removed.append(found.size)
        elif found.is_entry:
            kept.append(found)
        elif found.is_left_behind(time.time()):
            beside.append(found)
    places = {found.place for found in kept}
    removed += [found.size for found in beside if found.place not in places and found.remove()]
    total = sum(found.size for found in kept)
    for found in sorted(kept, key=lambda found: found.last_used):
        if total <= bound:
            break
        if found.remove():
            removed.append(found.size)
            total -= found.size
    return len(removed), sum(removed)


def clear(root: "Root", remedies: "Collection[str]") -> int:
    """Removes all that is ours in these remedies' folders, and the folders that are empty then. Returns the bytes removed.
    """
    size = sum(found.size for found in list(files(root, remedies)) if found.remove())
    for remedy in remedies:
        for folder, *_ in list(_walked(root, remedy, topdown=False)):
            try:
                with root.open() as at:
                    os.rmdir(folder, dir_fd=at.number())
            except OSError as error:
                if is_theirs(error):
                    raise
                continue  # it holds what is not ours
    return size
