"""The cache directory: ours, marked as ours, and below folders that nobody else can change.

Who can write a folder above the cache can put another in its place between a check and a use. So the way to it is
walked folder by folder, each opened in the one before it and checked, and everything is then opened below the
descriptor of the last. A directory that is not empty and has no MARK holds somebody's files, and is not used.

Until ready it stays open, for many ask for it then; afterwards, and in forked children, each use opens it and closes it again.
"""

import stat
from errno import ESTALE

from firststep_agent.as_found import os
from firststep_agent.descriptors import Own
from firststep_agent.signals import is_theirs
from firststep_agent.writing import write_all

MARK = ".firststep-cache"  # a file in the cache directory
TEXT = b"This directory is firststep's cache: `firststep cache clear` empties it.\n"
_WAY = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC  # search permission is enough
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
ADVICE = "set FIRSTSTEP_CACHE to a directory of your own"

_roots: "dict[str, Root]" = {}
_holding = True  # whether one that is found stays open


class Unsafe(Exception):
    """The directory cannot be used; the message says why and what to do."""


class Root:
    """A cache directory that was found to be ours."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._held = open_root(path)
        self._identity = self._held.identity
        if not _holding:
            self.let_go()

    def open(self) -> "Own":
        """An Own of it, for one use: `with root.open() as folder`. Raises OSError where it is another directory by now, or Unsafe."""
        opened = self._of_held() or open_root(self.path)
        if opened.identity != self._identity:
            opened.close()
            raise OSError(ESTALE, os.strerror(ESTALE))
        return opened

    def _of_held(self) -> "Own | None":
        """None where it is not held open, or the program has closed it; another thread may let go of it in between."""
        try:
            opened = Own(os.dup(self._held.number()))
        except OSError as error:
            if is_theirs(error):
                raise
            return None
        if opened.identity == self._identity:
            return opened
        opened.close()
        return None

    def let_go(self) -> None:
        self._held.close()


def root(path: str) -> "Root":
    """The Root of this process at `path`. Raises Unsafe."""
    found = _roots.get(path)
    if found is None:
        found = _roots[path] = Root(path)
    return found


def let_go() -> None:
    """Holds none open from here on."""
    global _holding
    _holding = False
    for one in list(_roots.values()):
        one.let_go()


def open_root(path: str) -> "Own":
    """An Own of the cache directory, made and marked where there is none. Raises Unsafe."""
    if not path or not os.path.isabs(path):
        raise Unsafe("the plan names no cache directory")
    parent, name = os.path.split(path.rstrip("/"))
    above = _walked(parent)
    try:
        folder = Own(_made(name, above, path))
    finally:
        os.close(above)
    try:
        _check_ours(os.fstat(folder.number()), path)
        _check_mark(folder.number(), path)
    except OSError as error:
        folder.close()
        if is_theirs(error):
            raise
        raise Unsafe(f"the cache directory {path} cannot be read: {_words(error)}") from None
    except Unsafe:
        folder.close()
        raise
    return folder


def open_folder(name: str, at: int, make: bool = False) -> "Own":
    """An Own of a folder of ours in the open folder `at`. Raises OSError, or Unsafe where it is not ours."""
    folder = Own(_made_folder(name, at) if make else os.open(name, _FOLDER, dir_fd=at))
    try:
        _check_ours(os.fstat(folder.number()), name)
    except BaseException:
        folder.close()
        raise
    return folder


def _walked(path: str) -> int:
    """The descriptor of the folder at `path`, which and all above it are ours or the system's alone. Raises Unsafe."""
    try:
        return _walk(path)
    except OSError as error:  # a link may lead there: what it leads to is checked instead
        if is_theirs(error):
            raise
        real = os.path.realpath(path)
        try:
            return _walk(real)
        except OSError as error:
            if is_theirs(error):
                raise
            raise Unsafe(f"the cache directory's folder {path} cannot be opened: {_words(error)}") from None


def _walk(path: str) -> int:
    at = os.open("/", _WAY)
    try:
        trusted = {0, os.geteuid(), os.fstat(at).st_uid}  # whoever has "/" has everything (another than 0 in user namespaces)
        done = "/"
        _check_above(os.fstat(at), done, trusted)
        for name in path.split("/"):
            if name in ("", "."):
                continue
            below = os.open(name, _WAY, dir_fd=at)
            os.close(at)
            at = below
            done = os.path.join(done, name)
            _check_above(os.fstat(at), done, trusted)
    except BaseException:
        os.close(at)
        raise
    return at


def _check_above(found: "os.stat_result", folder: str, trusted: "set[int]") -> None:
    if found.st_uid not in trusted:
        raise Unsafe(f"the cache directory lies in {folder}, which belongs to another user (uid {found.st_uid}): {ADVICE}")
    if found.st_mode & 0o022 and not found.st_mode & stat.S_ISVTX:
        raise Unsafe(f"the cache directory lies in {folder}, which can be written by others: chmod go-w {folder}, or {ADVICE}")


def _made(name: str, at: int, path: str) -> int:
    """The descriptor of the cache directory itself. Raises Unsafe."""
    try:
        return _made_folder(name, at)
    except OSError as error:
        if is_theirs(error):
            raise
        why = _words(error)
    try:
        kind = os.stat(name, dir_fd=at, follow_symlinks=False).st_mode
        if stat.S_ISLNK(kind):
            raise Unsafe(f"the cache directory {path} is not a directory but a link: {ADVICE}")
        if not stat.S_ISDIR(kind):
            raise Unsafe(f"the cache directory {path} is not a directory")
    except OSError as error:
        if is_theirs(error):
            raise
        raise Unsafe(f"the cache directory {path} cannot be made: {why}") from None
    raise Unsafe(f"the cache directory {path} cannot be read: {why}")


def _made_folder(name: str, at: int) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=at)
    except FileNotFoundError:
        pass
    try:
        os.mkdir(name, 0o700, dir_fd=at)
    except FileExistsError:
        pass  # another process was faster
    return os.open(name, _FOLDER, dir_fd=at)


def _check_ours(found: "os.stat_result", folder: str) -> None:
    if found.st_uid != os.geteuid():
        raise Unsafe(f"the cache directory {folder} belongs to another user (uid {found.st_uid}): {ADVICE}")
    if found.st_mode & 0o022:
        advice = ADVICE if found.st_mode & stat.S_ISVTX else f"chmod 700 {folder}"  # everybody's, as /tmp is
        raise Unsafe(f"the cache directory {folder} can be written by others: {advice}")


def _check_mark(folder: int, path: str) -> None:
    if _is_marked(folder):
        return
    if not os.listdir(folder):
        _mark(folder)
    elif not _is_marked(folder):  # nor has another process marked it, and begun to fill it, meanwhile
        raise Unsafe(f"the cache directory {path} holds files that are not firststep's: {ADVICE}, new or empty")


def mark_again(folder: int) -> None:
    """After something was made in the cache directory: who empties it meanwhile takes the mark, and leaves what is new.
    Raises OSError.
    """
    if not _is_marked(folder):
        _mark(folder)


def _is_marked(folder: int) -> bool:
    try:
        found = os.stat(MARK, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid()


def _mark(folder: int) -> None:
    try:
        file = os.open(MARK, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder)
    except FileExistsError:
        return  # another process was faster
    try:
        write_all(file, TEXT)
    except OSError as error:  # that it is there is the mark
        if is_theirs(error):
            raise
    finally:
        os.close(file)


def _words(error: "OSError") -> str:
    return os.strerror(error.errno) if error.errno else str(error)
