"""Optimizers in the program's own loop: the end of apply is the end of a step; in a trace it marks the function."""

from _thread import get_ident

from firststep_agent.frameworks.listening import CALL
from firststep_agent.observe.eagerness import eager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point
    from firststep_agent.observe.steps.state import Steps


def listener(steps: "Steps", point: "Point") -> "Listener":
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


def _back(inside: "dict[int, str]", thread: int, outer: "str | None") -> None:
    if outer is None:
        inside.pop(thread, None)
    else:
        inside[thread] = outer
