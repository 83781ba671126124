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

from firststep_agent.imports import disguised

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


def is_known():
    """Whether this Python's importlib is one that the functions here were compared with, and nobody's in its place."""
    own = vars(importlib)
    return not sys.flags.verbose and all(
        own[name].__code__.co_filename == importlib._verbose_message.__code__.co_filename  # type: ignore[attr-defined]
        and set(own[name].__code__.co_names) <= set(names.split())
        for name, names in COMPARED.items())


def find_and_load(otherwise, server):
    """The replacement of importlib's `_find_and_load`. server: its `active` says for how long."""
    modules, module_type, own, replaced = sys.modules, type(sys), vars(importlib), itemgetter(*COMPARED)
    plain, load = replaced(own), _load(own)

    def _find_and_load(name, import_):
        package, _, child = name.rpartition(".")
        parent = modules.get(package)
        if name in modules or type(parent) is not module_type or not server.active or replaced(own) != plain:
            return otherwise(name, import_)
        attributes = vars(parent)
        path, parent_spec = attributes.get("__path__"), attributes.get("__spec__")
        if type(path) is not list or not parent_spec:
            return otherwise(name, import_)
        lock = own["_get_module_lock"](name)
        lock.acquire()
        try:
            return otherwise(name, import_) if name in modules else unlocked(name, package, child, path, parent_spec)
        finally:
            lock.release()

    def unlocked(name, package, child, path, parent_spec):
        spec = own["_find_spec"](name, path)
        if spec is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        unfinished = getattr(parent_spec, "_uninitialized_submodules", [])
        unfinished.append(child)
        try:
            module = load(spec)
        finally:
            unfinished.pop()
        try:
            setattr(modules[package], child, module)
        except AttributeError:
            own["_warnings"].warn(f"Cannot set an attribute on {package!r} for child module {child!r}", ImportWarning)
        return module

    unlocked = disguised(unlocked)
    return disguised(_find_and_load)


def _load(own):
    """Makes a module of its spec and runs it: `_load_unlocked` and what that calls."""
    modules, module_type, loader_type = sys.modules, type(sys), external.SourceFileLoader
    plain = loader_type.create_module, loader_type.exec_module

    def _load_unlocked(spec):
        loader, name, locations = spec.loader, spec.name, spec.submodule_search_locations
        if (type(loader) is not loader_type or not spec._set_fileattr
                or (loader_type.create_module, loader_type.exec_module) != plain):
            return own["_load_unlocked"](spec)
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
                exec_module(loader, name, attributes)
            except:  # noqa: E722 (as importlib)
                modules.pop(name, None)
                raise
            module = modules[name] = modules.pop(name)
        finally:
            spec._initializing = False
        return module

    def exec_module(loader, name, attributes):
        code = loader.get_code(name)
        if code is None:
            raise ImportError(f"cannot load module {name!r} when get_code() returns None")
        own["_call_with_frames_removed"](exec, code, attributes)

    exec_module = disguised(exec_module)
    return disguised(_load_unlocked)


def lock_unlock_module(otherwise):
    """The replacement of importlib's `_lock_unlock_module`, which waits until no other thread imports a module.

    Where this thread is the one that imports it, there is nothing to wait for: its packages ask 3,000 times.
    """
    locks = importlib._module_locks  # type: ignore[attr-defined]

    def _lock_unlock_module(name):
        lock = locks.get(name, int)()
        if not lock or lock.owner != get_ident():
            otherwise(name)

    return disguised(_lock_unlock_module)
