"""C functions and standard library functions that user code called while it was traced: those whose answer differs from
run to run, and those that firststep knows nothing about, are refused.
"""

import re

from firststep_agent import ownership
from firststep_agent.boost.objects import bytecode, words
from firststep_agent.boost.objects.refusal import Refused
from firststep_agent.imports import is_import_system

from . import outside, reached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

    from firststep_agent.boost.cache_functions.reads.executed import Executed

# What a C function's description looks like -> what calling it means. First match counts. What else may not be called: `outside`.
_FORBIDDEN = tuple(
    (re.compile(pattern), meaning)
    for pattern, meaning in (
        (r"<built-in method time\.(time|time_ns|monotonic|monotonic_ns|perf_counter|perf_counter_ns|process_time|"
         r"process_time_ns|clock_gettime|clock_gettime_ns|localtime|gmtime|ctime|strftime|thread_time)>", "reads the clock ({})"),
        (r"<built-in method (now|today|utcnow)>", "reads the clock ({})"),
        (r"<built-in method time\.sleep>", "sleeps"),
        (r"<built-in method time\.(mktime|tzset)>", "has the time zone asked for anew, for the whole process ({})"),
        (r"<built-in method posix\.(urandom|getrandom)>", "draws from the system's randomness ({})"),
        (r"<(built-in )?method '?(random|getrandbits|seed|setstate)'? of '?_?random\.", "draws from Python's random ({})"),
        (r"<built-in method (random|getrandbits|seed|setstate) of (\w+\.)*\w*Random object", "draws from Python's random ({})"),
        (r"<(built-in )?method '?__subclasses__'? of ", "asks which classes there are ({})"),
        (r"<built-in method _uuid\.", "makes a UUID"),
        (r"<built-in method _pickle\.loads?>", "unpickles what may hold a set, whose order is another in each start ({})"),
        (r"<built-in method posix\.(stat|lstat|listdir|scandir|getcwd|readlink|access|statvfs)>", "looks into the file system ({})"),
        (r"<built-in method builtins\.input>", "calls {}"),
        (r"<built-in method _?socket\.|of '_socket\.", "uses the network ({})"),
    )
)
# Standard library modules (by file name) through which the search does not go on: they read sources, not data. What is
# logged is kept and logged again.
_INSPECTING = ("logging/__init__.py", "inspect.py", "linecache.py", "warnings.py", "traceback.py", "tokenize.py",
               "typing.py", "abc.py", "functools.py", "contextlib.py", "enum.py", "ast.py", "tempfile.py")

_KNOWN_C = frozenset(
    """builtins math cmath _operator operator itertools _functools functools _collections collections _abc sys _sre _json
    _struct _bisect _heapq _weakref _warnings _imp _io marshal _codecs _string _stat _random time posix errno gc
    binascii zlib _hashlib _blake2 _sha1 _sha2 _md5 atexit _thread _datetime _decimal _statistics _contextvars _typing
    unicodedata array _pickle _queue _asyncio itertools _tracemalloc types _lsprof _testinternalcapi _sysconfig _opcode
    _locale""".split()
)


_FILTERS_MOVED = "<built-in method _warnings._filters_mutated>"  # whoever calls it: each module's notes of what it has said end with that
_THREAD_BEGUN = frozenset(f"<built-in method _thread.{name}>" for name in ("start_new_thread", "start_joinable_thread"))

# Through these AutoGraph calls what the user's code calls.
_CALLERS = ("tensorflow/python/autograph/impl/api.py", "tensorflow/python/autograph/operators/py_builtins.py")


_LOOKING = ("/genericpath.py", "/posixpath.py", "/pathlib.py", "/pathlib/_local.py", "/os.py", "/shutil.py", "/glob.py")


def check(executed: "Executed") -> None:
    """Raises Refused for the first such call."""
    by_id = {id(code): code for code in executed.codes}
    callers = _callers(executed)
    ours = {file for file, original in reached.converted().items() if ownership.is_ours(original.co_filename)}  # AutoGraph converts it, too
    users = [c for c in executed.codes
             if ownership.owner(c.co_filename) == ownership.USER and c.co_filename not in ours and not _inspects(c)]
    for code in executed.codes:
        for ending, meaning in _FRAMEWORK_CODE:
            if code.co_filename.endswith(ending):
                raise Refused(f"{_who_leads_to(ending, executed, users)} {meaning}")
        callees = executed.calls.get(id(code), ())
        if outside.acts_at_once(code, callees, callers.get(id(code), ())):
            raise Refused(f"{_blame(users, code.co_name)} runs an operation with an effect or a state of its own while it is traced "
                          f"({code.co_name})")
        if any(isinstance(callee, str) and callee in _THREAD_BEGUN for callee in callees) and not ownership.is_ours(code.co_filename):
            raise Refused("a part of it is traced in a thread of its own, as by `run` of a `MirroredStrategy`: what is read and said there "
                          "is not seen")
        if _FILTERS_MOVED in callees:
            raise Refused(f"{_blame(users, code.co_name)} sets the filters of warnings while it is traced: what has been said once may be "
                          "said again then")
    handlers = _called_by_logging(executed)
    for code in users:
        if outside.reads_clock(code):
            raise Refused(f"{_told(code)} reads the clock while it is traced (by NumPy, or with a log record)")
        _check_from(code, executed, users, code, id(code) in handlers)
    called = {id(callee) for callees in executed.calls.values() for callee in callees if not isinstance(callee, str)}
    for code in by_id.values():
        # What nobody in Python calls, a C function has called (`filter`, `max`), for whomever.
        if code.co_filename.endswith(_CALLERS) or (id(code) not in called and code.co_filename.endswith(_LOOKING)):
            _check_from(code, executed, users, None)


