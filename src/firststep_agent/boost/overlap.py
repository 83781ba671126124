"""The code of modules that come later is unmarshalled while the dynamic linker loads TensorFlow's library.

Python holds its lock while it loads an extension module, and TensorFlow's takes a third of its import. Here the same
file is loaded at the same moment with the same flags, but with the lock released, and a second thread takes code out
of the import image meanwhile. The import itself then finds the file loaded. Only extension modules of the packages
in FAMILIES: another's initialisers might want Python's lock.
"""

import sys
from _thread import _count, allocate_lock

from firststep_agent.as_found import os
from firststep_agent.boost.image import session
from firststep_agent.boost.program import description, environment_key
from firststep_agent.boost.store import Store, Unsafe
from firststep_agent.clock import now
from firststep_agent.plain_json import dumps, loads
from firststep_agent.pythons_own import pythons_own
from firststep_agent.threads import start_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.boost.image.serving import Server

ID = "overlap"
FAMILIES = ("tensorflow",)
WORTH_NS = 60_000_000  # a load that takes less is left alone
_IMPORTS_END_S = 1.0  # that Python's import waits for the other thread's


def start(run: "Any", settings: "dict[str, Any]") -> None:
    if _processors() < 2:
        run.note(ID, "refused", reason="there is one processor: nothing can be done meanwhile")
        return
    try:
        store = Store(run.cache, ID)
        image = session(run)
    except Unsafe as error:
        run.note(ID, "refused", reason=str(error))
        return
    entry = store.read(environment_key())
    if entry is None:
        _learn(run, store)
    else:
        entry.close()
        _Overlap(run, image.server, loads(entry.body.decode("ascii"))).install()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _learn(run: "Any", store: "Store") -> None:
    """Notes which extension modules took long to load: name -> [path, ns]."""
    slow: dict[str, list[Any]] = {}

    def begin(spec):
        return spec, now()

    def end(begun, failed):
        spec, began = begun
        if not failed and now() - began > WORTH_NS and spec.name.partition(".")[0] in FAMILIES:
            slow[spec.name] = [spec.origin, now() - began]

    def keep():
        if slow:
            body, slow_names = dumps(slow).encode("ascii"), ", ".join(slow)
            slow.clear()
            reason = store.write(environment_key(), description(shared=True), body)
            run.note(ID, "refused" if reason else "learned", **({"reason": reason} if reason else {"slow": slow_names}))

    run.imports.around_extensions(begin, end)
    run.on_ready(keep)
    run.on_exit(keep)
    run.on_fork(slow.clear)


class _Overlap:
    def __init__(self, run: "Any", server: "Server", slow: "dict[str, list[Any]]") -> None:
        self._run = run
        self._server = server
        self._slow = slow

    def install(self) -> None:
        slow = self._slow

        def begin(spec):
            if spec.name in slow and slow.pop(spec.name)[0] == spec.origin:
                self._load(spec.origin)

        self._run.imports.around_extensions(begin, lambda begun, failed: None)

    def _load(self, path: str) -> None:
        """Has the linker load the file as Python is about to, and modules unmarshalled until it has."""
        import ctypes
        import threading  # noqa: F401  # what imports it first is the main thread to it; the other thread would

        from firststep_agent.boost.pause_garbage_collection import untracked

        if self._wants_hooks():
            import typing  # noqa: F401  # extension modules that the hooks import: the linker loads one file at a time
            import zlib  # noqa: F401

            for name in ("mmap", "resource"):
                pythons_own(name)

        dlopen = ctypes.CDLL(None).dlopen
        dlopen.restype, dlopen.argtypes = ctypes.c_void_p, (ctypes.c_char_p, ctypes.c_int)
        done: list[bool] = []
        importing = allocate_lock()
        start_thread(self._meanwhile, untracked, done, importing if _count() == 0 else None)
        began = now()
        dlopen(os.fsencode(path), sys.getdlopenflags())
        done.append(True)
        if importing.acquire(timeout=_IMPORTS_END_S):
            importing.release()  # to the other thread, which may come to it only now
        self._run.note(ID, "live", library=os.path.basename(path), load_ns=now() - began,
                       unmarshalled=self._server.waiting())

    def _wants_hooks(self) -> bool:
        return "cache-functions" in self._run.plan["boost"]

    def _meanwhile(self, untracked: "Callable[[Callable[[], None]], None]", done: "list[bool]", importing: "LockType | None") -> None:
        """importing: a lock that is held over imports, which no other thread may make at the same time: `dataclasses` looks into
        whatever there is of `typing`. None where the program has threads of its own."""
        try:
            untracked(lambda: self._server.ahead(done))
            if importing is not None and self._wants_hooks():
                with importing:
                    if not done:
                        import firststep_agent.boost.cache_functions.wanted  # noqa: F401 (once TensorFlow is there)
        except Exception as error:
            self._run.failed("what is done while the linker works", error)
