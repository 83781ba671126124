"""Contents of tensors and variables that were read while the trace ran: they may stand in the graph as constants."""

import sys

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects.expand import ModuleRead
from firststep_agent.boost.objects.refusal import Refused


class Values:
    """Watches `EagerTensor._numpy`, which every way to a tensor's contents goes through, and eager reads of variables."""

    def __init__(self):
        self._tensors = []
        self._variables = []
        self._assigned = []
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

        assigned = self._assigned

        def watching(plain_assign):
            def assign(self, *arguments, **named):
                if executing_eagerly():
                    assigned.append(self)
                return plain_assign(self, *arguments, **named)

            return assign

        for cls in _with_subclasses(variables.BaseResourceVariable):
            for name in ("assign", "assign_add", "assign_sub"):
                if name in cls.__dict__:
                    self._patch(cls, name, watching(cls.__dict__[name]))
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
        """Raises Refused where a variable was read that is not reachable from the function, or one was changed."""
        for variable in self._assigned:
            if id(variable) in snapshot.kept:
                raise Refused(f"the variable `{variable.name}` is assigned to while it is traced, which a replay would not do")
        for variable in self._variables:
            if id(variable) not in snapshot.kept:
                raise Refused(f"the value of the variable `{variable.name}` is read while it is traced")

    def computed(self, snapshot):
        """True where contents were read of a tensor that the trace itself computed: it may be part of the graph."""
        return any(id(t) not in snapshot.kept for t in self._tensors)

    def read(self, snapshot):
        """The tensors and variables among what the snapshot holds whose contents count."""
        found = {id(v): v for v in (*self._variables, *self._tensors) if id(v) in snapshot.kept}
        if self.computed(snapshot):
            # Something computed from other tensors was read: their contents count, too.
            found.update((id(v), v) for v in tensors(snapshot.walk))
        return list(found.values())


def _with_subclasses(cls):
    found = [cls]
    for each in found:
        found.extend(c for c in type.__subclasses__(each) if c not in found)
    return found


def tensors(found):
    """Eager tensors with contents that a walk met."""
    return [v for v in found.objects if kinds.name(type(v)) == "EagerTensor" and v.dtype.name not in ("resource", "variant")]


def numpy_is_named(found):
    """True where code that the walk met names NumPy, whose functions in C read tensors unseen."""
    for value in found.objects:
        if type(value) is ModuleRead:
            named: object = kinds.module_name(value.module)
        else:
            named = getattr(value, "__module__", None) if callable(value) and not ownership.is_user_class(type(value)) else None
        if type(named) is str and named.partition(".")[0] == "numpy":
            return True
    return False
