"""Sees every import: a span for each module, and callbacks right before and right after a module's code runs.

Importlib holds a module's lock from before it looks for the module until its code has run. What is done at those two moments is
done in the lock's manager, so that no frame of ours is on the stack while a module's code runs: modules that import modules nest
as deep as they do plainly.
"""

import _frozen_importlib
import _frozen_importlib_external
import _imp
import sys

from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.machinery import ModuleSpec
    from types import CodeType
    from typing import Any

_FROZEN = "<frozen importlib"  # how the files of Python's import system begin
FILE = _FROZEN + "._bootstrap>"  # tracebacks leave out frames of this file, ours included
_MOST_BYTES = 16  # of code, that one entry of a table of lines is of


class Outermost:
    """What stands in the place of Python's own `_find_and_load` (`plain`) while no import runs; calls[0]: how often it was called."""

    def __init__(self, stand_in: "Any", plain: "Any", calls: "list[int]") -> None:
        self._importlib = vars(_frozen_importlib)
        self._stand_in = stand_in
        self._plain = plain
        self._calls = calls

    def begin(self) -> bool:
        """Whether the import that begins is an outermost one: those within go Python's own way."""
        if self._importlib["_find_and_load"] is not self._stand_in:
            return False
        self._importlib["_find_and_load"] = self._plain
        self._calls[0] += 1
        return True

    def end(self) -> None:
        if self._importlib["_find_and_load"] is self._plain:
            self._importlib["_find_and_load"] = self._stand_in


class LibraryImports:
    """Whether a library is being imported, which runs no code of the program's.

    is_library(name of a module at the top); inside[0]: whether one is being imported, in any thread.
    """

    def __init__(self, is_library: "Callable[[str], bool]") -> None:
        self._is_library = is_library
        self._known: dict[str, bool] = {}
        self.inside = [False]

    def begin(self, name: str) -> bool:
        """Whether the import that begins is the outermost one of a library."""
        if self.inside[0]:
            return False
        top = name.partition(".")[0]
        if top not in self._known:
            self._known[top] = self._is_library(top)
        if self._known[top]:
            self.inside[0] = True
        return self._known[top]

    def end(self) -> None:
        self.inside[0] = False


class Imports:
    """The import hook of one Run."""

    def __init__(self, run: "Any") -> None:
        self._run = run
        self._before: dict[str, list[Callable[[], object]]] = {}
        self._after: dict[str, list[Callable[[Any], object]]] = {}
        self._extensions: list[tuple[Callable[[ModuleSpec], Any], Callable[[Any, bool], object]]] = []
        self.record = False  # set by the observer `imports`: spans for every module
        self.outermost: Outermost = None  # type: ignore[assignment]  # set by a remedy
        self.of_libraries: LibraryImports = None  # type: ignore[assignment]  # set by a remedy

    def before(self, name: str, callback: "Callable[[], object]") -> None:
        """Calls callback() right before `name` is looked for; at once if it is there, or is being imported."""
        if name in sys.modules:
            callback()
        else:
            self._before.setdefault(name, []).append(callback)

    def after(self, name: str, callback: "Callable[[Any], object]") -> None:
        """Calls callback(module) right after `name` is executed; at once if it has been already."""
        if name in sys.modules and not _is_initialising(sys.modules[name]):
            self._call(callback, sys.modules[name])
        else:
            self._after.setdefault(name, []).append(callback)

    def install(self) -> None:
        self._run.replace(_frozen_importlib, "_ModuleLockManager", self._manager())

    def around_extensions(self, before: "Callable[[ModuleSpec], Any]", after: "Callable[[Any, bool], object]") -> None:
        """Calls before(spec) right before an extension module's file is loaded, and after(what that returned, failed) then.

        As a function of the same place in the stack: the file's own code may look at its callers, and warnings do.
        """
        loader = _frozen_importlib_external.ExtensionFileLoader
        plain = loader.create_module
        if not self._extensions:
            self._run.replace(loader, "create_module", self._create_module(plain))
        self._extensions.append((before, after))

    def _create_module(self, plain: "Any") -> "Any":
        imports, importlib, create = self, _frozen_importlib, _imp

        def create_module(self, spec):
            begun, failed = imports.extension_begins(spec), True
            try:
                module = importlib._call_with_frames_removed(create.create_dynamic, spec)  # type: ignore[attr-defined]
                failed = False
            finally:
                imports.extension_ended(begun, failed)
            importlib._verbose_message("extension module {!r} loaded from {!r}", spec.name, self.path)  # type: ignore[attr-defined]
            return module

        create_module = in_the_place_of(plain, create_module)
        where = [_frozen_importlib_external.ExtensionFileLoader("", ""), None]  # what cannot be loaded
        take_lines(create_module, [lines(plain, *where)], [lines(create_module, *where)])
        return create_module

    def extension_begins(self, spec: "ModuleSpec") -> "list[tuple[Callable[[Any, bool], object], Any]]":
        begun = []
        for before, after in self._extensions:
            try:
                begun.append((after, before(spec)))
            except Exception as error:
                if is_theirs(error):
                    raise
                self._run.failed(f"before loading {spec.name}", error)
        return begun

    def extension_ended(self, begun: "list[tuple[Callable[[Any, bool], object], Any]]", failed: bool) -> None:
        for after, what in begun:
            try:
                after(what, failed)
            except Exception as error:
                if is_theirs(error):
                    raise
                self._run.failed("after loading an extension module", error)

    def _manager(self) -> type:
        plain: type = _frozen_importlib._ModuleLockManager  # type: ignore[attr-defined]
        before, after, run, imports, modules = self._before, self._after, self._run, self, sys.modules

        class _ModuleLockManager(plain):
            __module__, __doc__ = plain.__module__, plain.__doc__

            def __enter__(self):
                name = self._name
                self._is_first = name not in modules  # else it is run again, or imports itself
                self._span = None
                self._is_outermost = imports.outermost is not None and imports.outermost.begin()
                self._is_library = imports.of_libraries is not None and imports.of_libraries.begin(name)
                if self._is_first:
                    if name in before:
                        imports.looked_for(name)
                    if imports.record:
                        self._span = run.recorder, run.recorder.begin("import", name)
                try:
                    self._lock = _frozen_importlib._get_module_lock(name)  # type: ignore[attr-defined]
                    self._lock.acquire()
                except BaseException:
                    self._end()
                    raise

            def __exit__(self, kind=None, *error):
                try:
                    self._lock.release()
                finally:
                    self._end()
                if kind is None and self._is_first and self._name in after:
                    imports.loaded(self._name)

            def _end(self):
                if self._span:
                    self._span[0].end(self._span[1])
                if self._is_outermost and imports.outermost is not None:
                    imports.outermost.end()
                if self._is_library and imports.of_libraries is not None:
                    imports.of_libraries.end()

        for name in ("__enter__", "__exit__", "_end"):
            setattr(_ModuleLockManager, name, disguised(vars(_ModuleLockManager)[name]))
        _ModuleLockManager.__qualname__ = plain.__qualname__
        return _ModuleLockManager

    def forget(self) -> None:
        """Nobody is called any more."""
        self._before.clear()
        self._after.clear()
        self.record = False
        self.outermost = None  # type: ignore[assignment]
        self.of_libraries = None  # type: ignore[assignment]

    def looked_for(self, name: str) -> None:
        for callback in self._before.pop(name, ()):
            try:
                callback()
            except Exception as error:
                if is_theirs(error):
                    raise
                self._run.failed(f"before import of {name}", error, callback)

    def loaded(self, name: str) -> None:
        module = sys.modules.get(name)
        if module is not None:
            for callback in self._after.pop(name, ()):
                self._call(callback, module)

    def _call(self, callback: "Callable[[Any], object]", module: "Any") -> None:
        try:
            callback(module)
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.failed(f"after import of {module.__name__}", error, callback)


