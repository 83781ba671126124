"""All of the program's own state before a trace, part by part: a filter that needs not know what a trace reads.

A part is a global of one of the program's modules, or what the function holds, to three steps below; its token covers everything
under it. An answer is only given where every part is what it was when the function was learned, or has been another in a start
that traced for real and found the same graph. It is no guarantee (the proof is): large containers and arrays are sampled.
"""

import collections
import signal
import stat
import sys
import types
import zlib

from firststep_agent import kinds, ownership
from firststep_agent.as_found import os, time
from firststep_agent.boost.cache_functions.key.configuration import variables
from firststep_agent.boost.objects import attributes, leaves, notes, roots, special
from firststep_agent.boost.objects.expand import expand
from firststep_agent.boost.objects.parts import naming
from firststep_agent.boost.objects.parts.containers import entries
from firststep_agent.boost.objects.pausing import Paused
from firststep_agent.boost.objects.reading import Reading
from firststep_agent.boost.program import folder
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_DEPTH = 3  # steps that a part's name has at most
_ITEMS = 4096  # of a container that are looked at, half of them from its end
_BYTES = 1 << 16  # arrays up to this size count whole
_BYTES_IN_ALL = 32 << 20  # and larger ones, as long as all of them together are no more than that: some 20 ms; else they are sampled
_PATHS = 512  # strings that are looked up as paths
_EMPTY = types.CellType()
_NONE: "frozenset[str]" = frozenset()
_SEQUENCES = kinds.numbers((list, tuple, collections.deque))
_CONTAINERS = kinds.numbers((list, tuple, dict, set, frozenset))
_PLAIN = kinds.numbers((str, bytes, int, float, bool, type(None)))


class Whole:
    """parts: {name: CRC-32 of all that is under it}."""

    def __init__(self, python_function: "Any") -> None:
        with Paused():
            self.parts = {name: zlib.crc32(repr(value).encode("utf-8", "replace")) for name, value in process()}
            _walk([*roots.roots(python_function), *of_modules()], self.parts)

    def differences(self, learned: "dict[str, int]") -> "list[str]":
        """Names of the parts that are not what they were, sorted. An item that there is in one of both alone is told by what holds
        it, where that is another as well: a list of all starts so far has one more in each."""
        now = self.parts
        differ = {name for name in {**now, **learned} if now.get(name) != learned.get(name)}
        return sorted({_holder(name, differ) if not (name in now and name in learned) else name for name in differ})


def _holder(name: str, differ: "set[str]") -> str:
    """What holds it as an item, and that in turn, as far as each is among `differ`."""
    above, _, step = name.rpartition(" ")
    return _holder(above, differ) if step[0] in "#@&" and above in differ else name


def process() -> "Iterator[tuple[str, Any]]":
    """[(name, value)] of what is no object of the program's."""
    yield "the working directory", folder()
    yield "the command line", sys.argv[:]
    yield "what the standard streams are", [*map(_kind, range(3)), *map(_is_own, ("stdin", "stdout", "stderr"))]
    yield "the process's timers and signals", _awaited()
    for name, value in variables():
        if name not in _OF_SESSIONS and not name.startswith("FIRSTSTEP"):
            yield f"${name}", value
    decimal = sys.modules.get("decimal")
    if decimal is not None:
        yield "decimal's context", str(decimal.getcontext())
        yield "decimal's default context", str(decimal.DefaultContext)
    yield "the locale", locale()
    yield "the time zone", zone()
    yield "Python's limits", (sys.getrecursionlimit(), getattr(sys, "get_int_max_str_digits", int)())
    yield "csv's settings", csv()
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        yield "the size of NumPy's buffers", numpy.getbufsize()
    yield "which warnings are raised", _raised()
    threading = sys.modules.get("threading")
    if threading is not None:
        yield "the thread's name", threading.current_thread().name
    yield "the exception that is handled", _handled()
    yield "who runs it", (os.getuid(), os.geteuid(), os.getgid(), os.getegid(), sorted(os.getgroups()))


def _handled() -> "tuple[str, list[Any]] | None":
    """Where the call stands in an `except`, of which a trace may ask: the class, and what is plain of the arguments."""
    error = sys.exc_info()[1]
    if error is None:
        return None
    arguments = BaseException.args.__get__(error)  # type: ignore[attr-defined]  # no attribute of the program's
    return kinds.qualified(type(error)), [each for each in arguments if id(type(each)) in _PLAIN]


def locale() -> "str | None":
    """None where nobody has asked for one."""
    module = sys.modules.get("_locale")
    return None if module is None else module.setlocale(module.LC_ALL, None)


