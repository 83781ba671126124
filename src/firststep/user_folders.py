"""The user's folders, where the XDG base directory specification has them. A library for it takes 20 ms of each boosted start."""

from __future__ import annotations

import os


def cache_folder() -> str:
    """What may be lost; it may not be there yet."""
    return _folder("XDG_CACHE_HOME", ".cache")


def state_folder() -> str:
    """What is to outlast a restart; it may not be there yet."""
    return _folder("XDG_STATE_HOME", ".local/state")


def _folder(variable: str, below_home: str) -> str:
    """A variable that holds no absolute path is ignored, as the specification says of its own."""
    named, home = os.environ.get(variable, ""), os.environ.get("HOME", "")
    if os.path.isabs(named):
        return os.path.join(named, "firststep")
    if not os.path.isabs(home):
        home = _registered_home()
    if os.path.isabs(home):
        return os.path.join(home, below_home, "firststep")
    kind = os.path.basename(below_home).strip(".")
    return f"/tmp/firststep-{os.getuid()}-{kind}"  # of a user whom nobody has registered, as in containers


def _registered_home() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""
