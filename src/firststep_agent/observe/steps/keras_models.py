"""Models called on values by the program itself, compiled, and loaded (what loading compiles, it did not wish)."""

from _thread import get_ident

from firststep_agent.observe.eagerness import eager, no_tape
from firststep_agent.observe.wrapping import attribute, leave_no_frame, stand_in


def install(steps, module):
    model = getattr(module, "Model", None)
    trainer = getattr(module, "Trainer", model)
    if isinstance(model, type) and model.__module__ == module.__name__:
        _watch_call(steps, model)
    if isinstance(trainer, type) and trainer.__module__ == module.__name__ and "compile" in vars(trainer):
        _watch_compile(steps, trainer)
    if "load_model" in vars(module):
        _watch_load(steps, module)


def _watch_call(steps, owner):
    original = attribute(owner, "__call__")
    inside = steps.inside

    def __call__(self, *args, **kwargs):
        if not eager():
            steps.models_traced += 1
            return original(self, *args, **kwargs)
        thread = get_ident()
        if thread in inside:
            return original(self, *args, **kwargs)
        inside[thread] = "model"
        try:
            result = original(self, *args, **kwargs)
        except BaseException as error:
            leave_no_frame(error)
            raise
        finally:
            inside.pop(thread, None)
        steps.attempt(_called, steps, self, result)
        return result

    steps.run.replace(owner, "__call__", stand_in(original, __call__))


def _called(steps, model, result):
    if _has_values(result) and no_tape():
        steps.called(model, getattr(model, "name", "model"))


def _has_values(result):
    """Whether a call's result is made of values, not of symbols of a model under construction."""
    while isinstance(result, (list, tuple, dict)) and result:
        result = next(iter(result.values() if isinstance(result, dict) else result))
    return hasattr(result, "__array__") and type(result).__name__ not in ("KerasTensor", "SymbolicTensor")


def _watch_compile(steps, owner):
    original = attribute(owner, "compile")

    def compile(*args, **kwargs):
        steps.intends_training()
        return original(*args, **kwargs)

    steps.run.replace(owner, "compile", stand_in(original, compile))


def _watch_load(steps, module):
    original = module.load_model

    def load_model(*args, **kwargs):
        thread = get_ident()
        outermost = thread not in steps.inside
        if outermost:
            steps.inside[thread] = "load"
        try:
            return original(*args, **kwargs)
        except BaseException as error:
            leave_no_frame(error)
            raise
        finally:
            if outermost:
                steps.inside.pop(thread, None)

    steps.run.replace(module, "load_model", stand_in(original, load_model))
