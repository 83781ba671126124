"""Keras 3: where optimizers and a model's metrics make their variables."""

from firststep_agent.boost.traces import first_traces
from firststep_agent.boost.traces.instead_of_build import instead_of_build
from firststep_agent.frameworks.listening import CALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from firststep_agent.boost.prebuild_variables.lifting import Lifting
    from firststep_agent.frameworks.points import Point


def listener(lifting: "Lifting", point: "Point") -> "Callable[..., Iterator[Any]] | None":
    """What listens at `point`; None where it is none of Keras 3's."""
    if point.since is None:
        return None
    return {
        "BaseOptimizer.apply": lambda: _apply(lifting, read_before=False),
        "LossScaleOptimizer.apply": lambda: _apply(lifting, read_before=True),  # its scale_loss, called before, asks whether it is built
        "CompileMetrics.build": lambda: _build(lifting),
        "CompileLoss.build": lambda: _build(lifting),
        "BaseOptimizer.add_variable": lambda: _add_variable(lifting),
        "Metric.add_variable": lambda: _add_variable(lifting),
        "Layer._maybe_build": lambda: _maybe_build,
    }[point.attribute]()


def _apply(lifting: "Lifting", read_before: bool) -> "Callable[..., Iterator[Any]]":
    def apply(optimizer, *arguments, **keywords):
        if getattr(optimizer, "built", True):
            return

        def build(*variables):  # only this happens once: the rest of apply is traced again where the step is
            with lifting.build(read_before):
                return optimizer.build(*variables)

        yield from instead_of_build(optimizer, build)

    return apply


def _build(lifting: "Lifting") -> "Callable[..., Iterator[Any]]":
    def build(container, *arguments, **keywords):
        if not getattr(container, "built", True):
            with lifting.build():
                yield CALL

    return build


def _maybe_build(layer: "Any", *arguments: "Any") -> "Iterator[Any]":
    """A layer that is built by its first call takes the names for that once."""
    if not layer.built:
        with first_traces.build():
            yield CALL


def _add_variable(lifting: "Lifting") -> "Callable[..., Iterator[Any]]":
    def add_variable(owner, shape, initializer="zeros", *arguments, **keywords):
        if lifting.wanted(initializer):
            with lifting.outside():
                yield CALL

    return add_variable
