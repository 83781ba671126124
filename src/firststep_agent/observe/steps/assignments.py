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
    """The variables whose gradients were taken last, and which have not been assigned to since."""

    def __init__(self, steps):
        self._steps = steps
        self.variables = set()
        self._last = None

    def begin(self, sources, gradients):
        self._end()
        flat = zip(_flat(sources), _flat(gradients))
        known = [getattr(source, "_value", source) for source, gradient in flat if gradient is not None]
        self.variables = {id(variable) for variable in known if hasattr(variable, "assign_sub")}

    def assigned(self, variable):
        if id(variable) not in self.variables:
            return
        if not eager():
            self._steps.traced()
            self.drop()
            return
        self.variables.discard(id(variable))
        self._last = now()
        if not self.variables:
            self._end()

    def drop(self):
        """An optimizer has done it."""
        self.variables = set()
        self._last = None

    def _end(self):
        last = self._last
        self.drop()
        if last is not None:
            self._steps.trained(self, "assign", last)


def _flat(structure):
    if isinstance(structure, dict):
        return [leaf for key in sorted(structure) for leaf in _flat(structure[key])]
    if isinstance(structure, (list, tuple)):
        return [leaf for one in structure for leaf in _flat(one)]
    return [structure]
