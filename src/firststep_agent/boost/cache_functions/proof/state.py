"""In which state a process is, as far as the program can see it: one word per object, compared between two forks of one process.

Below the user's modules and the function everything counts, to the last attribute and the contents of arrays, tensors and
variables. Of the libraries' modules count their attributes, those of their classes and functions, and what stands in their
containers, by identity: what was there before the fork has the same address in both children. So also of objects of the libraries' own
classes, whoever holds them (`kept`).
"""

import _thread
import gc
import sys
import types

from firststep_agent import kinds, ownership, streams
from firststep_agent.as_found import open, os
from firststep_agent.boost.cache_functions.proof import finalisers, held, kept, spaces, thorough, tracked
from firststep_agent.boost.cache_functions.proof.contents import CONTAINERS, PLAIN, items
from firststep_agent.boost.cache_functions.reads import surroundings, whole
from firststep_agent.boost.objects import roots, walk
from firststep_agent.boost.objects.pausing import Paused
from firststep_agent.boost.objects.reading import Everything, Reading
from firststep_agent.boost.program import folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


GONE = ""  # the word of an object of a library's that is not there any more, or that the walk has met


def imported() -> "list[str]":
    """Names of the modules that there are now."""
    return sorted(name for name, module in list(sys.modules.items()) if kinds.is_a(module, types.ModuleType))


class BeforeTrace:
    """What there is before the trace, and before the forks. Of all objects count those that there are now: what a trace imports or makes
    would be the same at a later time."""

    def __init__(self) -> None:
        with Paused(), tracked.unfrozen():
            found = tracked.Tracked(held.is_wanted, kept.is_wanted, spaces.is_wanted)
            self.held, self.kept = (tracked.Remembered(of.among(found)) for of in (held, kept))
            self.spaces = spaces.Spaces(imported(), found)
        self._newest: list[Any] = []

    def is_frozen(self) -> bool:
        """Whether the collector's objects were frozen since."""
        return id(self._newest) not in map(id, gc.get_objects(generation=finalisers.YOUNG))

    def let_go(self) -> None:
        """Of what nobody else holds any more: what it does when it goes is done before anybody looks."""
        for each in (self.held, self.kept, self.spaces):
            each.let_go()


class State:
    """words: a list of strings; where(i): whose the i-th is, in words; changed: which blocks of the spaces are not as they were before,
    whose words are told apart."""

    def __init__(self, python_function: "Any", before: "BeforeTrace") -> None:
        with Paused():
            before.let_go()
            self._process = [*_process(), ("what does something when it goes", repr(finalisers.now())),
                             ("what is frozen", repr(before.is_frozen()))]
            begins = [*roots.roots(python_function), *_user_modules(), *held.roots(before.held.now())]
            reading = Reading(None, Everything(), unread=True)
            self._walk = walk.walk(begins, reading, thorough.parts(reading))
            self._kept = dict(kept.words(before.kept.numbered(), self._walk.numbers))
            self.changed = before.spaces.changed()
        self.words = [f"{name} {value}" for name, value in self._process]
        self.words += self._walk.lines
        self.words += [str(self._kept[number][1]) if number in self._kept else GONE for number in range(before.kept.number)]

    def where(self, index: int) -> str:
        """The place of a word: `global CONFIG → .scale`."""
        if index < len(self._process):
            return self._process[index][0]
        index -= len(self._process)
        if index < len(self._walk.lines):
            return " → ".join(f"its {step[2:]}" if step[:2] == ".." else step for step in self._walk.path(index))
        return self._kept[index - len(self._walk.lines)][0]


def _user_modules() -> "list[tuple[str, types.ModuleType]]":
    return [(f"module {name}", module) for name, module in sorted((n, m) for n, m in list(sys.modules.items())
            if type(m) is types.ModuleType and ownership.is_programs(n))]


# ------------------------------------------------------------------ the process


def _process() -> "list[tuple[str, str]]":
    """[(name, value)] of what belongs to the process and hangs on no object of the program's."""
    found = []
    for name, read in _PROCESS.items():
        try:
            found.append((name, repr(read())))
        except Exception as error:
            if read in _TENSORFLOWS:  # it can be read in every version: what both cannot see is not equal
                raise
            found.append((name, f"unreadable {type(error).__name__}"))
    for name, position in streams.positions().items():
        found.append((name, repr(position)))
    return found


def _decimal() -> "str | None":
    module = sys.modules.get("decimal")
    return None if module is None else str(module.getcontext())


def _threads() -> "str | None":
    module = sys.modules.get("threading")
    return None if module is None else module.current_thread().name


def _numpy_settings() -> "tuple[Any, ...] | None":
    numpy = sys.modules.get("numpy")
    return None if numpy is None else (numpy.geterr(), id(numpy.geterrcall()), numpy.getbufsize(), str(numpy.get_printoptions()))


