"""Where the cache is: FIRSTSTEP_CACHE, or the user's cache directory."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from firststep_agent.boost.store import Unsafe, check_ours

VARIABLE = "FIRSTSTEP_CACHE"
OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC if not hasattr(os, "O_PATH") else (
    os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)  # the second needs no leave to read


def cache_root() -> Path:
    """The cache directory, made private if it is not there yet. It may still be one that boost will refuse to use."""
    named = os.environ.get(VARIABLE)
    if named:
        root = Path(named).absolute()
    else:
        import platformdirs

        root = Path(platformdirs.user_cache_dir("firststep"))
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        root.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        pass  # the agent says why it cannot be used
    return root


def cache_refused() -> str | None:
    """In words why the cache directory must not be used, None where it may."""
    try:
        check_ours(str(cache_root()))
        check_ancestors(os.path.realpath(cache_root()))
    except Unsafe as reason:
        return str(reason)
    return None


def check_ancestors(folder: str) -> None:
    """Raises Unsafe where another user could put a folder of his own in the place of `folder`, an absolute path without links.

    Each folder above it is opened below the one before, never through a link, so that what is looked at is what is there: it has to
    be root's or this user's, and writable by nobody else, but for those in which only owners may rename (`/tmp`).
    """
    here = os.open("/", OPEN)
    try:
        path = ""
        for name in folder.split("/")[1:-1]:
            path += f"/{name}"
            try:
                below = os.open(name, OPEN, dir_fd=here)
            except OSError as error:
                raise Unsafe(f"a folder above the cache directory, {path}, cannot be opened: {os.strerror(error.errno or 0)}") from None
            os.close(here)
            here = below
            _check_ancestor(path, os.fstat(here))
    finally:
        os.close(here)


def _check_ancestor(path: str, found: os.stat_result) -> None:
    if found.st_uid not in (0, os.geteuid()):
        raise Unsafe(f"a folder above the cache directory, {path}, belongs to another user (uid {found.st_uid})")
    alone = found.st_gid in (0, os.geteuid())  # root's group, or the one that has the user's own number and no other member
    writable = found.st_mode & (stat.S_IWOTH if alone else stat.S_IWOTH | stat.S_IWGRP)
    if writable and not found.st_mode & stat.S_ISVTX:
        raise Unsafe(f"a folder above the cache directory, {path}, can be written by others: chmod go-w {path}")
