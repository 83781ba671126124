"""Training without an optimizer: gradients are taken, and the program assigns to the variables itself.

The step ends when all the variables that have a gradient were assigned to, or else at the last assignment before the
next gradients.
"""

from _thread import get_ident

from firststep_agent.observe.wrapping import attribute, leave_no_frame, stand_in

_ASSIGNMENTS = ("assign", "assign_add", "assign_sub")


def install(steps, module):
    if "GradientTape" in vars(module):
        _watch_tape(steps, module.GradientTape)
    if "BaseResourceVariable" in vars(module):
        for name in _ASSIGNMENTS:
            _watch_assignment(steps, module.BaseResourceVariable, name)


def _watch_tape(steps, owner):
    enter, gradient = vars(owner)["__enter__"], vars(owner)["gradient"]

    def entered(self):
        steps.intends_training()
        return enter(self)

    def taken(self, target, sources, *args, **kwargs):
        try:
            result = gradient(self, target, sources, *args, **kwargs)
        except BaseException as error:
            leave_no_frame(error)
            raise
        if steps.inside.get(get_ident(), "function") == "function":
            steps.attempt(steps.pending.begin, sources, result)
        return result

    steps.run.replace(owner, "__enter__", stand_in(enter, entered))
    steps.run.replace(owner, "gradient", stand_in(gradient, taken))


def _watch_assignment(steps, owner, name):
    original = attribute(owner, name)

    def assign(self, *args, **kwargs):
        result = original(self, *args, **kwargs)
        if steps.pending.variables:
            steps.attempt(steps.pending.assigned, self)
        return result

    steps.run.replace(owner, name, stand_in(original, assign))
