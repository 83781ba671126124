"""Training without an optimizer: gradients are taken, and the program assigns to the variables itself.

The step ends when all the variables that have a gradient were assigned to (assignments.py), or else at the last assignment
before the next gradients.
"""

from _thread import get_ident

from firststep_agent.frameworks.listening import CALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point
    from firststep_agent.observe.steps.state import Steps


def listener(steps: "Steps", point: "Point") -> "Listener":
    def gradient(*args, **kwargs):
        gradients = yield CALL
        if steps.inside.get(get_ident(), "function") == "function":
            steps.pending.begin(args[2] if len(args) > 2 else kwargs["sources"], gradients)

    return gradient