def native_calls_matter(filename: str) -> bool:
    """Whether it counts which functions of C code in that file calls: the frameworks' own does as its version says, but where it calls
    for the user's, or runs an operation."""
    found = _matter.get(filename)
    if found is None:
        found = _matter[filename] = (ownership.owner(filename) != ownership.FRAMEWORK or filename.endswith(_CALLERS)
                                     or outside.is_generated(filename))
    return found


_matter: "dict[str, bool]" = {}


def _callers(executed: "Executed") -> "dict[int, list[CodeType]]":
    """{id of code: the code that called it}."""
    found: dict[int, list[CodeType]] = {}
    for code in executed.codes:
        for callee in executed.calls.get(id(code), ()):
            if not isinstance(callee, str):
                found.setdefault(id(callee), []).append(code)
    return found


def check_computed(executed: "Executed") -> None:
    """Raises Refused where the trace may have read a file by a TensorFlow operation, run at once, and kept the content."""
    for code in executed.codes:
        if code.co_filename.endswith("tensorflow/python/ops/gen_io_ops.py") and code.co_name in ("read_file", "matching_files"):
            raise Refused("a file is read by a TensorFlow operation while it is traced, and its content may stand in the graph")


def _inspects(code: "CodeType") -> bool:
    """Whether AutoGraph made it of one of those modules of the standard library that are not followed."""
    original = reached.converted().get(code.co_filename) if "__autograph_generated_file" in code.co_filename else None
    return original is not None and original.co_filename.endswith(_INSPECTING)


def _called_by_logging(executed: "Executed") -> "set[int]":
    """Ids of the code that logging calls: what is logged is kept and logged again, through the same handlers."""
    return {id(callee) for code in executed.codes if code.co_filename.endswith("/logging/__init__.py")
            for callee in executed.calls.get(id(code), ()) if not isinstance(callee, str)}


def _check_from(code: "CodeType", executed: "Executed", users: "list[CodeType]", blamed: "CodeType | None",
                may_write: bool = False) -> None:
    """`blamed`: the user's code that calls; None where AutoGraph calls for it."""
    todo, seen = [code], {id(code)}
    while todo:
        at = todo.pop()
        for callee in executed.calls.get(id(at), ()):
            if isinstance(callee, str):
                asked = blamed is not None or _is_asked_for(executed, users, _name(callee))
                if not outside.writes(callee) or (asked and not may_write):
                    _check_c(blamed, users, callee, direct=at is code, asked=asked)
                continue
            if id(callee) in seen:
                continue
            seen.add(id(callee))
            librarys = ownership.owner(callee.co_filename) == ownership.STDLIB
            if librarys or ownership.is_ours(callee.co_filename):
                _check_known(outside.of_code(callee, at), blamed, users, callee.co_name)
            if librarys and not callee.co_filename.endswith(_INSPECTING) and not is_import_system(callee.co_filename):
                todo.append(callee)


def _where(code: "CodeType | None", users: "list[CodeType]", name: str) -> str:
    return _told(code) if code is not None else _blame(users, name)


def _is_asked_for(executed: "Executed", users: "list[CodeType]", name: str) -> bool:
    """Whether AutoGraph has called it for the user's code, which may have it under another name (`say = sys.stdout.write`). Else for
    logging, which it converts as well, and which names it."""
    last = name.rpartition(".")[2]
    named = {id(code) for code in executed.codes if last in code.co_names}
    return any(id(code) in named for code in users) or not any(id(code) in named and _inspects(code) for code in executed.codes)


def _blame(users: "list[Any]", name: str) -> str:
    """The user's code that names the function, for calls that AutoGraph made on its behalf."""
    last = name.rpartition(".")[2]
    for code in users:
        if last in code.co_names or last.rpartition("_")[0] in code.co_names:
            return _told(code)
    code = next((code for code in users if not code.co_filename.startswith("<")), None)
    return _told(code) if code is not None else "it"


