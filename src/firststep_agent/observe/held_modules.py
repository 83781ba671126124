"""Which installed modules other packages hold as well: those are loaded whoever imports them first.

A span of an import says who asked for a module first; who asks for it again leaves no trace, for Python finds it loaded. What a
module has imported it keeps by a name, though: the module itself, or a function or class of it. So the modules' namespaces say, once
all are loaded, who else would have loaded what. Nothing of the program runs for it: no attribute is asked for, dictionaries are read.

Where a framework is among them, the files of the program's own modules are told as well: their source says whether it uses that.
"""

import sys
from _frozen_importlib_external import SourceFileLoader

from firststep_agent import ownership
from firststep_agent.as_found import os
from firststep_agent.beside import pieces
from firststep_agent.clock import now

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from firststep_agent.recorder import Recorder

MARK = "held-modules"
LARGEST = "tensorflow"  # has half of all names, and holds nothing that it could do without: others hold that as well
FRAMEWORKS = ("tensorflow", "keras", "tf_keras")
PIECE = 60  # modules that are looked at together, in some 0.3 ms
OF_THE_PROGRAM = ""  # in the place of a package: modules that nobody has installed
PYTHONS_OWN, OURS = os.path.dirname(os.__file__) + os.sep, os.path.dirname(os.path.dirname(__file__)) + os.sep
FunctionType, ModuleType = type(lambda: None), type(sys)  # `types` is the program's to import

_names_of = vars(ModuleType)["__dict__"].__get__
_names_of_class = vars(type)["__dict__"].__get__


def start(run: "Any") -> None:
    """Tells once, beside the program at ready, or at the end of one that never was."""
    run.tell_beside(lambda: _told(run.recorder, now()))


def _told(recorder: "Recorder", ns: int) -> "Iterator[None]":
    """A work to be done beside the program. ns: as of when it is told."""
    modules = dict(sys.modules)
    packages: dict[Any, str | None] = {}
    for names in pieces(list(modules), PIECE):
        packages.update(packages_of({name: modules[name] for name in names}))
        yield
    found: dict[Any, set[Any]] = {}
    for names in pieces(list(packages), PIECE):
        add_holders(found, names, modules, packages)
        yield
    files = {"files": programs_files(modules, packages)} if any(name in modules for name in FRAMEWORKS) else {}
    recorder.record("m", ns, MARK, {"holders": [[name, sorted(found[name])] for name in sorted(found)], **files})


def packages_of(modules: "dict[str, Any]") -> "dict[Any, str | None]":
    """{name: what _package says of it} of modules by their names."""
    return {name: _package(name, module) for name, module in modules.items() if isinstance(module, ModuleType)}


def add_holders(found: "dict[Any, set[Any]]", names: "list[Any]", modules: "dict[str, Any]", packages: "dict[Any, str | None]") -> None:
    """Of the modules of these names: {name of an installed module: packages that hold it, or something of it, but its own} in `found`.

    packages: packages_of(modules).
    """
    for name in names:
        package = packages[name]
        for value in list(_names_of(modules[name]).values()) if package not in (None, LARGEST) else ():
            other = _module_of(value)
            owner = packages.get(other)
            if owner and owner != package:
                found.setdefault(other, set()).add(package)


def programs_files(modules: "dict[str, Any]", packages: "dict[Any, str | None]") -> "list[str]":
    """Of the program's own modules, each once; "" for one that has none, as what is typed in."""
    return sorted({_file(_names_of(modules[name])) for name, package in packages.items() if package == OF_THE_PROGRAM})


def _file(names: "dict[str, Any]") -> str:
    """Python takes `__file__` from a script's module once it has run; what has loaded it stays."""
    loader = names.get("__loader__")
    file = names.get("__file__", loader.path if type(loader) is SourceFileLoader else None)
    return file if type(file) is str else ""


def _package(name: str, module: "Any") -> "str | None":
    """Of an installed module, or OF_THE_PROGRAM; None for Python's own and for what is made by hand."""
    file = _names_of(module).get("__file__")
    if name == "__main__":
        return OF_THE_PROGRAM
    if type(file) is not str:
        return None
    if ownership.is_installed(file):
        return name.partition(".")[0]
    return None if file.startswith((PYTHONS_OWN, OURS)) else OF_THE_PROGRAM


def _module_of(value: "Any") -> "str | None":
    """The name of the module that a value is, or is of; None for anything else than modules, functions and classes."""
    kind = type(value)
    if kind is FunctionType:
        name = value.__module__
    elif issubclass(kind, ModuleType):
        name = _names_of(value).get("__name__")
    elif issubclass(kind, type):
        name = _names_of_class(value).get("__module__")
    else:
        return None
    return name if type(name) is str else None
