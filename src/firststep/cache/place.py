"""Where the cache is: FIRSTSTEP_CACHE, or the user's cache directory."""

from __future__ import annotations

import os

from firststep.user_folders import cache_folder
from firststep_agent.boost.folders import ADVICE as ADVICE
from firststep_agent.boost.folders import Unsafe
from firststep_agent.boost.folders import root as open_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

VARIABLE = "FIRSTSTEP_CACHE"
ENABLED = "enabled"  # below it, a folder for each environment whose every run is boosted


def cache_root() -> Path:
    """The cache directory, made private if it is not there yet. It may still be one that boost will refuse to use."""
    from pathlib import Path

    return Path(made_root())


def named_root() -> str:
    """Where it is, or will be."""
    named = os.environ.get(VARIABLE)
    return os.path.abspath(named) if named else cache_folder()


def made_root() -> str:
    """The same as cache_root, for who starts a program: it does not wait for `pathlib`."""
    root = named_root()
    try:
        os.makedirs(os.path.dirname(root), exist_ok=True)
        os.mkdir(root, 0o700)
    except OSError:
        pass  # it is there, or the agent says why it cannot be used
    return root


def cache_refused() -> str | None:
    """In words why the cache directory must not be used, None where it may."""
    try:
        open_root(made_root())
    except Unsafe as reason:
        return str(reason)
    return None
