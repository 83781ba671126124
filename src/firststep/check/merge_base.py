"""The program as it was where the branch left another: a checkout of that commit beside this one."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from firststep import exit_codes
from firststep.check.settings import Budget
from firststep.errors import FirststepError
from firststep.model.ownership import INSTALLED
from firststep.model.trace import Trace


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
    top = Path(_git(here, "rev-parse", "--show-toplevel")).resolve()
    commit = _git(here, "merge-base", "--", reference, "HEAD")
    with tempfile.TemporaryDirectory(prefix="firststep-base-") as scratch:
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


def _git(folder: Path, *words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise FirststepError("--merge-base needs git", str(error), "install git, or compare with a stored baseline",
                             exit_codes.USAGE) from error
    if done.returncode:
        raise FirststepError("the merge base cannot be checked out", done.stderr.strip() or f"git {words[0]} failed",
                             "in CI, fetch the whole history: fetch-depth: 0", exit_codes.USAGE)
    return done.stdout.strip()