def _is_initialising(module: "Any") -> bool:
    return getattr(getattr(module, "__spec__", None), "_initializing", False)


def in_the_place_of(plain: "Any", function: "Any") -> "Any":
    """The function, dressed as the one of Python's own that it replaces: with the other's globals too, for programs ask the frames of
    the import system for their module's name. Of its own module it may name nothing."""
    code = function.__code__.replace(co_filename=plain.__code__.co_filename)
    dressed = type(function)(code, plain.__globals__, function.__name__, function.__defaults__, function.__closure__)
    dressed.__qualname__, dressed.__module__, dressed.__doc__ = plain.__qualname__, plain.__module__, plain.__doc__
    return dressed


def is_import_system(filename: str) -> bool:
    """Whether code is Python's import system, or what of ours is dressed as such."""
    return filename.startswith(_FROZEN)


def lines(call: "Callable[..., Any]", *arguments: "Any") -> "dict[str, int]":
    """{name of a function of the import system: the line in it} where call(*arguments), which fails, has failed."""
    found = {}
    try:
        call(*arguments)
    except Exception as error:
        if is_theirs(error):
            raise
        step = error.__traceback__
        while step is not None:
            if is_import_system(step.tb_frame.f_code.co_filename):
                found[step.tb_frame.f_code.co_name] = step.tb_lineno
            step = step.tb_next
    return found


def take_lines(function: "Any", theirs: "list[dict[str, int]]", ours: "list[dict[str, int]]") -> None:
    """Gives the lines of a function of ours that are reached in `ours`, each of `lines`, the numbers of those in `theirs`. All others move
    with the first of them; in Python 3.9 these do, too."""
    code = function.__code__
    name = code.co_name
    numbers = {mine[name]: its[name] for its, mine in zip(theirs, ours) if name in its and name in mine}
    moved = next((its - mine for mine, its in numbers.items()), 0)
    if hasattr(code, "co_lines"):
        code = code.replace(co_linetable=_line_table(code, numbers, moved))
    else:
        code = code.replace(co_firstlineno=max(1, code.co_firstlineno + moved))
    function.__code__ = code


def _line_table(code: "CodeType", numbers: "dict[int, int]", moved: int) -> bytes:
    """The code's own, without columns, and with other numbers for its lines: those in `numbers`, or as many more as it is moved."""
    table, last = bytearray(), code.co_firstlineno
    for start, end, line in code.co_lines():
        number = None if line is None else max(1, numbers.get(line, line + moved))
        change = 0 if number is None else number - last
        for begin in range(start, end, _MOST_BYTES):
            _add(table, min(end, begin + _MOST_BYTES) - begin, None if number is None else change)
            change = 0
        last = last if number is None else number
    return bytes(table)


def _add(table: bytearray, size: int, change: "int | None") -> None:
    """One entry: of so many bytes of code, whose line is so many further than the one before; None: of no line."""
    if sys.version_info < (3, 11):
        while change is not None and not -127 <= change <= 127:
            step = 127 if change > 0 else -127
            table += bytes((0, step & 255))
            change -= step
        table += bytes((size, 128 if change is None else change & 255))
        return
    table.append(128 | (15 if change is None else 13) << 3 | size // 2 - 1)
    if change is not None:
        left = change << 1 if change >= 0 else -change << 1 | 1
        while left > 63:
            table.append(64 | left & 63)
            left >>= 6
        table.append(left)


def disguised(function: "Any") -> "Any":
    """The function, with a code object that tracebacks and warnings treat as part of the import system."""
    code = function.__code__.replace(co_filename=FILE)
    return type(function)(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