def _who_leads_to(ending: str, executed: "Executed", users: "list[CodeType]") -> str:
    """The user's code that names a function of that file which ran, or the only one there is; the same in each start."""
    names = {code.co_name for code in executed.codes if code.co_filename.endswith(ending)}
    named = {_told(code) for code in users if not names.isdisjoint(code.co_names)}
    if named:
        return min(named)
    ran = {_told(code) for code in users if not code.co_filename.startswith("<")}
    return ran.pop() if len(ran) == 1 else "it"


def _told(code: "CodeType") -> str:
    """In words: of a function that AutoGraph has made of a part of the user's (a branch, the body of a loop), that one."""
    original = reached.converted().get(code.co_filename)
    if original is None or words.function_name(code) in {each.co_name for each in bytecode.nested(original)}:
        return words.of_code(code)
    return f"`{original.co_name}`"


_FRAMEWORK_CODE = (
    ("tensorflow/python/lib/io/file_io.py", "reads or writes a file through tf.io.gfile while it is traced"),
    ("tensorflow/python/lib/io/tf_record.py", "reads or writes a file of records while it is traced"),
    ("tensorflow/python/training/py_checkpoint_reader.py", "reads a checkpoint while it is traced"),
    ("tensorflow/python/ops/script_ops.py", "calls tf.py_function or tf.numpy_function, which run Python at every step"),
    ("h5py/_hl/files.py", "opens an HDF5 file while it is traced"),
    ("firststep_agent/marks.py", "tells firststep of a moment, a stretch or a result while it is traced, which an answer would not"),
)


def _check_known(meaning: "str | None", code: "CodeType | None", users: "list[CodeType]", name: str) -> None:
    if meaning is not None:
        raise Refused(f"{_where(code, users, name)} {meaning.format(name)} while it is traced")


def _check_c(code: "CodeType | None", users: "list[CodeType]", description: str, direct: bool, asked: bool) -> None:
    for pattern, meaning in _FORBIDDEN:
        if pattern.search(description):
            raise Refused(f"{_where(code, users, _name(description))} {meaning.format(_name(description))} while it is traced")
    does = outside.of_c(description, direct and asked)
    if does is not None and code is None and outside.writes(description):  # who names `write` may mean a TensorArray's
        raise Refused(f"what it calls {does.format(_name(description))} while it is traced")
    _check_known(does, code, users, _name(description))
    if _hides_state(description):
        raise Refused(f"{_where(code, users, _name(description))} calls {_METHOD.search(description).group(1)}.{_name(description)}, whose "
                      "object keeps its state where firststep cannot compare it")
    if direct and not _is_known(description):
        raise Refused(f"{_where(code, users, _name(description))} calls {_name(description)}, a native function that "
                      "firststep cannot look into")


_METHOD = re.compile(r"<method '[^']*' of '([^']*)' objects>")
_OF_OBJECT = re.compile(r"<built-in method \S+ of (?:type|(\S+)) object at")
_FUNCTION = re.compile(r"<built-in method (\S+)>")


_STATE_IS_SEEN = frozenset(
    """_io re _sre collections _collections datetime decimal itertools functools _functools operator _operator _thread threading
    zlib _hashlib hmac hashlib _random random array mmap struct _struct _contextvars contextvars _csv types weakref _weakref bz2 _bz2
    lzma _lzma posix queue _queue json _json _blake2 _sha1 _sha2 _md5 _sha512 _sha256 _sha3 ctypes _ctypes unicodedata string _string
    fractions uuid zoneinfo _zoneinfo typing _typing builtins""".split()
)  # modules of native types whose state the proof compares, or which have none


def _hides_state(description: str) -> bool:
    """Whether it is a method of a native type that keeps its state behind pointers, where the proof cannot compare it."""
    found = _METHOD.search(description)
    if found is None or "." not in found.group(1):
        return False
    module = found.group(1).rpartition(".")[0]
    return module.partition(".")[0] not in _STATE_IS_SEEN and ownership.module_owner(module) != ownership.FRAMEWORK


def _is_known(description: str) -> bool:
    found = _METHOD.search(description) or _OF_OBJECT.search(description)
    if found is not None:
        owner = found.group(1) or "type"
        return "." not in owner or _is_known_module(owner)
    found = _FUNCTION.search(description)
    return found is None or "." not in found.group(1) or _is_known_module(found.group(1))


def _is_known_module(name: str) -> bool:
    top = name.partition(".")[0]
    return top in _KNOWN_C or top in ownership.FRAMEWORKS or ownership.module_owner(top) != ownership.USER


def _name(description: str) -> str:
    found = _FUNCTION.search(description) or re.search(r"method '?(\w+)'? of '?([\w.]+)", description)
    return found.group(1) if found else description

