"""Answers a search and gives a module's code from the image, where every file it stands for is as it was.
"""

import _frozen_importlib as importlib
import _frozen_importlib_external as external
import _imp
import builtins
import sys
from _frozen_importlib import ModuleSpec
from _imp import _fix_co_filename  # type: ignore[attr-defined]
from marshal import loads
from os import stat

from firststep_agent.boost.image.index import is_of_every_start
from firststep_agent.boost.image.stamps import directory_stamp, is_same_content, stamp
from firststep_agent.clock import now
from firststep_agent.dressing import leave_not_mine
from firststep_agent.imports import in_the_place_of, is_import_system, lines, take_lines
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

    from firststep_agent.boost.image.index import Found, Index
    from firststep_agent.boost.store import Entry

WITH_BYTECODE, WITHOUT_BYTECODE = "import-image", "compile-bytecode"


def standard_loaders() -> "list[tuple[str, Any]]":
    """What a FileFinder of Python's own looks for, in its order."""
    return external.FileFinder("/", *external._get_supported_file_loaders())._loaders  # type: ignore[attr-defined, no-any-return]


def home(kind: type, name: str) -> type:
    """The class that has a method of `kind`'s: what a hook puts there later is to count for it as plainly."""
    return next(each for each in kind.__mro__ if name in vars(each))


def unchanged_loaders() -> "Callable[[Any], bool]":
    """A function: whether a loader makes a module's code as Python does. Hooks put other methods into its class, into single loaders,
    or in the place of the compiler, and one that is meant for some modules, or in some programs, holds for no others."""
    loader_type, ours, builtin = external.SourceFileLoader, unchanged_loader(), builtins
    parts = ("get_data", "path_stats", "source_to_code", "get_filename")
    theirs, compiler = [getattr(loader_type, part) for part in parts], builtins.compile
    before = not isinstance(compiler, type(len)) or not all(map(_is_importlibs, (loader_type.get_code, *theirs)))  # by a .pth file

    def unchanged(loader):
        return (ours(loader) and not before and builtin.compile is compiler
                and [getattr(loader_type, part) for part in parts] == theirs)

    return unchanged


def _is_importlibs(function: "Any") -> bool:
    return is_import_system(str(getattr(getattr(function, "__code__", None), "co_filename", "")))


def unchanged_loader() -> "Callable[[Any], bool]":
    """A function: whether a loader is Python's own for source files, and has no method but its class's."""
    loader_type = external.SourceFileLoader
    attributes = set(vars(loader_type("", "")))
    return lambda loader: type(loader) is loader_type and vars(loader).keys() == attributes


def _code(piece: "Callable[[int, int, int], bytes | memoryview | None]", found: "Found") -> "CodeType | None":
    """The module's code, None where the image is damaged. piece: reads from the image."""
    try:
        data = piece(found[1], found[2], found[3])
        return None if data is None else loads(data)
    except (OSError, ValueError, EOFError, TypeError) as error:
        if is_theirs(error):
            raise
        return None


def _remedy(found: "Found") -> str:
    """Whose module this is, from its line of the index."""
    return WITHOUT_BYTECODE if found[4] else WITH_BYTECODE


