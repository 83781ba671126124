"""Keras's own loops: a step of fit ends where its batch callbacks begin, train_on_batch at its return."""

from _thread import get_ident

from firststep_agent.observe.wrapping import attribute, leave_no_frame, stand_in

_TRAINERS = ("TensorFlowTrainer", "JAXTrainer", "TorchTrainer", "Model")
_LOOPS = ("fit", "evaluate", "predict")
_SINGLE = {"train_on_batch": "train", "test_on_batch": "predict", "predict_on_batch": "predict"}
_BATCH_ENDS = {
    "on_train_batch_end": ("fit", "train"),
    "on_test_batch_end": ("evaluate", "predict"),
    "on_predict_batch_end": ("predict", "predict"),
}


def install(steps, module):
    callbacks = getattr(module, "CallbackList", None)
    if isinstance(callbacks, type) and callbacks.__module__ == module.__name__:
        for name, (loop, kind) in _BATCH_ENDS.items():
            _watch_batch_end(steps, callbacks, name, loop, kind)
    trainer = next((getattr(module, name) for name in _TRAINERS if hasattr(module, name)), None)
    if trainer is not None:
        for name in _LOOPS:
            _watch_loop(steps, trainer, name)
        for name, kind in _SINGLE.items():
            _watch_single(steps, trainer, name, kind)


def _watch_batch_end(steps, owner, name, loop, kind):
    original = attribute(owner, name)

    def batch_end(*args, **kwargs):
        if steps.inside.get(get_ident()) == loop:
            steps.attempt(steps.ended, kind, loop)
        return original(*args, **kwargs)

    steps.run.replace(owner, name, stand_in(original, batch_end))


def _watch_loop(steps, owner, name):
    original = attribute(owner, name)
    if original is None:
        return

    def loop(*args, **kwargs):
        thread = get_ident()
        outermost = thread not in steps.inside
        if outermost:
            steps.inside[thread] = name
        try:
            return original(*args, **kwargs)
        except BaseException as error:
            leave_no_frame(error)
            raise
        finally:
            if outermost:
                steps.inside.pop(thread, None)

    steps.run.replace(owner, name, stand_in(original, loop))


def _watch_single(steps, owner, name, kind):
    original = attribute(owner, name)
    if original is None:
        return

    def single(*args, **kwargs):
        thread = get_ident()
        if thread in steps.inside:
            return original(*args, **kwargs)
        steps.inside[thread] = name
        try:
            result = original(*args, **kwargs)
        except BaseException as error:
            leave_no_frame(error)
            raise
        finally:
            steps.inside.pop(thread, None)
        steps.attempt(*((steps.trained, args[0], name) if kind == "train" else (steps.ended, kind, name)))
        return result

    steps.run.replace(owner, name, stand_in(original, single))
