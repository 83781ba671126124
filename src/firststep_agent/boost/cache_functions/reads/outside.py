"""What a call asks of the process, its descriptors and its terminal, or does to them, where the child that proves an answer cannot follow.

The child has no descriptors, no other threads and no timers of the program's, and may not write: a trace that asks for such a
thing and takes a default where it is refused would take the default there alone. So the functions that may be called are
listed, by module, and not those that may not.
"""

import _codecs
import re

from firststep_agent.boost.objects import bytecode
from firststep_agent.imports import FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType

_MAY_BE_CALLED = {
    "posix": frozenset(
        """fspath getuid geteuid getgid getegid getgroups cpu_count sched_getaffinity strerror _path_normpath _path_splitroot
        _path_splitroot_ex""".split()),  # neither the machine's name nor what is left of its memory
    "sys": frozenset(
        """intern _getframe _getframemodulename exc_info exception getdefaultencoding getfilesystemencoding getfilesystemencodeerrors audit
        is_finalizing get_int_max_str_digits _is_gil_enabled""".split()),
    "_codecs": frozenset(name for name in dir(_codecs) if "register" not in name and name != "lookup_error"),  # what a program put there
    "_contextvars": frozenset(),  # `copy_context` gives them all
    "_locale": frozenset("setlocale localeconv nl_langinfo getencoding strcoll strxfrm _getdefaultlocale".split()),
    "_thread": frozenset(("allocate_lock", "allocate", "get_ident", "RLock", "_get_main_thread_ident")),
    **dict.fromkeys(
        """fcntl termios signal _signal select resource faulthandler _tracemalloc gc atexit _posixsubprocess syslog _ctypes readline _socket
        _ssl _multiprocessing _posixshmem tty pty _asyncio""".split(), frozenset()),  # the last knows its loop by the process's number
}
_LOOKS_FOR_MODULES = frozenset(("find_spec",))
# Of the standard library's Python code, and of what stands in for the collector's functions: (end of the file's name, its functions;
# None: all).
_CODE = (
    ("/threading.py", frozenset(("enumerate", "active_count", "main_thread", "settrace", "setprofile", "settrace_all_threads",
                                 "setprofile_all_threads", "excepthook", "gettrace", "getprofile",
                                 "is_alive", "join", "wait", "wait_for"))),  # of a thread, and until another one does something
    ("/ctypes/__init__.py", None),
    ("/inspect.py", frozenset(("currentframe", "stack", "trace", "getouterframes", "getinnerframes"))),
    ("/random.py", frozenset(("getstate",))),
    ("/traceback.py", frozenset(("extract_stack", "format_stack", "print_stack", "walk_stack"))),
    (FILE, frozenset(("get_threshold", "set_threshold", "freeze", "getrecursionlimit"))),
    ("/subprocess.py", None),
    ("/importlib/util.py", _LOOKS_FOR_MODULES),
    ("<frozen importlib.util>", _LOOKS_FOR_MODULES),
    ("/pkgutil.py", frozenset(("find_loader", "get_loader", "iter_modules", "walk_packages"))),
    ("/multiprocessing/context.py", None),
)
# Stands for `super`, `locals`, `globals` and `eval`, whose caller it looks for.
_OWN_NAMES = "tensorflow/python/autograph/operators/py_builtins.py"
_READS_DATA = "/pkgutil.py", "get_data"  # of a module that it looks for, and of which then a file is noted
_FUNCTION = re.compile(r"<built-in method (\w+)\.(\w+)>")
_WRITES = re.compile(r"<method '(write|writelines|truncate)' of '(_io\.(?:TextIOWrapper|Buffered\w+|FileIO))' objects>")
_OF_STREAMS = re.compile(r"<method '(isatty|fileno|reconfigure|detach|close)' of '_io\.\w+' objects>")
_DUMPS = ("<built-in method _pickle.dump>", "<built-in method marshal.dump>")
_GENERATED = re.compile(r"/gen_\w+\.py$")  # TensorFlow's functions for its operations, whose code holds the operation's name
_AT_ONCE = "TFE_Py_FastPathExecute"
_OF_FUNCTIONS = "tensorflow/python/eager/context.py", "call_function"
# Operations with a state of their own that what they are given or give shows, or that is asked for elsewhere (`calls.check_computed`).
_SEEN = frozenset(
    """VarHandleOp VarIsInitializedOp VariableShape ReadFile MatchingFiles Assert HashTableV2 MutableHashTableV2 TensorDataset
    TensorSliceDataset RangeDataset""".split())

