"""Which variables a step without an optimizer still has to assign to."""

from firststep_agent import kinds
from firststep_agent.clock import now
from firststep_agent.frameworks.listening import CALL
from firststep_agent.observe.eagerness import eager
from firststep_agent.observe.labels.said import items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point
    from firststep_agent.observe.steps.state import Steps


def listener(steps: "Steps", point: "Point") -> "Listener":
    pending = steps.pending

    def assign(*args, **kwargs):
        if pending.variables:
            yield CALL
            pending.assigned(args[0])

    return assign


class OpenGradients:
    """The variables whose gradients were taken last, and which have not been assigned to since.

    One that a strategy keeps once for each replica has been assigned to when one of those was: each replica takes gradients and
    assigns, and all of them together are one step, as models that take turns are.
    """

    def __init__(self, steps: "Steps") -> None:
        self._steps = steps
        self.variables: dict[int, tuple[int, ...]] = {}  # id -> the ids of all replicas of that variable
        self._last: tuple[Any, int] | None = None  # (who assigned, when)

    def begin(self, sources: "Any", gradients: "Any") -> None:
        self._end()
        flat = zip(_flat(sources), _flat(gradients))
        known = [_replicas(source) for source, gradient in flat if gradient is not None]
        self.variables = {id(one): tuple(map(id, replicas)) for replicas in known for one in replicas if hasattr(one, "assign_sub")}

    def assigned(self, variable: "Any") -> None:
        if id(variable) not in self.variables:
            return
        if not eager():
            self._steps.traced()
            self.drop()
            return
        replicas = self.variables[id(variable)]
        for one in replicas:
            self.variables.pop(one, None)
        self._last = (variable if len(replicas) > 1 else self, now())
        if not self.variables:
            self._end()

    def drop(self) -> None:
        """An optimizer has done it."""
        self.variables = {}
        self._last = None

    def _end(self) -> None:
        last = self._last
        self.drop()
        if last is not None:
            self._steps.trained(last[0], "assign", last[1])


def _replicas(source: "Any") -> "tuple[Any, ...]":
    """What is seen to be assigned to where the program assigns to a variable: of Keras's the framework's, of one that a distribution
    strategy keeps once for each replica one of those."""
    variable = getattr(source, "_value", source)
    replicas = getattr(variable, "values", None)
    return replicas if isinstance(replicas, tuple) else (variable,)


def _flat(structure: "Any") -> "list[Any]":
    """Its leaves, in the order in which TensorFlow takes them."""
    if kinds.is_a(structure, dict):
        return [leaf for key in sorted(dict.keys(structure)) for leaf in _flat(dict.__getitem__(structure, key))]
    inner = items(structure)
    return [structure] if inner is None else [leaf for one in inner for leaf in _flat(one)]
