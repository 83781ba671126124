"""Finds a submodule and runs it in one place, where importlib goes through a dozen functions.

Order and effects are importlib's: the module's lock, what its parent notes of it, its attributes in their order, its
place in sys.modules, what is undone when its code raises. What is no source file's submodule of a package that lies in
one folder goes importlib's own way, and so does everything where importlib is not the one this was compared with.
"""

import _frozen_importlib as importlib
import _frozen_importlib_external as external
import sys
from _operator import itemgetter
from _thread import get_ident

from firststep_agent.boost.image.serving import unchanged_loader
from firststep_agent.dressing import leave_not_mine
from firststep_agent.imports import disguised, in_the_place_of, lines, move

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from firststep_agent.boost.image.serving import Server

# What each function of importlib's that is left out here calls and reads, in the Python 3.9 to 3.13 it was compared with.
COMPARED = {
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
CALLED = tuple(name for name in COMPARED if name != "_find_and_load_unlocked")


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
    modules, module_type, own, replaced = sys.modules, type(sys), vars(importlib), itemgetter(*CALLED)
    otherwise, plain, is_simple = own["_find_and_load_unlocked"], replaced(own), _is_simple()
    (load, exec_module), leave = _load(own), leave_not_mine

    def _find_and_load_unlocked(name, import_):
        package, _, child = name.rpartition(".")
        spec, path, parent_spec, go = None, None, None, otherwise
        if server.active and replaced(own) == plain:
            if package:
                if package not in modules:
                    own["_call_with_frames_removed"](import_, package)
                if name in modules:
                    return modules[name]
                parent = modules.get(package)
                attributes = vars(parent) if type(parent) is module_type else {}
                path, parent_spec = attributes.get("__path__"), attributes.get("__spec__")
            if not package or path is not None and parent_spec:
                spec = own["_find_spec"](name, path)
                go = missing if spec is None else None
        if spec is None:
            try:
                return go(name, import_)
            except BaseException as error:
                leave(error)
                raise
        unfinished = getattr(parent_spec, "_uninitialized_submodules", [])
        unfinished.append(child)
        try:
            module = (load if is_simple(spec) else own["_load_unlocked"])(spec)
        finally:
            unfinished.pop()
        if package:
            try:
                setattr(modules[package], child, module)
            except AttributeError:
                own["_warnings"].warn(f"Cannot set an attribute on {package!r} for child module {child!r}", ImportWarning)
        return module

    def missing(name, import_):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    replacement, missing = in_the_place_of(otherwise, _find_and_load_unlocked), in_the_place_of(otherwise, missing)
    missing.__code__ = missing.__code__.replace(co_name=otherwise.__code__.co_name)
    move(missing, _lines(otherwise, found=False), _lines(missing))
    theirs, ours = _lines(otherwise), _lines(replacement)
    for function in (replacement, load, exec_module):
        move(function, theirs, ours)
    return replacement


def _lines(find_and_load_unlocked: "Callable[..., Any]", found: bool = True) -> "dict[str, int]":
    """Where the functions of the import system stand while a module's code is asked for, by one that fails; or where none is found."""
    name, find_spec = "firststep_agent.fails", importlib._find_spec  # type: ignore[attr-defined]
    loader = external.SourceFileLoader("", "/")  # of another module: it fails before it looks at any file
    spec = importlib.ModuleSpec(name, loader, origin="/")
    spec._set_fileattr = True  # type: ignore[attr-defined]
    importlib._find_spec = lambda name, path: spec if found else None  # type: ignore[attr-defined]
    try:
        return lines(find_and_load_unlocked, name, None)
    finally:
        importlib._find_spec = find_spec  # type: ignore[attr-defined]


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
