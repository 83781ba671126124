"""The program as it was where the branch left another: a checkout of that commit beside this one."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from firststep import exit_codes
from firststep.check.settings import Budget
from firststep.errors import FirststepError
from firststep.model.ownership import INSTALLED
from firststep.model.trace import Trace

PREFIX = "firststep-base-"
STALE_S = 3600  # who has not come to lock its folder by then was killed


class MergeBase:
    """folder: of the checkout, as `here` is of the working tree; commit: which it is."""

    def __init__(self, top: Path, checkout: Path, here: Path, commit: str) -> None:
        self._top = top
        self._checkout = checkout
        self.folder = checkout / here.relative_to(top)
        self.commit = commit

    def command_of(self, budget: Budget) -> Budget:
        """The same command there; what is not in the checkout, as an environment, is this one's."""
        here = self._top / self.folder.relative_to(self._checkout)
        program = budget.command[0]
        if os.sep in program and not os.path.isabs(program) and not (self.folder / program).exists():
            return replace(budget, command=(os.path.normpath(here / program), *budget.command[1:]))
        return budget

    def strays(self, trace: Trace) -> str | None:
        """A file of the working tree that the start of the merge base ran, None where it ran none."""
        mine = f"{self._top}{os.sep}"
        for process in trace.processes:
            for sample in process.samples:
                for frame in sample.stack:
                    if frame.file.startswith(mine) and not INSTALLED.match(frame.file) and not self._is_base(frame.file):
                        return frame.file
        return None

    def _is_base(self, file: str) -> bool:
        return file.startswith(f"{self._checkout}{os.sep}")


@contextmanager
def merge_base(reference: str, here: Path) -> Iterator[MergeBase]:
    """Raises FirststepError where there is no repository, or no such commit."""
    here = here.resolve()
    top = Path(_git(here, "rev-parse", "--show-toplevel", instead="run it in a repository of git")).resolve()
    commit = _git(here, "merge-base", "--", reference, "HEAD",
                  instead="name a branch or commit that `git log` knows; in CI, fetch the whole history: fetch-depth: 0")
    _sweep(here)
    with tempfile.TemporaryDirectory(prefix=PREFIX) as scratch, _held(scratch):
        checkout = Path(scratch).resolve() / "checkout"
        _git(here, "worktree", "add", "--quiet", "--detach", str(checkout), commit)
        try:
            base = MergeBase(top, checkout, here, commit)
            if not base.folder.is_dir():
                raise FirststepError(f"the merge base with {reference} has no folder {here.relative_to(top)}", "",
                                     "firststep check, without --merge-base", exit_codes.USAGE)
            yield base
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(checkout)], cwd=here, capture_output=True, check=False)


@contextmanager
def _held(folder: str) -> Iterator[bool]:
    """Locks it, as long as this process has it; whether it was nobody's."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)


def _sweep(here: Path) -> None:
    """Takes away the checkouts of checks that were killed."""
    try:
        left = [each for each in os.scandir(tempfile.gettempdir()) if each.name.startswith(PREFIX) and _is_stale(each)]
    except OSError:
        return
    for each in left:
        try:
            with _held(each.path) as nobodys:
                if nobodys:
                    shutil.rmtree(each.path, ignore_errors=True)
        except OSError:
            continue
    if left:
        subprocess.run(["git", "worktree", "prune"], cwd=here, capture_output=True, check=False)


def _is_stale(entry: os.DirEntry[str]) -> bool:
    found = entry.stat(follow_symlinks=False)
    return (entry.is_dir(follow_symlinks=False) and found.st_uid == os.geteuid() and time.time() - found.st_mtime > STALE_S
            and set(os.listdir(entry.path)) <= {"checkout"})


def _git(folder: Path, *words: str, instead: str = "") -> str:
    try:
        done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise FirststepError("--merge-base needs git", str(error), "install git, or compare with a stored baseline",
                             exit_codes.USAGE) from error
    if done.returncode:
        raise FirststepError("the merge base cannot be checked out", done.stderr.strip() or f"git {words[0]} failed", instead,
                             exit_codes.USAGE)
    return done.stdout.strip()