def csv() -> "tuple[Any, ...] | None":
    """Which dialects its module in C knows, and how long a field may be; None where nobody has set anything, loaded or not."""
    module = sys.modules.get("_csv")
    if module is None:
        return None
    known = sorted(name for name in module.list_dialects() if type(name) is str)
    if module.field_size_limit() == _LIMIT and known in ([], _DIALECTS):
        return None
    return module.field_size_limit(), [(name, *(getattr(module.get_dialect(name), what) for what in _OF_DIALECTS)) for name in known]


_LIMIT, _DIALECTS = 131072, ["excel", "excel-tab", "unix"]
_OF_DIALECTS = ("delimiter", "doublequote", "escapechar", "lineterminator", "quotechar", "quoting", "skipinitialspace", "strict")


def zone() -> "tuple[Any, ...]":
    """What Python was told of it, and what the C library goes by: a function that asks for that anew may have been called since."""
    return time.tzname, time.timezone, time.daylight, [tuple(time.localtime(moment)) for moment in _MOMENTS]


_MOMENTS = (0, 1_700_000_000, 1_715_000_000)  # seconds since 1970: the first, a winter's and a summer's, in both halves of the earth


def _raised() -> "list[str]":
    """Of the filters of warnings those by which one is no word, but an error."""
    module = sys.modules.get("warnings")
    return [] if module is None else [repr(each) for each in module.filters if each[0] == "error"]


def _kind(number: int) -> "tuple[int, bool] | None":
    """Of a descriptor; None where it is closed. The child that proves an answer has others."""
    try:
        return stat.S_IFMT(os.fstat(number).st_mode), os.isatty(number)
    except OSError as error:
        if is_theirs(error):
            raise
        return None


def _is_own(name: str) -> bool:
    """Whether one of Python's streams is the one that the process began with."""
    return getattr(sys, name, None) is getattr(sys, f"__{name}__", None)


def _awaited() -> "tuple[list[bool], list[int]]":
    """Which timers are set, and which signals the program handles or ignores: neither goes on in that child."""
    timers = map(signal.getitimer, (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF))
    return [left > 0 for left, _ in timers], [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_DFL]


_SIGNALS = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}
# Variables that each terminal and each job has of its own, and that no program is made to compute from.
_OF_SESSIONS = frozenset("""_ OLDPWD SHLVL TERM COLUMNS LINES WINDOWID SSH_CLIENT SSH_CONNECTION SSH_TTY SSH_AUTH_SOCK XDG_SESSION_ID
    DBUS_SESSION_BUS_ADDRESS GPG_AGENT_INFO TMUX TMUX_PANE STY PYTHONPATH""".split())


def of_modules() -> "Iterator[tuple[str, Any]]":
    """(name, value) of what stands in the program's modules."""
    for name, module in sorted((n, m) for n, m in list(sys.modules.items()) if type(m) is types.ModuleType):
        if ownership.is_programs(name):
            for key, value in list(kinds.own(module).items()):
                if key not in _OF_MODULES:
                    yield f"{name}.{key}", value


_OF_MODULES = frozenset("""__builtins__ __warningregistry__ __loader__ __spec__ __cached__ __doc__ __name__ __package__ __file__
    __annotations__ __path__""".split())


def _walk(named: "Iterable[tuple[str, Any]]", parts: "dict[str, int]") -> None:
    """Breadth first: each object counts under the part in which it is first met."""
    reading = Reading()
    left = _Left()
    met: dict[int, str] = {}
    objects = [(name, name, 1, value, False) for name, value in named]
    for name, part, depth, value, of_library in objects:
        word = _leaf(value, left)
        if word is None and id(value) in met:
            word = "as " + met[id(value)]
        if word is not None:
            parts[part] = zlib.crc32(word.encode("utf-8", "surrogatepass"), parts.get(part, 0))
            continue
        met[id(value)] = name
        head, children = _taken_apart(value, reading, left)
        of_library = of_library or type(value) is types.ModuleType and not ownership.is_programs_module(value)
        if of_library:
            head, children = _sorted(value, head, children)
        parts[part] = zlib.crc32(head.encode("utf-8", "surrogatepass"), parts.get(part, 0))
        for step, child in children:
            below = f"{name} {step}"
            objects.append((below, below if depth < _DEPTH else part, depth + 1, child, of_library))
    # What was met is held by `objects` until here, so that no address is used twice.


class _Left:
    """What one walk may still spend."""

    def __init__(self) -> None:
        self.bytes = _BYTES_IN_ALL
        self.paths = _PATHS


def _leaf(value: "Any", left: "_Left") -> "str | None":
    kind = type(value)
    if kind is str and os.sep in value and len(value) < 256 and left.paths:
        left.paths -= 1
        return f"s{value} {_is_there(value)}"
    return leaves.word(value)