# Those that read or change a variable by way of its object, which is listened to and compared; no bare handle is.
_OF_VARIABLES = frozenset(("ReadVariableOp", "AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp", "DestroyResourceOp"))
_VARIABLES = "/tensorflow/python/ops/resource_variable_ops.py"


def of_c(description: str, direct: bool) -> "str | None":
    """What calling a C function does, in words with a place for its name; None where it may be called. direct: by the user's own code."""
    if writes(description):
        return "writes to a file ({})"
    if direct and _OF_STREAMS.search(description):
        return "asks something of a stream, or sets it ({})"
    found = _FUNCTION.search(description)
    if found is None:
        return None
    module, name = found.groups()
    if name == "_getframe" and direct:
        return "looks at the frames of its callers ({})"
    allowed = _MAY_BE_CALLED.get(module)
    return None if allowed is None or name in allowed else "asks something of this process, or sets it ({})"


def writes(description: str) -> bool:
    """Whether it is a function of C that writes to a file."""
    return _WRITES.search(description) is not None or description in _DUMPS


def of_code(code: "CodeType", caller: "CodeType") -> "str | None":
    """The same of a function of the standard library, or of ours in place of one of the interpreter's."""
    if caller.co_filename.endswith(_OWN_NAMES) or (caller.co_filename.endswith(_READS_DATA[0]) and caller.co_name == _READS_DATA[1]):
        return None
    for ending, names in _CODE:
        if code.co_filename.endswith(ending) and (names is None or code.co_name in names):
            return "asks something of this process, or sets it ({})"
    return None


def reads_clock(code: "CodeType") -> bool:
    """Whether it has a clock read that no call shows: NumPy's, or that of a log record."""
    return not _RECORDS.isdisjoint(code.co_names) or _OF_NUMPY in code.co_names and bytecode.holds_text(code, "now", "today")


_RECORDS, _OF_NUMPY = frozenset(("makeLogRecord", "LogRecord")), "datetime64"


def acts_at_once(code: "CodeType", callees: "Iterable[CodeType | str]", callers: "Iterable[CodeType]") -> bool:
    """Whether it is TensorFlow's function for an operation with an effect or a state of its own and ran it at once, as in
    `init_scope`: that happens whenever the user's function is traced, and only then. callers: the code that called it."""
    if code.co_filename.endswith(_OF_FUNCTIONS[0]) and code.co_name == _OF_FUNCTIONS[1]:
        return True
    if not is_generated(code.co_filename) or not any(_is_at_once(callee) for callee in callees):
        return False
    from tensorflow.python.framework import op_def_registry

    for name in code.co_consts:
        definition = op_def_registry.get(name) if type(name) is str and name.isidentifier() else None
        if definition is not None and definition.is_stateful:
            return name not in _SEEN and not (name in _OF_VARIABLES and all(each.co_filename.endswith(_VARIABLES) for each in callers))
    return False


def is_generated(filename: str) -> bool:
    """Whether TensorFlow's functions for its operations stand in that file."""
    return _GENERATED.search(filename) is not None


def _is_at_once(callee: "CodeType | str") -> bool:
    return f".{_AT_ONCE}>" in callee if isinstance(callee, str) else callee.co_name == _AT_ONCE
