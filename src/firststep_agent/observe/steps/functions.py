"""tf.functions: a call from outside that traced a training step, or ran one that had been traced, ends a step.

So does one that calls a model, as a prediction.
"""

from _thread import get_ident

from firststep_agent import kinds
from firststep_agent.frameworks.listening import CALL
from firststep_agent.observe.eagerness import eager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point
    from firststep_agent.observe.steps.state import Steps

TRAINS, SERVES, PREDICTS, OTHER = "trains", "serves", "predicts", "other"


def listener(steps: "Steps", point: "Point") -> "Listener":
    counts, inside, kinds = point.step == "called-function", steps.inside, steps.kinds

    def call(*args, **kwargs):
        thread = get_ident()
        if thread in inside or not eager():
            return
        function, marks, models = args[0], steps.marks, steps.models_traced
        inside[thread] = "function"
        try:
            yield CALL
        finally:
            inside.pop(thread, None)
        kind = kinds.get(function)
        if kind is None or steps.marks != marks:
            kind = kinds[function] = _kind(steps, function, steps.marks != marks, steps.models_traced != models)
        if counts and kind is not OTHER:
            _count(steps, kind, function)

    return call


def _kind(steps: "Steps", function: "Any", trained: bool, called_model: bool) -> str:
    """What a call of `function` is, after its first call or one in which a training step was traced."""
    if trained or getattr(function, "graph", None) in steps.training_graphs:
        return TRAINS
    if kinds.name(type(function)) in ("RestoredFunction", "_WrapperFunction") or "signature_wrapper" in _name(function):
        return SERVES
    return PREDICTS if called_model else OTHER


def _count(steps: "Steps", kind: str, function: "Any") -> None:
    if kind == TRAINS:
        steps.trained(function, _name(function))
    elif kind == SERVES:
        steps.ended("predict", _name(function))
    else:
        steps.called(function, _name(function))


def _name(function: "Any") -> str:
    name = getattr(function, "_name", None) or function.name
    return name.decode() if isinstance(name, bytes) else str(name)
