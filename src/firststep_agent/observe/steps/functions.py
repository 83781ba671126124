"""tf.functions: a call from outside that traced a training step, or ran one that had been traced, ends a step.

So does one that calls a model, as a prediction.
"""

from _thread import get_ident
from weakref import WeakKeyDictionary

from firststep_agent.observe.eagerness import eager
from firststep_agent.observe.wrapping import leave_no_frame, stand_in

TRAINS, SERVES, PREDICTS, OTHER = "trains", "serves", "predicts", "other"


def install(steps, module):
    function = vars(module).get("Function")
    concrete = vars(module).get("ConcreteFunction")
    kinds: WeakKeyDictionary = WeakKeyDictionary()
    if isinstance(function, type):
        _watch_calls(steps, kinds, function, "__call__", counts=True)
        _watch_calls(steps, kinds, function, "get_concrete_function", counts=False)
    if isinstance(concrete, type):
        _watch_calls(steps, kinds, concrete, "__call__", counts=True)


def _watch_calls(steps, kinds, owner, method, counts):
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
        kind = kinds.get(self)
        if kind is None or steps.marks != marks:
            kind = steps.attempt(_kind, steps, self, steps.marks != marks, steps.models_traced != models) or OTHER
            kinds[self] = kind
        if counts and kind is not OTHER:
            steps.attempt(_count, steps, kind, self)
        return result

    steps.run.replace(owner, method, stand_in(original, call))


def _kind(steps, function, trained, called_model):
    """What a call of `function` is, after its first call or one in which a training step was traced."""
    if trained or getattr(function, "graph", None) in steps.training_graphs:
        return TRAINS
    if type(function).__name__ in ("RestoredFunction", "_WrapperFunction") or "signature_wrapper" in _name(function):
        return SERVES
    return PREDICTS if called_model else OTHER


def _count(steps, kind, function):
    if kind == TRAINS:
        steps.trained(function, _name(function))
    elif kind == SERVES:
        steps.ended("predict", _name(function))
    else:
        steps.called(function, _name(function))


def _name(function):
    name = getattr(function, "_name", None) or function.name
    return name.decode() if isinstance(name, bytes) else str(name)
