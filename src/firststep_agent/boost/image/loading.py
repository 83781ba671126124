"""Finds a submodule and runs it in one place, where importlib goes through a dozen functions.

Order and effects are importlib's: the module's lock, what its parent notes of it, its attributes in their order, its
place in sys.modules, what is undone when its code raises, and the lines at which its functions stand meanwhile. What is no source
file goes importlib's own way, and so does everything where importlib is not the one this was compared with.
"""

import _frozen_importlib as importlib
import _frozen_importlib_external as external
import sys
from _operator import itemgetter
from _thread import get_ident

from firststep_agent.boost.image.serving import fails, unchanged_loader
from firststep_agent.dressing import leave_not_mine
from firststep_agent.imports import disguised, in_the_place_of, lines, take_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType
    from typing import Any

    from firststep_agent.boost.image.serving import Server

# What each function of importlib's that is left out here calls and reads, in the Python 3.9 to 3.13 it was compared with.
COMPARED = {
    "_find_spec": (
        "sys meta_path ImportError _warnings warn ImportWarning modules _ImportLockContext find_spec AttributeError "
        "_find_spec_legacy __spec__"),
    "_find_and_load_unlocked": (
        "rpartition sys modules _call_with_frames_removed __path__ AttributeError _ERR_MSG _ERR_MSG_PREFIX format "
        "ModuleNotFoundError __spec__ _find_spec _uninitialized_submodules append pop _load_unlocked setattr _warnings "
        "warn ImportWarning"),
    "_load_unlocked": (
        "loader hasattr _object_name _warnings warn ImportWarning _load_backward_compatible module_from_spec "
        "_initializing sys modules name submodule_search_locations ImportError exec_module KeyError pop "
        "_verbose_message"),
    "module_from_spec": "hasattr loader create_module ImportError _new_module name _init_module_attrs",
    "_init_module_attrs": (
        "getattr name __name__ AttributeError loader submodule_search_locations _bootstrap_external NotImplementedError "
        "NamespaceLoader _NamespaceLoader __new__ _path __file__ __loader__ parent __package__ __spec__ __path__ "
        "has_location origin cached __cached__"),
}
CALLED = tuple(name for name in COMPARED if name not in ("_find_spec", "_find_and_load_unlocked"))


def is_known() -> bool:
    """Whether this Python's importlib is one that the functions here were compared with, and nobody's in its place."""
    own = vars(importlib)
    return not sys.flags.verbose and all(
        own[name].__code__.co_filename == importlib._verbose_message.__code__.co_filename  # type: ignore[attr-defined]
        and set(own[name].__code__.co_names) <= set(names.split())
        for name, names in COMPARED.items())


def find_and_load_unlocked(server: "Server") -> "Any":
    """The replacement of importlib's `_find_and_load_unlocked`. server: its `active` says for how long.

    As many frames, of the same names, as importlib's are on the stack while a module's code runs: a program that looks at its
    stack, or that nests imports as deep as Python lets it, finds what it finds plainly.
    """
    modules, own, replaced = sys.modules, vars(importlib), itemgetter(*CALLED)
    otherwise, plain, is_simple = own["_find_and_load_unlocked"], replaced(own), _is_simple()
    notes_unfinished = "_uninitialized_submodules" in otherwise.__code__.co_names
    (load, exec_module), leave = _load(own), leave_not_mine

    def _find_and_load_unlocked(name, import_):
        if not server.active or replaced(own) != plain:
            try:
                return otherwise(name, import_)
            except BaseException as error:
                leave(error)
                raise
        package, _, child = name.rpartition(".")
        path: Any = None
        parent_spec: Any = None
        if package:
            if package not in modules:
                own["_call_with_frames_removed"](import_, package)
            if name in modules:
                return modules[name]
            parent = modules[package]
            try:
                path = parent.__path__
            except AttributeError:
                raise ModuleNotFoundError(f"No module named {name!r}; {package!r} is not a package", name=name) from None
            if notes_unfinished:
                parent_spec = parent.__spec__
        spec = own["_find_spec"](name, path)
        if spec is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if parent_spec:
            parent_spec._uninitialized_submodules.append(child)
        try:
            module = (load if is_simple(spec) else own["_load_unlocked"])(spec)
        finally:
            if parent_spec:
                parent_spec._uninitialized_submodules.pop()
        if package:
            parent = modules[package]
            try:
                setattr(parent, child, module)
            except AttributeError:
                own["_warnings"].warn(f"Cannot set an attribute on {package!r} for child module {child!r}", ImportWarning)
        return module

    replacement = in_the_place_of(otherwise, _find_and_load_unlocked)
    theirs, ours = _lines(otherwise, own["_load_unlocked"]), _lines(replacement, load)
    for function in (replacement, load, exec_module):
        take_lines(function, theirs, ours)
    return replacement


