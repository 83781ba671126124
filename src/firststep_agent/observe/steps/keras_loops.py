"""Keras's own loops: a step of fit ends where its batch callbacks begin, train_on_batch at its return."""

from _thread import get_ident

from firststep_agent.frameworks.listening import CALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point
    from firststep_agent.observe.steps.state import Steps

_SINGLE = {"train_on_batch": "train", "test_on_batch": "predict", "predict_on_batch": "predict"}
_BATCH_ENDS = {
    "on_train_batch_end": ("fit", "train"),
    "on_test_batch_end": ("evaluate", "predict"),
    "on_predict_batch_end": ("predict", "predict"),
}


def listener(steps: "Steps", point: "Point") -> "Listener":
    name = point.attribute.rpartition(".")[2]
    if name in _BATCH_ENDS:
        return _batch_end(steps, *_BATCH_ENDS[name])
    return _single(steps, name, _SINGLE[name]) if name in _SINGLE else _loop(steps, name)


def _batch_end(steps: "Steps", loop: str, kind: str) -> "Listener":
    def batch_end(*args, **kwargs):
        if steps.inside.get(get_ident()) == loop:
            steps.ended(kind, loop)
        return
        yield

    return batch_end


def _loop(steps: "Steps", name: str) -> "Listener":
    inside = steps.inside

    def loop(*args, **kwargs):
        thread = get_ident()
        if thread in inside:
            return
        inside[thread] = name
        try:
            yield CALL
        finally:
            inside.pop(thread, None)

    return loop


def _single(steps: "Steps", name: str, kind: str) -> "Listener":
    def single(*args, **kwargs):
        thread = get_ident()
        if thread in steps.inside:
            return
        steps.inside[thread] = name
        try:
            yield CALL
        finally:
            steps.inside.pop(thread, None)
        if kind == "train":
            steps.trained(args[0], name)
        else:
            steps.ended(kind, name)

    return single
