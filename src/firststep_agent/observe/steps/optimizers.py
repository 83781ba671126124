"""Optimizers in the program's own loop: the end of apply is the end of a step; in a trace it marks the function."""

from _thread import get_ident

from firststep_agent.frameworks.listening import CALL
from firststep_agent.observe.eagerness import eager


def listener(steps, point):
    inside = steps.inside

    def apply(*args, **kwargs):
        if not eager():
            steps.traced()
            return
        thread = get_ident()
        outer = inside.get(thread)
        if outer not in (None, "function"):  # "function": one that runs eagerly
            return
        inside[thread] = "apply"
        steps.pending.drop()
        try:
            yield CALL
        finally:
            _back(inside, thread, outer)
        steps.trained(args[0], "apply_gradients")

    return apply


def _back(inside, thread, outer):
    if outer is None:
        inside.pop(thread, None)
    else:
        inside[thread] = outer
