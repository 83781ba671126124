"""TensorFlow Lite: the end of an interpreter's invocation is a prediction."""

from _thread import get_ident

from firststep_agent.observe.wrapping import leave_no_frame, stand_in


def install(steps, module):
    for owner, name in (("Interpreter", "invoke"), ("SignatureRunner", "__call__")):
        if hasattr(module, owner):
            _watch(steps, getattr(module, owner), name)


def _watch(steps, owner, name):
    original = vars(owner)[name]

    def invoke(*args, **kwargs):
        thread = get_ident()
        if thread in steps.inside:
            return original(*args, **kwargs)
        steps.inside[thread] = "interpreter"
        try:
            result = original(*args, **kwargs)
        except BaseException as error:
            leave_no_frame(error)
            raise
        finally:
            steps.inside.pop(thread, None)
        steps.attempt(steps.ended, "predict", "Interpreter.invoke")
        return result

    steps.run.replace(owner, name, stand_in(original, invoke))
