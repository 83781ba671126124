"""Losses and metrics of each epoch, as Keras' History callback is given them; every `fit` has one."""

from firststep_agent.observe.results import digests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

_MODULES = {"keras": ("keras.src.callbacks.history", "keras.src.callbacks"), "tf_keras": ("tf_keras.src.callbacks",)}
_SHOWN = 20  # epochs whose figures are kept in full


def start(run: "Any") -> "Callable[[], Iterable[dict[str, Any]]]":
    epochs: list[tuple[int, list[tuple[str, Any]]]] = []
    run.on_fork(epochs.clear)
    for package, modules in _MODULES.items():
        run.before_import(package, lambda package=package, modules=modules: _watch(run, package, modules, epochs))
    return lambda: _records(epochs)


def _watch(run: "Any", package: str, modules: "Iterable[str]", epochs: "list[tuple[int, list[tuple[str, Any]]]]") -> None:
    from firststep_agent.frameworks.points import points_at

    def on_epoch_end(history, epoch, logs=None):
        epochs.append((epoch, sorted((name, _figure(value)) for name, value in (logs or {}).items())))
        return
        yield

    for module in modules:
        for point in points_at(package, module, "History.on_epoch_end"):
            run.wrap(point, on_epoch_end, "results", until="exit")


def _figure(value: "Any") -> "float | str":
    """All bits of a number; Python's repr of a float is exact."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return repr(value)


def _records(epochs: "list[tuple[int, list[tuple[str, Any]]]]") -> "Iterator[dict[str, Any]]":
    if epochs:
        shown = [[epoch, dict(figures)] for epoch, figures in epochs[:_SHOWN]]
        yield {"what": "history", "name": "fit", "digest": digests.of_text(repr(epochs)), "count": len(epochs),
               "values": shown}
