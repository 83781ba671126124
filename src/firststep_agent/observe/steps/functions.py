"""tf.functions: a call from outside that traced a training step, or ran one that had been traced, ends a step.

So does one that calls a model, as a prediction.
"""

from _thread import get_ident

from firststep_agent.observe.eagerness import eager
from firststep_agent.observe.wrapping import leave_no_frame, stand_in


def install(steps, module):
    function = vars(module).get("Function")
    concrete = vars(module).get("ConcreteFunction")
    if isinstance(function, type):
        _watch_calls(steps, function, "__call__", counts=True)
        _watch_calls(steps, function, "get_concrete_function", counts=False)
    if isinstance(concrete, type):
        _watch_calls(steps, concrete, "__call__", counts=True)


def _watch_calls(steps, owner, method, counts):
    original = vars(owner)[method]
    inside = steps.inside

    def call(self, *args, **kwargs):
        thread = get_ident()
        if thread in inside or not eager():
            return original(self, *args, **kwargs)
        marks, models = steps.marks, steps.models_traced
        inside[thread] = "function"
        try:
            result = original(self, *args, **kwargs)
        except BaseException as error:
            leave_no_frame(error)
            raise
        finally:
            inside.pop(thread, None)
        if steps.marks != marks:
            steps.training.add(self)
        elif steps.models_traced != models:
            steps.predicting.add(self)
        if counts:
            _count(steps, self)
        return result

    steps.run.replace(owner, method, stand_in(original, call))


def _count(steps, function):
    if steps.marks and (function in steps.training or getattr(function, "graph", None) in steps.training):
        steps.trained(function, _name(function))
    elif _is_loaded(function):
        steps.ended("predict", _name(function))
    elif function in steps.predicting:
        steps.called(function, _name(function))


def _name(function):
    name = getattr(function, "_name", None) or function.name
    return name.decode() if isinstance(name, bytes) else str(name)


def _is_loaded(function):
    """Whether it comes from a SavedModel."""
    return type(function).__name__ in ("RestoredFunction", "_WrapperFunction") or "signature_wrapper" in _name(function)
