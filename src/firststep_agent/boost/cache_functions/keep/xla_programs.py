"""TensorFlow's own persistent cache of XLA programs, switched on beside the function cache.

Its key has no field for the version of TensorFlow, XLA's flags, the processor, the GPU with its driver and libraries, or settings like
op determinism; a file that fails to load, or that a full disk does not take, becomes the compilation's error; and it is told one
folder, once, before there is a device. So TensorFlow keeps its programs in the memory of the process (its file system `ram://`).
What this program has compiled under all these, as they are before a function is called, is put there from the store, and what is new
there goes into it after the first step, and at exit.
"""

import sys
import threading

from firststep_agent.as_found import os
from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.keep import entries
from firststep_agent.boost.cache_functions.keep.xla_text import as_text
from firststep_agent.boost.cache_functions.key import configuration
from firststep_agent.boost.program import description, environment, program
from firststep_agent.boost.store import Store, digest
from firststep_agent.frameworks import versions
from firststep_agent.frameworks.listening import CALL
from firststep_agent.signals import is_theirs
from firststep_agent.threads import start_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

_VARIABLE = "TF_XLA_FLAGS"
_FLAGS = ("--tf_xla_persistent_cache_directory={} --tf_xla_persistent_cache_device_types={} "
          "--tf_xla_persistent_cache_read_only=false")
_SINCE = (  # devices, and the first TensorFlow that can write programs for them out: before it each compilation fails with a cache
    ((2, 16), "CPU,XLA_CPU_JIT"),
    ((2, 21), "GPU,XLA_GPU_JIT"),  # not tried on an older one
)
_FOLDER, _SUFFIX = "ram://firststep/xla", ".pb"
_KIND = "XLA programs"
_MOST, _LARGEST = 64, 256 << 20  # programs and bytes of one entry: the newest stay
_WAIT_S = 1.0  # after ready, so that the first steps are not slowed


class XlaPrograms:
    """The programs that one process compiles, and those that it finds, in the cache directory `path`."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._process: int | None = None  # that this is for: a fork's child has none
        self._key: Any = None  # what was compiled as this process compiles now lies there; None where that is not known yet
        self._fixed: list[Any] | None = None  # what of the configuration cannot change
        self._kept: set[str] = set()  # names of those that the store has
        self._one_at_a_time = threading.RLock()  # a signal's handler may call a function meanwhile

    def may_be_kept(self) -> bool:
        """Whether TensorFlow, which has not read its XLA flags yet, can be told where to keep programs. False where the user has."""
        if "persistent_cache" in os.environ.get(_VARIABLE, "") or not _devices():
            return False
        self._process = os.getpid()
        return True

    def looking(self, done: "Callable[[], object]") -> "Callable[..., Generator[Any, Any, None]]":
        """What listens where TensorFlow looks for devices: that is when it reads its flags. done(): called when it has them. A process that
        the program starts before or after that gets nothing of it: it may be another TensorFlow, and cannot use it."""
        def listen(*arguments: "Any", **keywords: "Any") -> "Generator[Any, Any, None]":
            if self._process != os.getpid():
                return
            os.putenv(_VARIABLE, f"{os.environ.get(_VARIABLE, '')} {_FLAGS.format(_FOLDER, _devices())}".strip())
            try:
                yield CALL
            finally:
                _take_back()
                if configuration.has_devices():
                    done()

        return listen

    def settle(self) -> None:
        """Lets TensorFlow find what was compiled as it compiles now. Asked before each trace and each first call: the program may have
        changed a setting."""
        if self._process == os.getpid() and configuration.has_devices():
            self._guarded(self._settle)

    def later(self) -> None:
        """Keeps what was compiled until now, by a thread that `threading` does not know: a process may be killed, or never end."""
        if self._process == os.getpid() and self._guarded(self._new):
            try:
                start_thread(self._keep_later)
            except RuntimeError as error:  # there can be no more threads: it is kept at exit
                if is_theirs(error):
                    raise

    def keep(self) -> None:
        """Keeps what this process has compiled."""
        if self._process == os.getpid():
            self._guarded(self._keep)

    def _guarded(self, do: "Callable[[], Any]") -> "Any":
        """Whatever goes wrong, XLA compiles as it would without."""
        try:
            with self._one_at_a_time:
                return do()
        except Exception as error:
            if is_theirs(error):
                raise
            self._key = None
            return None

    def _settle(self) -> None:
        key = self._now()
        if key == self._key:
            return
        self._keep()
        for name in _names():
            _files().DeleteFile(f"{_FOLDER}/{name}")
        self._key, self._kept = key, set()
        _files().RecursivelyCreateDir(_FOLDER)
        for name, content in _stored(Store(self._path, ID, _KIND), key).items():
            _files().WriteStringToFile(f"{_FOLDER}/{name}", content)
            self._kept.add(name)

    def _keep_later(self) -> None:
        threading.Event().wait(_WAIT_S)
        self.keep()

    def _keep(self) -> None:
        new = self._new()
        if not new:
            return
        store = Store(self._path, ID, _KIND)
        programs = _stored(store, self._key)  # another process may have added some
        for name in new:
            programs[name] = as_text(_files().ReadFileToString(f"{_FOLDER}/{name}"))
        parts: list[tuple[str, bytes]] = []
        size = 0
        for name, content in reversed(list(programs.items())):
            size += len(content)
            if len(parts) < _MOST and size <= _LARGEST:
                parts.insert(0, (name, content))
        described = {**description(), "parts": [[name, len(content)] for name, content in parts]}
        if store.write(self._key, described, b"".join(content for _, content in parts)) is None:
            self._kept.update(new)

    def _new(self) -> "list[str]":
        """Names of what this process has compiled and the store has not."""
        return [name for name in _names() if name not in self._kept] if self._key is not None else []

    def _now(self) -> str:
        """The key of everything that decides what XLA compiles and that TensorFlow's own forgets."""
        if self._fixed is None:
            self._fixed = [sorted(environment().items()), configuration.of_machine(), program()]
        words = repr((self._fixed, configuration.of_compilers()))
        return digest(words.encode("utf-8", "surrogatepass")).hex()[:32]


def _take_back() -> None:
    if _VARIABLE in os.environ:
        os.putenv(_VARIABLE, os.environ[_VARIABLE])
    else:
        os.unsetenv(_VARIABLE)


def _devices() -> str:
    """The kinds of devices for which this TensorFlow keeps programs, as it names them: an empty text where there are none."""
    told = versions.told("tensorflow")
    return ",".join(names for since, names in _SINCE if told and min(told) >= since)


def _files() -> "Any":
    """TensorFlow's file systems. What stands above them in Python may be watched, for a trace that reads a file."""
    return sys.modules["tensorflow.python.lib.io._pywrap_file_io"]


def _names() -> "list[str]":
    """Of the programs that TensorFlow keeps."""
    files = _files()
    try:
        return [name for name in files.GetChildren(_FOLDER) if name.endswith(_SUFFIX)]
    except Exception as error:  # TensorFlow's errors are of the program's kinds: there is no such folder yet
        if is_theirs(error):
            raise
        return []


def _stored(store: "Store", key: str) -> "dict[str, bytes]":
    """name -> content, of the key's entry."""
    entry = store.read(key)
    if entry is None:
        return {}
    entry.close()
    return entries.parts_of(entry)
