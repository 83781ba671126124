"""Contents of tensors and variables that were read while the trace ran: they may stand in the graph as constants."""

import sys

from ..refusal import Refused


class Values:
    """Watches `EagerTensor._numpy`, which every way to a tensor's contents goes through, and eager reads of variables."""

    def __init__(self):
        self._tensors = []
        self._variables = []
        self._undo = []

    def start(self):
        ops = sys.modules.get("tensorflow.python.framework.ops")
        variables = sys.modules.get("tensorflow.python.ops.resource_variable_ops")
        context = sys.modules.get("tensorflow.python.eager.context")
        if ops is None or variables is None or context is None:
            return
        executing_eagerly = context.executing_eagerly
        tensors, read = self._tensors, self._variables

        plain_numpy = ops._EagerTensorBase._numpy

        def _numpy(self):
            tensors.append(self)
            return plain_numpy(self)

        plain_read = variables.BaseResourceVariable._read_variable_op

        def _read_variable_op(self, *arguments, **named):
            if executing_eagerly():
                read.append(self)
            return plain_read(self, *arguments, **named)

        self._patch(ops._EagerTensorBase, "_numpy", _numpy)
        self._patch(variables.BaseResourceVariable, "_read_variable_op", _read_variable_op)

    def _patch(self, cls, name, replacement):
        plain = cls.__dict__[name]
        replacement.__wrapped__ = plain
        setattr(cls, name, replacement)
        self._undo.append((cls, name, plain))

    def stop(self):
        for cls, name, plain in self._undo:
            setattr(cls, name, plain)
        self._undo.clear()

    def check(self, snapshot):
        """Raises Refused where a variable was read that is not reachable from the function."""
        for variable in self._variables:
            if id(variable) not in snapshot.kept:
                raise Refused(f"the value of the variable `{variable.name}` is read while it is traced")

    def read(self, snapshot):
        """The tensors and variables among what the snapshot holds whose contents count."""
        found = {id(v): v for v in (*self._variables, *self._tensors) if id(v) in snapshot.kept}
        if any(id(t) not in snapshot.kept for t in self._tensors):
            # Something computed from other tensors was read: their contents count, too.
            for value in snapshot.walk.objects:
                if type(value).__name__ == "EagerTensor" and value.dtype.name not in ("resource", "variant"):
                    found[id(value)] = value
        return list(found.values())
