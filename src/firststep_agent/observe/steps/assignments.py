"""Which variables a step without an optimizer still has to assign to."""

from firststep_agent.clock import now
from firststep_agent.frameworks.listening import CALL
from firststep_agent.observe.eagerness import eager


def listener(steps, point):
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

    def __init__(self, steps):
        self._steps = steps
        self.variables = {}  # id -> the ids of all replicas of that variable
        self._last = None  # (who assigned, when)

    def begin(self, sources, gradients):
        self._end()
        flat = zip(_flat(sources), _flat(gradients))
        known = [_replicas(source) for source, gradient in flat if gradient is not None]
        self.variables = {id(one): tuple(map(id, replicas)) for replicas in known for one in replicas if hasattr(one, "assign_sub")}

    def assigned(self, variable):
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

    def drop(self):
        """An optimizer has done it."""
        self.variables = {}
        self._last = None

    def _end(self):
        last = self._last
        self.drop()
        if last is not None:
            self._steps.trained(last[0], "assign", last[1])


def _replicas(source):
    """What is seen to be assigned to where the program assigns to a variable: of Keras's the framework's, of one that a distribution
    strategy keeps once for each replica one of those."""
    variable = getattr(source, "_value", source)
    replicas = getattr(variable, "values", None)
    return replicas if isinstance(replicas, tuple) else (variable,)


def _flat(structure):
    if isinstance(structure, dict):
        return [leaf for key in sorted(structure) for leaf in _flat(structure[key])]
    if isinstance(structure, (list, tuple)):
        return [leaf for one in structure for leaf in _flat(one)]
    return [structure]
