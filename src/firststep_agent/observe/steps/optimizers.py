"""Optimizers in the program's own loop: the end of apply is the end of a step; in a trace it marks the function."""

from _thread import get_ident

from firststep_agent.observe.eagerness import eager
from firststep_agent.observe.wrapping import leave_no_frame, stand_in

_CLASSES = (
    "BaseOptimizer", "_BaseOptimizer", "Optimizer", "OptimizerV2",
    "LossScaleOptimizer", "LossScaleOptimizerV3", "BaseLossScaleOptimizer",
)


def install(steps, module):
    for name in _CLASSES:
        owner = vars(module).get(name)
        if not isinstance(owner, type) or owner.__module__ != module.__name__:
            continue
        for method in ("apply", "apply_gradients"):
            if method in vars(owner):
                _watch_apply(steps, owner, method)
        if "__init__" in vars(owner) and not name.startswith(("LossScale", "BaseLossScale")):
            _watch_construction(steps, owner)


def _watch_apply(steps, owner, method):
    original = vars(owner)[method]
    inside = steps.inside

    def apply(self, *args, **kwargs):
        if not eager():
            steps.attempt(steps.traced)
            return original(self, *args, **kwargs)
        thread = get_ident()
        outer = inside.get(thread)
        if outer not in (None, "function"):  # "function": one that runs eagerly
            return original(self, *args, **kwargs)
        inside[thread] = "apply"
        steps.pending.drop()
        try:
            result = original(self, *args, **kwargs)
        except BaseException as error:
            leave_no_frame(error)
            raise
        finally:
            _back(inside, thread, outer)
        steps.attempt(steps.trained, self, "apply_gradients")
        return result

    steps.run.replace(owner, method, stand_in(original, apply))


def _watch_construction(steps, owner):
    original = vars(owner)["__init__"]

    def __init__(*args, **kwargs):
        steps.intends_training()
        return original(*args, **kwargs)

    steps.run.replace(owner, "__init__", stand_in(original, __init__))


def _back(inside, thread, outer):
    if outer is None:
        inside.pop(thread, None)
    else:
        inside[thread] = outer
