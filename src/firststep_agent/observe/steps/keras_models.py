"""Models called on values by the program itself, and loaded (what loading compiles, it did not wish)."""

from _thread import get_ident

from firststep_agent import kinds
from firststep_agent.frameworks.listening import CALL
from firststep_agent.observe.eagerness import eager, no_tape
from firststep_agent.observe.labels.said import attribute, items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point
    from firststep_agent.observe.steps.state import Steps


def listener(steps: "Steps", point: "Point") -> "Listener":
    return (_call if point.step == "called-model" else _load)(steps)


def _call(steps: "Steps") -> "Listener":
    inside = steps.inside

    def __call__(*args, **kwargs):
        if not eager():
            steps.run.mark_model()
            return
        thread = get_ident()
        if thread in inside:
            return
        inside[thread] = "model"
        try:
            result = yield CALL
        finally:
            inside.pop(thread, None)
        if _has_values(result) and no_tape():
            name = attribute(args[0], "name")
            steps.called(args[0], name if type(name) is str else "model")

    return __call__


def _has_values(result: "Any") -> bool:
    """Whether a call's result is made of values, not of symbols of a model under construction."""
    while inner := items(result):
        result = inner[0]
    return attribute(result, "__array__") is not None and kinds.name(type(result)) not in ("KerasTensor", "SymbolicTensor")


def _load(steps: "Steps") -> "Listener":
    def load_model(*args, **kwargs):
        thread = get_ident()
        if thread in steps.inside:
            return
        steps.inside[thread] = "load"
        try:
            yield CALL
        finally:
            steps.inside.pop(thread, None)

    return load_model
