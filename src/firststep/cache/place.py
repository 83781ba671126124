"""Where the cache is: FIRSTSTEP_CACHE, or the user's cache directory."""

from __future__ import annotations

import os
from pathlib import Path

from firststep_agent.boost.folders import Unsafe
from firststep_agent.boost.folders import root as open_root

VARIABLE = "FIRSTSTEP_CACHE"
ENABLED = "enabled"  # below it, a folder for each environment whose every run is boosted


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
        open_root(str(cache_root()))
    except Unsafe as reason:
        return str(reason)
    return None
