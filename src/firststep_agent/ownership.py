"""Whose code it is: the framework's, the standard library's, or the user's.

Code of the frameworks below is taken by its package's identity plus a check that it was not patched. Everything else
(the program, its helpers, other packages) is read through completely.
"""

import sys

from firststep_agent import kinds
from firststep_agent.as_found import os
from firststep_agent.descriptors import open_own
from firststep_agent.imports import FILE
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

FRAMEWORK, STDLIB, USER = "framework", "stdlib", "user"
GENERATED = "__autograph_generated"  # modules of AutoGraph: each holds one converted function, in a file that is another each time

# Import names whose code is trusted to be what its installed version says. Two are hooks that setuptools and virtualenv put into every
# import.
FRAMEWORKS = frozenset(
    """tensorflow keras tf_keras numpy absl optree h5py ml_dtypes google opt_einsum gast astunparse termcolor wrapt six
    flatbuffers tensorboard scipy namex rich typing_extensions packaging tensorflow_estimator tensorflow_io_gcs_filesystem
    libclang jax jaxlib _distutils_hack _virtualenv firststep_agent""".split()
)

_SITES = ("/site-packages/", "/dist-packages/")  # what is in paths of packages that were installed
_LARGEST = 32 << 20  # bytes of a RECORD
_stdlib = os.path.dirname(os.__file__) + os.sep
_ours = os.path.dirname(os.path.abspath(__file__)) + os.sep
_known: "dict[str, str]" = {}
_roots: "dict[str, str]" = {}
_listed: "dict[str, frozenset[str]]" = {}  # folder of libraries -> names of modules


def owner(filename: str) -> str:
    """FRAMEWORK, STDLIB or USER for a code object's file name."""
    found = _known.get(filename)
    if found is None:
        found = _known[filename] = _owner(filename)
    return found


def is_ours(filename: str) -> bool:
    """True for firststep's own code, and for what of it stands around the frameworks' functions."""
    return filename.startswith(_ours) or filename == FILE


def is_ours_class(cls: type) -> bool:
    """True for firststep's own classes."""
    return str(kinds.module(cls)).startswith("firststep_agent.")


def is_user(function: "Any") -> bool:
    """True for a Python function that is not a framework's or the standard library's."""
    return owner(function.__code__.co_filename) == USER


def is_user_class(cls: type) -> bool:
    """True for a class that was defined neither by a framework nor by the standard library."""
    return module_owner(kinds.module(cls)) == USER


def module_owner(name: object) -> str:
    """FRAMEWORK, STDLIB or USER for a module's name."""
    if type(name) is not str:
        return USER
    top = name.partition(".")[0]
    if top in FRAMEWORKS:
        return FRAMEWORK
    if name == "__main__":
        return USER
    if top in ("builtins", "_frozen_importlib"):
        return STDLIB
    module = sys.modules.get(name)
    filename = kinds.file_of(module)
    if filename is None:
        return STDLIB if top in _stdlib_names() or module is None and _is_of_extension(name) else USER
    return owner(filename)


def module_owner_of(module: "Any") -> str:
    """FRAMEWORK, STDLIB or USER for a module. One that is loaded by its file alone or made by hand may have the name of another."""
    name = kinds.module_name(module)
    if sys.modules.get(name) is module:
        return module_owner(name)
    filename = kinds.file_of(module)
    if filename is not None:
        return owner(filename)
    made = kinds.module(type(module))  # of Python's own class it is made by hand; a class of its own loads it when it is first asked
    return USER if made == "builtins" else module_owner(made)


def is_library(top: str) -> bool:
    """Whether an import of this name, of a module at the top, finds an installed package or the standard library's."""
    if top in sys.builtin_module_names:
        return True
    path: Any = vars(sys).get("path")
    for folder in list.__iter__(path) if kinds.is_a(path, list) else ():
        if type(folder) is not str:
            continue
        place = os.path.join(folder, top)
        if _is_of_libraries(folder):
            if top in _names_in(folder):
                return True
        elif os.path.exists(place) or os.path.exists(place + ".py"):
            return False
    return False


def _is_of_libraries(folder: str) -> bool:
    return (folder + os.sep).startswith(_stdlib) or is_installed(folder + os.sep)


def _names_in(folder: str) -> "frozenset[str]":
    """The modules that lie in a folder, as far as their names tell."""
    found = _listed.get(folder)
    if found is None:
        try:
            found = frozenset(entry.partition(".")[0] for entry in os.listdir(folder))
        except OSError as error:
            if is_theirs(error):
                raise
            found = frozenset()
        _listed[folder] = found
    return found


def _stdlib_names() -> "Collection[str]":
    return getattr(sys, "stdlib_module_names", None) or sys.builtin_module_names


def _is_of_extension(name: str) -> bool:
    """Whether extensions make classes in a module of this name, which they do not make."""
    return name.partition(".")[0] in _OF_EXTENSIONS or name.endswith("_pb2")


_OF_EXTENSIONS = ("pybind11_builtins", "nanobind", "_wrappers")  # the last is wrapt's


def _owner(filename: str) -> str:
    if filename.startswith("<frozen "):
        return STDLIB
    for site in _SITES:
        if site in filename:
            top = filename.rpartition(site)[2].partition(os.sep)[0]
            return FRAMEWORK if top.partition(".")[0] in FRAMEWORKS else USER
    if filename.startswith(_stdlib):
        return STDLIB
    if filename.startswith(_ours):
        return FRAMEWORK
    for top in FRAMEWORKS:
        root = _root(top)
        if root and filename.startswith(root):
            return FRAMEWORK
    return USER


