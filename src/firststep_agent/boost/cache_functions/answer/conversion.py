"""What AutoGraph needs when it converts a function that is traced: its source, and a folder for what it makes of it.

Where it does not find them TensorFlow warns, and traces the function as it is: with an error, as a rule. No answer is given there, and the
plain way says what it says. The child that proves an answer could not show it: it may write nothing.
"""

import sys
from errno import EISDIR, ENOENT, EOPNOTSUPP

from firststep_agent import kinds
from firststep_agent.as_found import FOUND_NS, os
from firststep_agent.descriptors import open_own
from firststep_agent.signals import is_theirs
from firststep_agent.writing import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firststep_agent.boost.cache_functions.reads.sources import Sources
    from firststep_agent.descriptors import Own

_NAMED_BY = "TMPDIR", "TEMP", "TMP"  # where `tempfile` makes its files, unless it was told another folder: there, or else
_DEFAULT = "/tmp", "/var/tmp", "/usr/tmp", "."
_ROOM = bytes(1 << 16)  # what AutoGraph makes of a function is a few thousand bytes
_KNOWS_ALL_BY_NAME = EISDIR, ENOENT, EOPNOTSUPP  # a file system, or a kernel, in which a file has a name


def hindrance(sources: "Sources") -> "str | None":
    """Why a trace could come out as another than it did, in words, or None. sources: as they are now."""
    changed = sources.changed_since(FOUND_NS)
    if changed is not None:
        return f"{changed} since the program began, and AutoGraph would read it as it is now"
    if not any(map(_has_room, _folders())):
        return "AutoGraph finds no folder to write to what it converts (`tempfile.gettempdir()`)"
    return None


def _folders() -> "list[object]":
    """The one in which `tempfile` makes its files; where it has not looked yet, those of which it takes the first that will do."""
    module = sys.modules.get("tempfile")
    known = None if module is None else kinds.own(module).get("tempdir")
    return [known] if known is not None else [*filter(None, map(os.environ.get, _NAMED_BY)), *_DEFAULT]


def _has_room(folder: object) -> bool:
    if type(folder) is not str:
        return False
    try:
        with _opened(folder) as file:
            write_all(file.number(), _ROOM)
    except OSError as error:
        if is_theirs(error):
            raise
        return False
    return True


def _opened(folder: str) -> "Own":
    """A new file there, which nobody sees. Raises OSError."""
    try:
        return open_own(folder, os.O_RDWR | os.O_TMPFILE)
    except OSError as error:
        if is_theirs(error) or error.errno not in _KNOWS_ALL_BY_NAME:
            raise
    path = os.path.join(folder, f".firststep-{os.getpid()}")
    file = open_own(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    os.unlink(path)
    return file
