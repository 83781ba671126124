"""Modules that a trace is the first to import, as `tf.summary` does TensorBoard.

They are imported before an answer, too: so the program finds in `sys.modules` what it finds plainly, and the trace that proves the answer
begins where it ended.
"""

import importlib
import sys

from firststep_agent import ownership
from firststep_agent.boost.objects.refusal import Refused

_NO_MODULES = "__autograph_generated", __name__.partition(".")[0] + "."


class NotImported(Exception):
    """A module that a trace had imported cannot be imported now; says which."""


class Modules:
    """What came into sys.modules while active."""

    def __init__(self):
        self._before: frozenset = frozenset()

    def start(self):
        self._before = frozenset(sys.modules)

    def stop(self):
        """What came is asked for later."""

    def check(self):
        """Raises Refused for the program's own: what they do when they are imported is the program's."""
        for name, module in self._new():
            if ownership.module_owner(name) == ownership.USER and getattr(module, "__file__", None):
                raise Refused(f"`{name}` is imported for the first time while it is traced: import it before")

    def record(self):
        """Names of those that can be imported by name, in the order in which their imports began."""
        return [name for name, module in self._new() if _can_be_imported(name, module)]

    def _new(self):
        return [(name, module) for name, module in list(sys.modules.items())
                if name not in self._before and not name.startswith(_NO_MODULES)]


def _can_be_imported(name, module):
    spec = getattr(module, "__spec__", None)
    return getattr(spec, "loader", None) is not None and getattr(spec, "name", None) == name


def again(names):
    """Imports them, within a graph, as the trace did: a module that makes tensors has those of a graph. Raises NotImported."""
    missing = [name for name in names if name not in sys.modules]
    if not missing:
        return
    from tensorflow.python.framework import func_graph

    with func_graph.FuncGraph("imports").as_default():
        for name in missing:
            try:
                importlib.import_module(name)
            except Exception as error:
                raise NotImported(f"`{name}`, which it imports while it is traced, cannot be imported: {error!r}") from error