def _is_there(path: str) -> bool:
    """Whether there is a file of that name: code that is traced may go one way or the other by it."""
    try:
        return os.path.exists(path)
    except ValueError:
        return False


def _taken_apart(value: "Any", reading: "Reading", left: "_Left") -> "tuple[str, Iterable[tuple[str, Any]]]":
    kind = type(value)
    if id(kind) in _CONTAINERS and len(value) > _ITEMS:
        return f"{kinds.name(kind)} of {len(value)}", _sample(value)
    if issubclass(kind, type) and ownership.is_installed(_file_of(value)):
        return f"class {kinds.qualified(value)}", ()
    if kind is types.FunctionType and ownership.is_installed(value.__code__.co_filename):
        return f"function {value.__module__}.{value.__qualname__}", _state_of(value)
    if kinds.name(kind) == "EagerTensor" and value.dtype.is_numpy_compatible and value.dtype.name != "string":
        return f"tensor {_contents(sys.modules['numpy'].asarray(value._numpy_internal()), left)}", ()
    if kinds.qualified(kind) == "numpy.ndarray" and value.nbytes > _BYTES and not value.dtype.hasobject:
        return _contents(value, left), ()
    if (ownership.module_owner(kinds.module(kind)) == ownership.FRAMEWORK and not issubclass(kind, type)
            and special.handler(kind) is not special.flags):
        return _of_framework(value, kind)
    head, children, _ = expand(value, reading)
    if id(kind) in naming.TELLING or issubclass(kind, type):
        children = naming.where_named(list(children), _NONE)
    return f"{head} {len(value)}" if id(kind) in _SEQUENCES else head, children


def _sorted(value: "Any", head: str, children: "Iterable[tuple[str, Any]]") -> "tuple[str, Iterable[tuple[str, Any]]]":
    """What an installed library keeps, in no order where it is plain: it may have made that of a set of strings, whose order is another in
    each process, and no program of its own does."""
    children = list(children)
    steps, held = [step for step, _ in children], [child for _, child in children]
    if type(value) is dict and len(value) == len(held) <= _ITEMS:
        told: list[Any] = [leaves.word(key) for key in value]
    elif type(value) is list or type(value) is tuple:
        told = [leaves.word(child) for child in held]
    else:
        return head, children
    if any(word is None for word in told):
        return head, children
    if type(value) is dict:
        head = f"dict {sorted(told)}"
    return head, list(zip(steps, (held[at] for at in sorted(range(len(held)), key=told.__getitem__))))


def _contents(array: "Any", left: "_Left") -> str:
    """Type, shape and a checksum of an array, whole or of samples."""
    flat = array.reshape(-1)
    if array.nbytes > _BYTES:
        if array.nbytes > left.bytes:
            flat = flat[:: max(1, flat.size // 1024)]
        else:
            left.bytes -= array.nbytes
    return f"array {array.dtype} {array.shape} {zlib.crc32(flat.tobytes())}"


def _of_framework(value: "Any", kind: type) -> "tuple[str, list[tuple[str, Any]]]":
    """An object of a framework's: what is public in it, and the layers that it holds. The rest is read where a trace names it."""
    held, unread = attributes.own(value), notes.unread(kind, True)
    children = [("." + name, child) for name, child in held.items()
                if type(name) is str and (name[:1] != "_" or name in _HOLDING) and name not in unread]
    children += [("function", value._python_function)] if "_python_function" in held else []
    base = next((base for base in (list, tuple, dict) if issubclass(kind, base)), None)
    if base is not None:
        children += [(f"#{i}", each) for i, each in enumerate(dict.values(value) if base is dict else base.__iter__(value))]
    return kinds.qualified(kind), children


_HOLDING = frozenset(("_layers", "_user_metrics", "_user_loss"))


def _sample(value: "Any") -> "Iterable[tuple[str, Any]]":
    if type(value) is dict:
        value = [each for pair in entries(value) for each in pair]
    elif type(value) is set or type(value) is frozenset:
        return ()  # in another order in each start
    half = _ITEMS // 2
    return [(f"#{i}", each) for i, each in enumerate([*value[:half], *value[-half:]])]


def _file_of(cls: type) -> str:
    module = kinds.module(cls)
    return kinds.file_of(sys.modules.get(module) if type(module) is str else None) or ""


def _state_of(function: "types.FunctionType") -> "Iterator[tuple[str, Any]]":
    """What the program may have put on a library's function."""
    yield from ((f"..{name}", value) for name, value in notes.as_given(function.__dict__)
                if name != "__wrapped__" and not kinds.is_address_of(value, function))
    yield from (("cell", cell.cell_contents) for cell in function.__closure__ or () if cell != _EMPTY)
