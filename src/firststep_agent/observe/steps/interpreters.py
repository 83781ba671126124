"""TensorFlow Lite: the end of an interpreter's invocation is a prediction."""

from _thread import get_ident

from firststep_agent.frameworks.listening import CALL


def listener(steps, point):
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
