"""Extension modules of Python's library that few programs load: one may have a module of its own of that name, `resource.py`.

An `import` of ours would run the program's file, or leave Python's module where the program's own import then finds it.
"""

import _frozen_importlib as importlib
import _frozen_importlib_external as external
import sys

from firststep_agent.as_found import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

_library = os.path.dirname(os.__file__)
_known: "dict[str, ModuleType]" = {}


def pythons_own(name: str) -> "ModuleType":
    """Python's extension module of that name, which stands in sys.modules only where the program has imported it as well."""
    found = _known.get(name)
    if found is None:
        found = _known[name] = _load(name)
    return found


def _load(name: str) -> "ModuleType":
    spec = None if name in sys.builtin_module_names else external.PathFinder.find_spec(name, _folders())
    if spec is None:  # a part of the interpreter, whose name no file can have
        return __import__(name)
    there: ModuleType = sys.modules.get(name)  # type: ignore[assignment]
    if getattr(there, "__file__", None) == spec.origin:
        return there
    module = importlib.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules.pop(name, None)  # some put themselves there
    if there is not None:
        sys.modules[name] = there
    return module


def _folders() -> "list[str]":
    return [_library, *(path for path in sys.path if type(path) is str and path.endswith("lib-dynload"))]
