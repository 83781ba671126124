"""Keeps firststep's own lines out of the stacks that TensorFlow stores with each node and shows in its errors."""

import contextlib
import sys

from firststep_agent.as_found import os
from firststep_agent.boost.cache_functions import ID
from firststep_agent.frameworks.points import points_at
from firststep_agent.imports import FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_AGENT = __name__.partition(".")[0]
_FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
_HERE = os.path.abspath(_FOLDER)
_FILTERS = {"tensorflow": "tensorflow.python.util.traceback_utils", "keras": "keras.src.utils.traceback_utils"}
_made: "dict[Any, Callable[[], contextlib.AbstractContextManager[Any]]]" = {}  # TensorFlow's module of filters -> our class of them


def install(run: "Any") -> None:
    """Tracebacks that TensorFlow and Keras cut down to the user's lines leave out the agent's as well."""
    for package, module in _FILTERS.items():
        run.before_import(package, lambda package=package, module=module: _exclude(run, package, module))


def _exclude(run: "Any", package: str, module: str) -> None:
    point = points_at(package, module, "_EXCLUDED_PATHS")[0]
    run.put(point, lambda plain: (*plain, _HERE), ID, until="exit")


def hidden() -> "contextlib.AbstractContextManager[Any]":
    """Context manager: nodes made inside carry no frames of the agent's files."""
    tf_stack = sys.modules.get("tensorflow.python.util.tf_stack")
    if tf_stack is None:
        return contextlib.nullcontext()
    return _filter_class(tf_stack)()


def called_from() -> "Any":
    """The stack of this call, as TensorFlow keeps one with each node: in a few microseconds. Its lines are read when they are asked for."""
    from tensorflow.python.util import tf_stack

    return tf_stack.extract_stack()


def _filter_class(tf_stack: "Any") -> "Callable[[], contextlib.AbstractContextManager[Any]]":
    made = _made.get(tf_stack)
    if made is None:

        class OwnFiles(tf_stack.StackTraceFilter):
            def get_filtered_filenames(self):
                if self.parent is None:
                    return _own_files()
                return _own_files() | self.parent.get_filtered_filenames()

        made = _made[tf_stack] = OwnFiles
    return made


_files: "dict[str, str]" = {}  # name -> file, of all modules of the agent
_known: "tuple[int, frozenset[str]]" = (0, frozenset())


def _own_files() -> "frozenset[str]":
    """The agent's source files that are loaded: of few modules, for this is asked after each import in a trace."""
    global _known
    if not _files:
        _files.update(_modules_in(_FOLDER, _AGENT))
    if _known[0] != len(sys.modules):
        _known = (len(sys.modules), frozenset([*(file for name, file in _files.items() if name in sys.modules), FILE]))
    return _known[1]


def _modules_in(folder: str, package: str) -> "Iterator[tuple[str, str]]":
    with os.scandir(folder) as entries:
        for entry in entries:
            name, ending = os.path.splitext(entry.name)
            if ending == ".py":
                yield (package if name == "__init__" else f"{package}.{name}"), entry.path
            elif name != "__pycache__" and entry.is_dir():
                yield from _modules_in(entry.path, f"{package}.{name}")