def _loggers() -> "tuple[Any, ...] | None":
    logging = sys.modules.get("logging")
    if logging is None:
        return None
    loggers = [logging.root, *(v for v in list(logging.root.manager.loggerDict.values()) if kinds.is_a(v, logging.Logger))]
    handlers = [handler for logger in loggers for handler in logger.handlers]
    told = [(v.name, _of_logger(v)) for v in loggers]
    return logging.root.manager.disable, [each for each in told if each[1] != _AS_MADE], [items(vars(each)) for each in (
        logging.lastResort, *handlers, *(handler.formatter for handler in handlers if handler.formatter is not None)) if each is not None]


def _of_logger(logger: "Any") -> "dict[str, Any]":
    """What was set on it."""
    return {name: items(value) if id(type(value)) in CONTAINERS else value if id(type(value)) in PLAIN else id(value)
            for name, value in vars(logger).items() if name not in ("name", "parent", "manager", "_cache")}


_AS_MADE = {"level": 0, "propagate": True, "handlers": items([]), "disabled": False, "filters": items([])}


def _context() -> "tuple[Any, ...] | None":
    context = getattr(sys.modules.get("tensorflow.python.eager.context"), "_context", None)
    if context is None:
        return None
    config = sys.modules["tensorflow.python.framework.config"]
    local = context._thread_local_data
    settings = {name: repr(value) if id(type(value)) in PLAIN | CONTAINERS else id(value) for name, value in vars(context).items()}
    return (settings, config.is_op_determinism_enabled(), config.tensor_float_32_execution_enabled(), local.is_eager, local.device_name,
            local.scope_name, len(local.op_callbacks), id(local.executor))


def _default_graph() -> "list[tuple[str, Any]]":
    """What stands in the collections of the graph that is the default where none is open, less TensorFlow's own, whose names are tuples:
    those are made when they are first asked for."""
    ops = sys.modules.get("tensorflow.python.framework.ops")
    graph = None if ops is None else ops._default_graph_stack._global_default_graph
    return [] if graph is None else [(name, items(held)) for name, held in graph._collections.items() if held and type(name) is str]


def _signals() -> "tuple[Any, ...]":
    """What Python knows of them, and the kernel: a handler in C (`faulthandler.register`) is known to it alone."""
    import signal

    with open("/proc/self/status", encoding="utf-8", errors="replace") as status:
        masks = [line for line in status if line.startswith(("SigBlk", "SigIgn", "SigCgt"))]
    return [(number, signal.getsignal(number)) for number in signal.valid_signals()], masks


def _timers() -> "list[tuple[bool, float]]":
    """Of each whether it is set, and the seconds in which it comes again."""
    import signal

    timers = map(signal.getitimer, (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF))
    return [(left > 0, again) for left, again in timers]


_TOLD_BY_VALUE = ("numpy.ufunc.extobj", "decimal_context")  # by the settings of NumPy and decimal


def _contextvars() -> "list[tuple[str, int]]":
    """Of the current context: names and addresses of what is set in it."""
    module = sys.modules.get("contextvars")
    found = () if module is None else module.copy_context().items()
    return sorted((variable.name, id(value)) for variable, value in found if variable.name not in _TOLD_BY_VALUE)


def _sockets() -> "float | None":
    module = sys.modules.get("_socket")
    return None if module is None else module.getdefaulttimeout()


def _traced_memory() -> "bool | None":
    module = sys.modules.get("_tracemalloc")
    return None if module is None else module.is_tracing()


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


_PROCESS = {
    "the working directory": folder,
    "the file mode mask": _umask,
    "the environment": lambda: sorted(os.environ.items()),
    "sys.argv": lambda: sys.argv,
    "sys.path": lambda: sys.path,
    "the recursion limit": sys.getrecursionlimit,
    "the interpreter's settings": lambda: (
        sys.getswitchinterval(), sys.getdlopenflags(), getattr(sys, "get_int_max_str_digits", int)(), sys.get_asyncgen_hooks(),
        sys.get_coroutine_origin_tracking_depth(), sys.gettrace(), sys.getprofile()),
    "the collector's settings": lambda: (gc.isenabled(), gc.get_threshold(), gc.get_debug(), gc.get_freeze_count() > 0),
    "signals": _signals,
    "timers": _timers,
    "limits": surroundings.limits,
    "the locale": whole.locale,
    "the time zone": whole.zone,
    "context variables": _contextvars,
    "sockets' timeout": _sockets,
    "traced memory": _traced_memory,
    "csv's settings": whole.csv,
    "threads": lambda: (_thread._count(), _thread.stack_size()),
    "standard streams": lambda: [id(stream) for stream in (sys.stdin, sys.stdout, sys.stderr)],
    "decimal's context": _decimal,
    "the thread's name": _threads,
    "NumPy's settings": _numpy_settings,
    "loggers": _loggers,
    "TensorFlow's context": _context,
    "TensorFlow's default graph": _default_graph,
}
_TENSORFLOWS = (_context, _default_graph)
