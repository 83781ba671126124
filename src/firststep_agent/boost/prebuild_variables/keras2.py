"""Keras 2 (`tf.keras` up to TensorFlow 2.15, and `tf_keras`): where optimizers and compiled metrics make their
variables.

Keras 2 makes them in an init_scope already, with their values computed eagerly and once; but TensorFlow notes them
as made by the trace, and traces the whole step a second time.
"""

from firststep_agent.frameworks.listening import CALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from firststep_agent.boost.prebuild_variables.lifting import Lifting
    from firststep_agent.frameworks.points import Point

_BUILT = {"_BaseOptimizer.apply_gradients": "_built", "MetricsContainer.build": "_built"}  # the attribute that says it has happened
_BUILDS = (*_BUILT, "OptimizerV2._create_all_weights")  # in which a build may happen; the others make one variable


def listener(lifting: "Lifting", point: "Point") -> "Callable[..., Iterator[Any]] | None":
    """What listens at `point`; None where it is none of Keras 2's."""
    if point.since is not None:
        return None
    return _build(lifting, _BUILT.get(point.attribute)) if point.attribute in _BUILDS else _make(lifting)


def _build(lifting: "Lifting", built: "str | None") -> "Callable[..., Iterator[Any]]":
    def building(owner, *arguments, **keywords):
        if built is None or not getattr(owner, built, False):
            with lifting.build():
                yield CALL

    return building


def _make(lifting: "Lifting") -> "Callable[..., Iterator[Any]]":
    def make(owner, *arguments, **keywords):
        if lifting.possible():
            with lifting.outside():
                yield CALL

    return make
