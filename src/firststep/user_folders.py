"""The user's folders, where the XDG base directory specification has them. A library for it takes 20 ms of each boosted start."""

from __future__ import annotations

import os


def cache_folder() -> str:
    """What may be lost; it may not be there yet."""
    return _folder("XDG_CACHE_HOME", "~/.cache")


def state_folder() -> str:
    """What is to outlast a restart; it may not be there yet."""
    return _folder("XDG_STATE_HOME", "~/.local/state")


def _folder(variable: str, default: str) -> str:
    named = os.environ.get(variable, "")  # the specification ignores what is relative
    return os.path.join(named if os.path.isabs(named) else os.path.expanduser(default), "firststep")