def _lines(find_and_load_unlocked: "Callable[..., Any]", load_unlocked: "Callable[..., Any]") -> "list[dict[str, int]]":
    """Where the functions of the import system stand while a module's code is asked for, its finder and its package, where there is no
    module and no package, and where one has left sys.modules or cannot be put into its package: each fails there."""
    name, kept = "firststep_agent.fails", {each: getattr(importlib, each) for each in ("_find_spec", "_warnings")}
    loader = external.SourceFileLoader("", "/")  # of another module: it fails before it looks at any file
    spec = importlib.ModuleSpec(name, loader, origin="/")
    spec._set_fileattr = True  # type: ignore[attr-defined]
    leaves = importlib.ModuleSpec("firststep_leaves", _Leaves(), origin="/")  # type: ignore[arg-type]
    leaves._set_fileattr = True  # type: ignore[attr-defined]
    closed = importlib.ModuleSpec("firststep_closed.fails", _Stays(), origin="/")  # type: ignore[arg-type]
    find, found = find_and_load_unlocked, []
    try:
        importlib._find_spec = lambda name, path: spec  # type: ignore[attr-defined]
        found.append(lines(find, name, None))
        importlib._find_spec = lambda name, path: None  # type: ignore[attr-defined]
        found.append(lines(find, name, None))
        importlib._find_spec = fails  # type: ignore[attr-defined]
        found.append(lines(find, name, None))
        found.append(lines(find, "firststep_none.fails", fails))
        found.append(lines(find, "builtins.fails", None))
        found.append(lines(load_unlocked, leaves))
        importlib._find_spec = lambda name, path: closed  # type: ignore[attr-defined]
        importlib._warnings = _Warnings  # type: ignore[attr-defined]
        sys.modules["firststep_closed"] = _Closed()  # type: ignore[assignment]
        found.append(lines(find, closed.name, None))
    finally:
        vars(importlib).update(kept)
        for made in ("firststep_closed", closed.name):
            sys.modules.pop(made, None)
    return found


class _Warnings:
    warn = fails


class _Closed:
    """Stands for a package that takes no submodule."""

    __slots__ = ()
    __path__: "tuple[str, ...]" = ()
    __spec__ = None


class _Stays:
    """A loader."""

    def create_module(self, spec: object) -> None:
        return None

    def exec_module(self, module: "Any") -> None:
        pass


class _Leaves(_Stays):
    """One whose module is not in sys.modules afterwards."""

    def get_code(self, name: str) -> "CodeType":
        del sys.modules[name]
        return _NOTHING

    def exec_module(self, module: "Any") -> None:
        self.get_code(module.__name__)


_NOTHING = (lambda: None).__code__  # the first `compile` of a process takes more than a millisecond


def _is_simple() -> "Any":
    """A function: whether a spec is one of a source file that Python's own loader executes."""
    loader_type, unchanged = external.SourceFileLoader, unchanged_loader()
    plain = loader_type.create_module, loader_type.exec_module

    def is_simple(spec):
        return (unchanged(spec.loader) and spec._set_fileattr
                and (loader_type.create_module, loader_type.exec_module) == plain)

    return disguised(is_simple)


def _load(own: "Mapping[str, Any]") -> "tuple[Callable[..., Any], Callable[..., Any]]":
    """What makes a module of its simple spec, and what then runs it: `_load_unlocked`, `exec_module` and what those call."""
    modules, module_type = sys.modules, type(sys)

    def _load_unlocked(spec):
        loader, name, locations = spec.loader, spec.name, spec.submodule_search_locations
        module = module_type(name)
        attributes = vars(module)
        attributes["__loader__"], attributes["__spec__"] = loader, spec
        if locations is None:
            attributes["__package__"] = name.rpartition(".")[0]
        else:
            attributes["__package__"], attributes["__path__"] = name, locations
        attributes["__file__"] = spec.origin
        cached = spec.cached
        if cached is not None:
            attributes["__cached__"] = cached
        spec._initializing = True
        try:
            modules[name] = module
            try:
                exec_module(loader, attributes)
            except:  # noqa: E722 (as importlib)
                modules.pop(name, None)
                raise
            module = modules[name] = modules.pop(name)
        finally:
            spec._initializing = False
        return module

    def exec_module(self, attributes):  # as many lines as importlib's: a traceback names those of both calls
        code = self.get_code(attributes["__name__"])
        if code is None:
            raise ImportError(
                f"cannot load module {attributes['__name__']!r} when get_code() returns None")
        own["_call_with_frames_removed"](exec, code, attributes)

    exec_module = in_the_place_of(external.SourceFileLoader.exec_module, exec_module)
    return in_the_place_of(own["_load_unlocked"], _load_unlocked), exec_module


def lock_unlock_module(otherwise: "Callable[[str], None]") -> "Any":
    """The replacement of importlib's `_lock_unlock_module`, which waits until no other thread imports a module.

    Where this thread is the one that imports it, there is nothing to wait for: its packages ask 3,000 times.
    """
    locks, this_thread = importlib._module_locks, get_ident  # type: ignore[attr-defined]

    def _lock_unlock_module(name):
        lock = locks.get(name, int)()
        if not lock or lock.owner != this_thread():
            otherwise(name)

    return in_the_place_of(otherwise, _lock_unlock_module)
