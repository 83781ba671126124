"""Modules that a trace is the first to import, as `tf.summary` does TensorBoard.

They are imported before an answer, too: so the program finds in `sys.modules` what it finds plainly, and the trace that proves the answer
begins where it ended.
"""

import importlib
import sys

from firststep_agent import kinds, ownership
from firststep_agent.as_found import os
from firststep_agent.boost.objects.refusal import Refused
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

_NO_MODULES = "__autograph_generated", __name__.partition(".")[0] + "."


class NotImported(Exception):
    """A module that a trace had imported cannot be imported now; says which."""


class Modules:
    """What came into sys.modules while active."""

    def __init__(self) -> None:
        self._before: frozenset[str] = frozenset()

    def start(self) -> None:
        self._before = frozenset(sys.modules)

    def stop(self) -> None:
        """What came is asked for later."""

    def check(self) -> None:
        """Raises Refused for the program's own: what they do when they are imported is the program's."""
        for name, module in self._new():
            file = kinds.file_of(module)
            if file and ownership.module_owner(name) == ownership.USER and not ownership.is_installed(file):
                raise Refused(f"`{name}` is imported for the first time while it is traced: import it before")

    def files(self) -> "frozenset[str]":
        """Those of the new modules."""
        return frozenset(filter(None, (kinds.file_of(module) for _, module in self._new())))

    def record(self) -> "list[list[Any]]":
        """[[name, file or None, its size and time]] of those that can be imported by name, in the order in which their imports began."""
        return [[name, file, _stat(file)] for name, module in self._new() if _can_be_imported(name, module)
                for file in [kinds.file_of(module)]]

    def _new(self) -> "list[tuple[str, Any]]":
        return [(name, module) for name, module in list(sys.modules.items())
                if name not in self._before and not name.startswith(_NO_MODULES)]


def _can_be_imported(name: str, module: "Any") -> bool:
    spec = kinds.own(module).get("__spec__")
    return getattr(spec, "loader", None) is not None and getattr(spec, "name", None) == name


def being_imported(frame: "FrameType | None") -> bool:
    """Whether an installed module's import has called this frame, within the trace: what it does with the machine it does again in its
    next import. The files and the single variables that it reads count all the same."""
    while frame is not None and not frame.f_code.co_filename.endswith("tracing_compilation.py"):
        if frame.f_code.co_name == "<module>" and not ownership.is_programs_file(frame.f_code.co_filename):
            return True
        frame = frame.f_back
    return False


def _stat(file: "Any") -> "list[int] | None":
    try:
        found = os.stat(file)
    except (OSError, TypeError, ValueError) as error:  # built in, or in an archive
        if is_theirs(error):
            raise
        return None
    return [found.st_size, found.st_mtime_ns]


def recheck(recorded: "list[list[Any]]") -> "str | None":
    """None where every file is the one that it was."""
    for name, file, stat in recorded:
        if _stat(file) != stat:
            return f"`{name}`, which is imported while it is traced, has changed"
    return None


def again(recorded: "list[list[Any]]") -> None:
    """Imports them, within a graph, as the trace did: a module that makes tensors has those of a graph. Raises NotImported."""
    missing = [name for name, _, _ in recorded if name not in sys.modules]
    if missing:
        _import(missing)
    settle()


def settle() -> None:
    """Has imported libraries do what they do once, when something of theirs is first used: no trace is the one that does it."""
    for name, once in _ONCE.items():
        found = getattr(sys.modules.get(name), once, None)
        if found is not None:
            found()


_ONCE = {
    "tensorboard.util.lazy_tensor_creator": "_register_conversion_function_once",  # for `tf.summary.histogram` and `audio`
}


def _import(missing: "list[str]") -> None:
    from tensorflow.python.framework import func_graph

    with func_graph.FuncGraph("imports").as_default():
        for name in missing:
            try:
                importlib.import_module(name)
            except Exception as error:
                if is_theirs(error):
                    raise
                raise NotImported(f"`{name}`, which it imports while it is traced, cannot be imported: {error!r}") from error
