"""TensorFlow Lite: the end of an interpreter's invocation is a prediction."""

from _thread import get_ident

from firststep_agent.frameworks.listening import CALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point
    from firststep_agent.observe.steps.state import Steps


def listener(steps: "Steps", point: "Point") -> "Listener":
    def invoke(*args, **kwargs):
        thread = get_ident()
        if thread in steps.inside:
            return
        steps.inside[thread] = "interpreter"
        try:
            yield CALL
        finally:
            steps.inside.pop(thread, None)
        steps.ended("predict", "Interpreter.invoke")

    return invoke
