"""Losses and metrics of each epoch, as Keras' History callback is given them; every `fit` has one."""

from functools import wraps

from firststep_agent.observe.results import digests

_MODULES = (
    "keras.src.callbacks.history",
    "keras.src.callbacks",
    "keras.callbacks",
    "tf_keras.src.callbacks",
)
_SHOWN = 20  # epochs whose figures are kept in full


def start(run):
    epochs: list = []
    run.on_fork(epochs.clear)
    for name in _MODULES:
        run.after_import(name, lambda module: _watch(module, epochs))
    return lambda: _records(epochs)


def _watch(module, epochs):
    cls = vars(module).get("History")
    original = vars(cls).get("on_epoch_end") if cls else None
    if original is None or hasattr(original, "firststep"):
        return

    @wraps(original)
    def on_epoch_end(self, epoch, logs=None):
        epochs.append((epoch, sorted((name, _figure(value)) for name, value in (logs or {}).items())))
        return original(self, epoch, logs)

    on_epoch_end.firststep = True  # type: ignore[attr-defined]
    cls.on_epoch_end = on_epoch_end


def _figure(value):
    """All bits of a number; Python's repr of a float is exact."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return repr(value)


def _records(epochs):
    if epochs:
        shown = [[epoch, dict(figures)] for epoch, figures in epochs[:_SHOWN]]
        yield {"what": "history", "name": "fit", "digest": digests.of_text(repr(epochs)), "count": len(epochs),
               "values": shown}