class Server:
    """Serves from one image. remedies: those that are in the plan; served: remedy -> modules."""

    def __init__(self, index: "Index", entry: "Entry | None") -> None:
        self.active = entry is not None
        self.remedies: set[str] = set()
        self.served = {WITH_BYTECODE: 0, WITHOUT_BYTECODE: 0}
        self._spent_ns = {WITH_BYTECODE: 0, WITHOUT_BYTECODE: 0}
        self._index = index
        self._entry = entry
        self._used: set[str] = set()  # source paths
        self._ready_made: dict[str, CodeType | None] = {}  # source path -> code, unmarshalled ahead of its use

    def ahead(self, done: "list[bool]") -> None:
        """Unmarshals modules that are still to come, in the order they were learned in, until `done` is not empty."""
        try:
            piece = self._entry.in_order()
            for path, found in self._index.files.items():
                if done or not self.active:
                    break
                if path not in self._used and _remedy(found) in self.remedies:
                    self._ready_made[path] = _code(piece, found)
        except Exception:
            pass  # what is not ready-made is made when it is wanted

    def waiting(self) -> int:
        """How many modules were unmarshalled ahead and are not used yet."""
        return len(self._ready_made)

    def forget(self) -> None:
        """No module is served any more."""
        self.active = False
        self._ready_made.clear()

    def saved_ns(self, remedy: str) -> int:
        """What the served modules cost in the run that they were learned in, less what they cost in this one."""
        plain = self._index.meta.get("load_ns", {}).get(remedy, 0)
        learned = self._index.meta.get("modules", {}).get(remedy, 0) or 1
        return int(plain * self.served[remedy] / learned) - self._spent_ns[remedy]

    def get_code(self, otherwise: "Callable[..., Any]") -> "Callable[..., Any]":
        """The replacement of SourceFileLoader.get_code."""
        index, served, spent, remedies, ready_made, used = (
            self._index, self.served, self._spent_ns, self.remedies, self._ready_made, self._used)
        leave, of_every_start, unchanged = leave_not_mine, is_of_every_start, unchanged_loaders()

        def get_code(self_, fullname):
            is_wanted = self.active and (index.is_read or not of_every_start(fullname))
            found = index.files.get(self_.path) if is_wanted else None
            if found is not None and unchanged(self_) and self_.name == fullname:
                code = served_code(self_.path, found)
                if code is not None:
                    return code
            try:
                return otherwise(self_, fullname)
            except BaseException as error:
                leave(error)
                raise

        def served_code(path, found):
            remedy = _remedy(found)
            if remedy not in remedies:
                return None
            began = now()
            code = code_of(path, found)
            if code is not None:
                _fix_co_filename(code, path)
                served[remedy] += 1
                spent[remedy] += now() - began
            return code

        def code_of(path, found):
            used.add(path)
            code = ready_made.pop(path, None)
            try:
                as_it_is = stat(path)
                if stamp(as_it_is) != found[0] and not is_same_content(path, as_it_is, found[0]):
                    return None
            except OSError as error:
                if is_theirs(error):
                    raise
                return None
            return code or _code(self._entry.piece, found)

        return get_code

    def find_spec(self, otherwise: "Callable[..., Any]") -> "Callable[..., Any]":
        """The replacement of FileFinder.find_spec."""
        known_spec, leave = self._known_spec(), leave_not_mine

        def find_spec(self_, fullname, target=None):
            found = known_spec(self_, fullname)
            if found is not None:
                return found
            try:
                return otherwise(self_, fullname, target)
            except BaseException as error:
                leave(error)
                raise

        return find_spec

    def _known_spec(self) -> "Callable[[Any, str], ModuleSpec | None]":
        """(finder, full name) -> the spec of a module that was found in the finder's directory and is still there, or None."""
        index, finder_type, loader_type = self._index, external.FileFinder, external.SourceFileLoader
        standard, attributes = standard_loaders(), set(vars(finder_type("/")))
        ending = external.cache_from_source("x.py").rpartition("x.")[2]

        def known_spec(finder, fullname):
            if not self.active or WITH_BYTECODE not in self.remedies or not index.is_read and is_of_every_start(fullname):
                return None
            directory, directories = finder.path, index.directories
            listing = directories.get(directory)
            if listing is None:
                return None
            as_it_was, modules, packages = listing
            name = fullname.rpartition(".")[2]
            is_package = name in packages
            if not is_package and name not in modules:
                return None
            if (type(finder) is not finder_type or vars(finder).keys() != attributes
                    or finder._loaders != standard):  # type: ignore[attr-defined]
                return None
            directory = directory.rstrip("/")  # as Python joins them
            folder, stem = (f"{directory}/{name}", "__init__") if is_package else (directory, name)
            path = f"{folder}/{stem}.py"
            try:
                if directory_stamp(stat(finder.path)) != as_it_was:
                    return None
                if is_package:  # an extension module in the package's folder would be found before its source
                    inside = directories.get(folder)
                    if inside is None or directory_stamp(stat(folder)) != inside[0]:
                        return None
            except OSError as error:
                if is_theirs(error):
                    raise
                return None
            spec = ModuleSpec(fullname, loader_type(fullname, path), origin=path)
            spec._set_fileattr = True  # type: ignore[attr-defined]
            if is_package:
                spec.submodule_search_locations = [folder]
            if sys.pycache_prefix is None:
                spec._cached = f"{folder}/__pycache__/{stem}.{ending}"  # type: ignore[attr-defined]
            return spec

        return known_spec

    def search(self, otherwise: "Callable[..., Any]") -> "Callable[..., Any]":
        """The replacement of importlib's `_find_spec`: it asks who stands in sys.meta_path while it goes through that, as importlib does.

        For the submodules of a package that lies in one folder those two of Python's own are left out that have no such module, and so is
        the search through sys.path_hooks where the folder's finder is known.
        """
        modules, is_frozen, interpreter, locks, leave, own = sys.modules, _imp.is_frozen, sys, _imp, leave_not_mine, vars(importlib)
        of_builtin, of_frozen = importlib.BuiltinImporter, importlib.FrozenImporter
        path_finder, theirs = external.PathFinder, vars(external.PathFinder)["find_spec"]
        finder_type, in_its_folder = external.FileFinder, vars(external.FileFinder)["find_spec"]
        known_spec = self._known_spec()

        def _find_spec(name, path, target=None):
            if not interpreter.meta_path:
                try:
                    return otherwise(name, path, target)
                except BaseException as error:
                    leave(error)
                    raise
            is_new = name not in modules
            simple = is_new and type(path) is list and len(path) == 1 and "." in name and not is_frozen(name)
            for finder in interpreter.meta_path:
                if simple and (finder is of_builtin or finder is of_frozen):
                    continue
                locks.acquire_lock()
                try:
                    spec = in_folder(path[0], name) if simple and finder is path_finder else None
                    if spec is None:
                        try:
                            find_spec = finder.find_spec
                        except AttributeError:
                            if "_find_spec_legacy" not in own:
                                continue
                            spec = own["_find_spec_legacy"](finder, name, path)
                        else:
                            spec = find_spec(name, path, target)
                finally:
                    locks.release_lock()
                if spec is not None:
                    imported = getattr(modules.get(name), "__spec__", None) if is_new else None
                    return spec if imported is None else imported
            return None

        def in_folder(folder, name):
            finder = interpreter.path_importer_cache.get(folder) if type(folder) is str else None
            if type(finder) is not finder_type or vars(path_finder)["find_spec"] is not theirs:
                return None
            return known_spec(finder, name) if vars(finder_type)["find_spec"] is in_its_folder else None

        replacement: Callable[..., Any] = in_the_place_of(otherwise, _find_spec)
        take_lines(replacement, _lines_of_search(otherwise), _lines_of_search(replacement))
        return replacement


def _lines_of_search(find_spec: "Callable[..., Any]") -> "list[dict[str, int]]":
    """Where it stands while a finder is asked that fails; and one that has an older way, where there is that."""
    theirs, older = sys.meta_path, vars(importlib).get("_find_spec_legacy")
    found = []
    try:
        sys.meta_path = [_FailingFinder()]  # type: ignore[list-item]
        found.append(lines(find_spec, "firststep_agent.fails", None))
        if older is not None:
            importlib._find_spec_legacy = fails  # type: ignore[attr-defined]
            sys.meta_path = [object()]  # type: ignore[list-item]
            found.append(lines(find_spec, "firststep_agent.fails", None))
    finally:
        sys.meta_path = theirs
        if older is not None:
            importlib._find_spec_legacy = older  # type: ignore[attr-defined]
    return found


class _FailingFinder:
    """A finder."""

    def find_spec(self, name: str, path: object, target: object) -> None:
        fails()


def fails(*arguments: object) -> None:
    """Where it is called, importlib stands at the line that is looked for."""
    raise LookupError(arguments)
