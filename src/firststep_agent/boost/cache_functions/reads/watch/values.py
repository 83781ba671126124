"""Contents of tensors and variables that were read while the trace ran: they may stand in the graph as constants."""

import sys

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects.reading import ModuleRead
from firststep_agent.boost.objects.refusal import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from firststep_agent.boost.cache_functions.reads.snapshot import Snapshot
    from firststep_agent.boost.cache_functions.reads.stands import Stands
    from firststep_agent.boost.objects.walk import Walk


class Values:
    """Watches `EagerTensor._numpy`, which every way to a tensor's contents goes through, and eager reads of variables.

    stands: the Stands through which it hears of them.
    """

    def __init__(self, stands: "Stands") -> None:
        self._stands = stands
        self._entered = False
        self._tensors: list[Any] = []
        self._variables: list[Any] = []
        self._assigned: list[Any] = []

    def start(self) -> None:
        """Raises Unheard where it cannot listen."""
        self._entered = True
        self._stands.__enter__()
        self._stands.check()
        _watching[:] = [self]

    def stop(self) -> None:
        _watching.clear()
        if self._entered:
            self._entered = False
            self._stands.__exit__()

    def reads_tensor(self, tensor: "Any") -> None:
        self._tensors.append(tensor)

    def reads_variable(self, variable: "Any") -> None:
        if _executes_eagerly():
            self._variables.append(variable)

    def assigns(self, variable: "Any") -> None:
        if _executes_eagerly():
            self._assigned.append(variable)

    def check(self, snapshot: "Snapshot") -> None:
        """Raises Refused where a variable was read that is not reachable from the function, or one was changed."""
        for variable in self._assigned:
            if id(variable) in snapshot.kept:
                raise Refused(f"the variable `{variable.name}` is assigned to while it is traced, which a replay would not do")
        for variable in self._variables:
            if id(variable) not in snapshot.kept:
                raise Refused(f"the value of the variable `{variable.name}` is read while it is traced")

    def computed(self, snapshot: "Snapshot") -> bool:
        """True where contents were read of a tensor that the trace itself computed: it may be part of the graph."""
        return any(id(t) not in snapshot.kept for t in self._tensors)

    def read(self, snapshot: "Snapshot") -> "list[Any]":
        """The tensors and variables among what the snapshot holds whose contents count."""
        found = {id(v): v for v in (*self._variables, *self._tensors) if id(v) in snapshot.kept}
        if self.computed(snapshot):
            # Something computed from other tensors was read: their contents count, too.
            found.update((id(v), v) for v in tensors(snapshot.walk))
        return list(found.values())


def tensors(found: "Walk") -> "list[Any]":
    """Eager tensors with contents that a walk met."""
    return [v for v in found.objects if kinds.name(type(v)) == "EagerTensor" and v.dtype.name not in ("resource", "variant")]


def numpy_is_named(found: "Walk") -> bool:
    """True where code that the walk met names NumPy, whose functions in C read tensors unseen."""
    for value in found.objects:
        if type(value) is ModuleRead:
            named: object = kinds.module_name(value.module)
        else:
            named = getattr(value, "__module__", None) if callable(value) and not ownership.is_user_class(type(value)) else None
        if type(named) is str and named.partition(".")[0] == "numpy":
            return True
    return False


_watching: "list[Values]" = []  # the Values of the trace that is watched, at most one


def _executes_eagerly() -> "Any":
    return sys.modules["tensorflow.python.eager.context"].executing_eagerly()


def _listener(hears: "Callable[[Values, Any], None]") -> "Callable[..., Iterator[Any]]":
    def listener(target, *arguments, **keywords):
        for values in _watching:
            hears(values, target)
        return
        yield

    return listener


_VARIABLES = "tensorflow.python.ops.resource_variable_ops"
LISTENERS = (  # (module, attribute, what listens there, and where a class below has its own)
    ("tensorflow.python.framework.ops", "_EagerTensorBase._numpy", _listener(Values.reads_tensor)),
    (_VARIABLES, "BaseResourceVariable._read_variable_op", _listener(Values.reads_variable)),
    *((_VARIABLES, f"BaseResourceVariable.{name}", _listener(Values.assigns)) for name in ("assign", "assign_add", "assign_sub")),
)