def _root(top: str) -> "str | None":
    root = _roots.get(top)
    if root is None and top in sys.modules:
        filename = kinds.file_of(sys.modules[top])
        if filename and os.path.basename(filename).startswith("__init__."):
            root = _roots[top] = os.path.dirname(filename) + os.sep
        elif filename and (is_installed(filename) or _is_recorded(filename)):  # a program may have a file of that name itself
            root = _roots[top] = filename
    return root


def is_installed(filename: str) -> bool:
    """Whether a file belongs to an installed package, of a framework or another: no part of the program itself."""
    found = _installed.get(filename)
    if found is None:
        found = _installed[filename] = any(site in filename for site in _SITES)
    return found


_installed: "dict[str, bool]" = {}


def is_programs_file(filename: str) -> bool:
    """Whether a source file is part of the program itself, and no installed package's, Python's or ours."""
    return not filename.startswith("<") and not is_installed(filename) and owner(filename) == USER


def is_programs_line(filename: str) -> bool:
    """The same, less the packages that pip has put into a folder of their own (`pip install --target vendor`), by the RECORD of each
    that it leaves there. For what is told of a program, never for what is done: a remedy looks through such code as through the
    program's, which is right whoever wrote it, and a package's RECORD is no proof that nobody has changed it since."""
    return is_programs_file(filename) and not _is_recorded(filename)


_recorded: "dict[tuple[str, str], bool]" = {}  # (folder, name in it) -> whether a RECORD beside it lists that


def _is_recorded(filename: str) -> bool:
    for folder in sys.path:
        if type(folder) is str and folder and filename.startswith(folder.rstrip(os.sep) + os.sep):
            name = filename[len(folder.rstrip(os.sep)) + 1:].partition(os.sep)[0]
            found = _recorded.get((folder, name))
            if found is None:
                found = _recorded[folder, name] = any(_lists(record, os.fsencode(name)) for record in _records(folder))
            if found:
                return True
    return False


def _records(folder: str) -> "list[str]":
    try:
        return [os.path.join(folder, name, "RECORD") for name in os.listdir(folder) if name.endswith(".dist-info")]
    except OSError as error:
        if is_theirs(error):
            raise
        return []


def _lists(record: str, name: bytes) -> bool:
    try:
        file = open_own(record, os.O_RDONLY)
    except OSError as error:
        if is_theirs(error):
            raise
        return False
    try:
        text = b"\n" + os.pread(file.number(), _LARGEST, 0)
    except OSError as error:
        if is_theirs(error):
            raise
        return False
    finally:
        file.close()
    return b"\n" + name + b"/" in text or b"\n" + name + b"," in text


def is_programs(name: object) -> bool:
    """Whether the module of this name is part of the program itself, and not of an installed package or of Python."""
    if type(name) is not str:  # a class may have a slot that is called `__module__`
        return False
    module = sys.modules.get(name)
    if name == "__mp_main__" and module is sys.modules.get("__main__"):  # another name of the same one
        return False
    if module_owner(name) != USER or name.startswith(GENERATED):
        return False
    filename = kinds.file_of(module)
    if filename is None:
        return _is_made_by_hand(name, module)
    return not is_installed(filename)


def _is_made_by_hand(name: str, module: "Any") -> bool:
    """Whether a module without a file is the program's: none of TensorFlow's for its operation libraries, no installed namespace package,
    none that an extension makes."""
    there = kinds.own(module)
    if len(name) == 40 and "OP_LIST" in there or "_op_def_library" in there:
        return False
    folders = there.get("__path__") if kinds.is_a(module, type(sys)) else None
    folders = kinds.own(folders).get("_path") if kinds.name(type(folders)) == "_NamespacePath" else folders
    if type(folders) is list and folders and all(type(folder) is str and is_installed(folder) for folder in folders):
        return False
    return not _is_made_in_c(name, module)


def _is_made_in_c(name: str, module: "Any") -> bool:
    """Whether it is one in which all of an extension's modules share what Cython makes, or one within an extension, of pybind11's: it has
    no loader, and its functions hang on what stands for addresses."""
    own = kinds.own(module) if kinds.is_a(module, type(sys)) else {}
    if own.get("__spec__") is not None or own.get("__loader__") is not None:
        return False
    if name == "cython_runtime" or name.startswith("_cython_") and name[8:9].isdigit():
        return True
    holders = [getattr(value, "__self__", None) for value in own.values() if type(value) is type(len)]
    return any(kinds.name(type(holder)) == "PyCapsule" for holder in holders) and not any(
        type(value) is kinds.FUNCTION for value in own.values())


def is_programs_module(module: "Any") -> bool:
    """Whether a module is part of the program itself, whatever it is called."""
    name = kinds.module_name(module)
    if sys.modules.get(name) is module:
        return is_programs(name)
    filename = kinds.file_of(module)
    return module_owner_of(module) == USER and not (filename is not None and is_installed(filename))


def is_programs_function(function: "Any") -> bool:
    """Whether a Python function is part of the program itself."""
    name = function.__module__
    return is_programs_file(function.__code__.co_filename) if name is None else is_programs(name)


def is_other_library(name: object) -> bool:
    """Whether the module of this name is of an installed package that is no framework."""
    return module_owner(name) == USER and not is_programs(name)
