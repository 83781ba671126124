"""Modules that a trace is the first to import, as `tf.summary` does TensorBoard: imported before an answer, too. So the program finds in
`sys.modules` what it finds plainly, and the trace that proves the answer begins where it ended."""

import importlib
import sys


class NotImported(Exception):
    """A module that a trace had imported cannot be imported now; says which."""


def since(before):
    """Names of modules that were not in `before` and can be imported by name, in the order in which their imports began. Those of the
    program's own are no business of this: a trace that imports one is not kept."""
    return [name for name, module in list(sys.modules.items()) if name not in before and _can_be_imported(name, module)]


def _can_be_imported(name, module):
    spec = getattr(module, "__spec__", None)
    return (getattr(spec, "loader", None) is not None and getattr(spec, "name", None) == name
            and name.partition(".")[0] != __name__.partition(".")[0] and not name.startswith("__autograph_generated"))


def again(names):
    """Imports them, within a graph, as the trace did: a module that makes tensors has those of a graph. Raises NotImported."""
    missing = [name for name in names or () if name not in sys.modules]
    if not missing:
        return
    from tensorflow.python.framework import func_graph

    with func_graph.FuncGraph("imports").as_default():
        for name in missing:
            try:
                importlib.import_module(name)
            except Exception as error:
                raise NotImported(f"`{name}`, which it imports while it is traced, cannot be imported: {error!r}") from error
