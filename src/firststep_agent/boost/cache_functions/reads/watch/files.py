"""Files that Python opened while the trace ran, by audit events; and events that no replay can repeat."""

import stat
import sys

from firststep_agent import ownership
from firststep_agent.as_found import open, os
from firststep_agent.boost.cache_functions.reads import executed
from firststep_agent.boost.cache_functions.reads.watch.modules import being_imported
from firststep_agent.boost.objects.refusal import Refused
from firststep_agent.frameworks import standing
from firststep_agent.imports import FILE, is_import_system
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

# Event -> what it is, in words.
_REFUSED = {
    "socket.connect": "opens a network connection",
    "socket.getaddrinfo": "looks up a network name",
    "socket.bind": "opens a network port",
    "subprocess.Popen": "starts a process",
    "os.system": "starts a process",
    "os.fork": "forks",
    "os.posix_spawn": "starts a process",
    "os.listdir": "lists a directory",
    "os.scandir": "lists a directory",
    "glob.glob": "lists a directory",
    "sqlite3.connect": "opens a database",
    "os.remove": "removes a file",
    "os.rename": "renames a file",
    "os.mkdir": "makes a directory",
    "shutil.copyfile": "copies a file",
    "os.putenv": "changes the environment",
    "os.unsetenv": "changes the environment",
}
_IMPORTS = "import"
# Code that opens sources and bytecode: not data that the trace reads.
_SOURCES = ("linecache.py", "inspect.py", "tokenize.py", "traceback.py", "autograph/pyct/loader.py", "pyct/parser.py")
_IMPORT = "_find_and_load"  # Python's function that each import passes, and who asks a loader itself does not
_CALLER = "tensorflow/python/autograph/impl/api.py"  # calls what the user's code calls
_IN_A_FRAMEWORKS_PLACE = (standing.__name__, executed.__name__)

_active: "list[Files]" = []
_installed: "list[bool]" = []


class Files:
    """Collects while active, on the thread that traces."""

    def __init__(self) -> None:
        import _thread

        self._thread_id = _thread.get_ident
        self._paths: dict[str, str] = {}
        self._imports: dict[str, str] = {}  # what the program's code imports for the first time -> which code
        self._refusal: str | None = None

    def start(self) -> None:
        if not _installed:
            _installed.append(True)
            sys.addaudithook(_hook)
        self._thread = self._thread_id()
        _active.append(self)

    def stop(self) -> None:
        if self in _active:
            _active.remove(self)

    def see(self, event: str, arguments: "tuple[Any, ...]") -> None:
        """One audit event of the tracing thread."""
        if self._thread_id() != self._thread:
            return
        caller, loads = _caller()
        if caller is None:
            return
        if event == _IMPORTS:
            if ownership.owner(sys._getframe(2).f_code.co_filename) == ownership.USER:
                self._imports[arguments[0]] = caller
            return
        if event != "open":
            if loads or being_imported(sys._getframe(2)):
                return
            self._refusal = self._refusal or f"{caller} {_REFUSED[event]} while it is traced"
            return
        path, mode, flags = (*arguments, None, None)[:3]
        if isinstance(path, int):
            if not loads:  # the bytecode that a loader writes
                self._refusal = self._refusal or f"{caller} opens a descriptor while it is traced"
            return
        path = os.fsdecode(path)
        if ownership.GENERATED in path:
            return  # what AutoGraph has written in this process
        if loads:  # bytecode is of a source, which another start may find changed
            if not (flags or 0) & (os.O_WRONLY | os.O_RDWR):
                self._paths[_source_of(path)] = caller
            return
        if (flags or 0) & (os.O_WRONLY | os.O_RDWR) or (mode and any(c in mode for c in "wax+")):
            self._refusal = self._refusal or f"{caller} writes the file {path} while it is traced"
        elif _can_be_read_once(path):
            self._refusal = self._refusal or f"{caller} reads {path} while it is traced, which may be read only once"
        else:
            self._paths[path] = caller  # as it was asked for: where another start stands, a relative one is another file

    def check(self) -> None:
        """Raises Refused for what was written, listed, connected to, and for a module that was not found."""
        if self._refusal is not None:
            raise Refused(self._refusal)
        for name, caller in self._imports.items():
            if name not in sys.modules:
                raise Refused(f"{caller} tries to import `{name}` while it is traced, which is not there: another start may find it")

    def record(self) -> "dict[str, str]":
        return {path: _digest(path) for path in self._paths}


def recheck(recorded: "dict[str, str]") -> "str | None":
    """None where every file still has the content it had."""
    for path, digest in recorded.items():
        if _digest(path) != digest:
            return f"the file {path}, which is read while it is traced, has changed"
    return None


def _source_of(path: str) -> str:
    from importlib.util import source_from_cache

    try:
        return source_from_cache(path) if path.endswith(".pyc") else path
    except ValueError:  # it lies where no source's bytecode lies
        return path


def _can_be_read_once(path: str) -> bool:
    """Whether it is a pipe, a device or a socket: to look into it takes away what the program would read, or waits for who writes."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        if is_theirs(error):
            raise
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _digest(path: str) -> str:
    import hashlib

    found = hashlib.blake2b(digest_size=16)
    if _can_be_read_once(path):
        return "may be read only once"
    try:
        with open(path, "rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                found.update(block)
    except OSError as error:
        if is_theirs(error):
            raise
        return f"unreadable {error.errno}"
    return found.hexdigest()


def _hook(event: str, arguments: "tuple[Any, ...]") -> None:
    if _active and (event == "open" or event in _REFUSED or event == _IMPORTS):
        try:
            _active[-1].see(event, arguments)
        except Exception as error:
            if is_theirs(error):
                raise
            _active[-1]._refusal = "a file or system event could not be recorded while it was traced"


def _caller() -> "tuple[str | None, bool]":
    """The function nearest to the event that is no standard library code, in words, and whether it has a module's loader read. None where a
    framework reads sources, where something is imported, or where it is ours."""
    from firststep_agent.boost.objects import words

    frame = sys._getframe(3)
    nearest, loads, reads_sources = None, False, False
    while frame is not None:
        filename = frame.f_code.co_filename
        if nearest is None and filename != FILE and ownership.is_ours(filename):  # what we write down is none of the program's files
            return None, False
        owner = ownership.owner(filename)
        if _imports(frame):
            if frame.f_code.co_name == _IMPORT:
                return None, False
            loads = True
        elif filename.endswith(_SOURCES) and owner != ownership.USER:
            if owner == ownership.FRAMEWORK:
                return None, False
            reads_sources = True
        if nearest is None and owner != ownership.STDLIB and not ((loads or reads_sources) and filename.endswith(_CALLER)):
            if (loads or reads_sources) and owner == ownership.FRAMEWORK:
                return None, False
            nearest = words.of_code(frame.f_code, frame.f_lineno)
        if filename.endswith("tracing_compilation.py"):
            break
        frame = frame.f_back  # type: ignore[assignment]
    return nearest, loads


def _imports(frame: "FrameType") -> bool:
    """Whether it is one of Python's for imports. What stands in a framework's place calls itself so as well."""
    if frame.f_globals.get("__name__") in _IN_A_FRAMEWORKS_PLACE or not _is_of_imports(frame):
        return False
    return frame.f_code.co_name != "get_data" or _is_of_imports(frame.f_back)  # a package's data, asked for by `pkgutil.get_data`


def _is_of_imports(frame: "FrameType | None") -> bool:
    return frame is not None and is_import_system(frame.f_code.co_filename)
