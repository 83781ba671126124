"""Keras 2's builds inside traces (`keras` up to 2.15 and `tf_keras`), watched as keras3 does for Keras 3."""

from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.keep import builds
from firststep_agent.boost.cache_functions.learn import under_way
from firststep_agent.boost.traces.instead_of_build import instead_of_build
from firststep_agent.frameworks.listening import Answer
from firststep_agent.frameworks.points import of_package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from firststep_agent.frameworks.door import While
    from firststep_agent.frameworks.points import Point

_READ_BEFORE = True  # its optimizers keep plain values that each trace changes: Nadam counts
_NEWER, _OLDER = "keras2 optimizer", "keras2 older optimizer"


def install(run: "Any", package: str, learned: "While") -> None:
    """Waits for what builds inside a trace in the Keras 2 that is `package`. learned: a While, open while a trace is learned."""
    listeners = {
        "_BaseOptimizer.apply_gradients": _apply_gradients(run, lambda optimizer: optimizer),
        "LossScaleOptimizerV3.apply_gradients": _apply_gradients(run, lambda scaled: scaled.inner_optimizer),
        "OptimizerV2.apply_gradients": _apply_older(run),
        "OptimizerV2._create_all_weights": _create_all_weights,
    }
    for point in of_package(package):
        if ID in point.users and point.since is None and point.how == "wrapped":
            if point.attribute in listeners:
                run.wrap(point, listeners[point.attribute], ID, until=learned)
            else:
                _watch_container(run, point, learned)


def _apply_gradients(run: "Any", built: "Callable[[Any], Any]") -> "Callable[..., Iterator[Any]]":
    """It calls `build` within the name scope that the variables are named by. built(optimizer): the one whose variables are made then."""

    def apply_gradients(optimizer, *arguments, **keywords):
        current = under_way.current()
        if current is None or current.building:
            return
        run.mark_training(current.name)
        if getattr(built(optimizer), "_built", False):
            return

        def build(variables):
            if not variables or not current.build(_NEWER, built(optimizer), variables):
                optimizer.build(variables)

        yield from instead_of_build(optimizer, build)

    return apply_gradients


def _apply_older(run: "Any") -> "Callable[..., Iterator[Any]]":
    def apply_gradients(optimizer, *arguments, **keywords):
        current = under_way.current()
        if current is not None and not current.building:
            run.mark_training(current.name)
        return
        yield

    return apply_gradients


def _create_all_weights(optimizer: "Any", variables: "list[Any]") -> "Iterator[Any]":
    """Of an older optimizer, that keeps its numbers as they are until it makes variables of them. Called within its name scope, by each
    trace: it makes what is not there yet. Who has read its rate or its step before has made that alone."""
    current = under_way.current()
    has_all = getattr(optimizer, "_hypers_created", False) and len(getattr(optimizer, "_weights", ())) > 1  # more than its step
    if current is None or not variables or has_all:
        return
    if current.build(_OLDER, optimizer, variables):
        yield Answer(None)


def _watch_container(run: "Any", point: "Point", learned: "While") -> None:
    kind = f"keras2 {point.attribute.partition('.')[0]}"

    def build(container, *arguments):
        current = under_way.current()
        if current is not None and current.build(kind, container, arguments):
            yield Answer(None)

    def installed(plain, listening):
        builds.add(kind, lambda target, arguments: plain(target, *arguments), _symbolic, _READ_BEFORE)

    run.wrap(point, build, ID, until=learned, installed=installed)


def _symbolic(shape: "tuple[int | None, ...]", dtype: str) -> "Any":
    from tensorflow.python.framework import tensor_spec

    return tensor_spec.TensorSpec(shape, dtype)


builds.add(_OLDER, lambda optimizer, variables: optimizer._create_all_weights(variables), _symbolic, _READ_BEFORE)
builds.add(_NEWER, lambda optimizer, variables: optimizer.build(variables), _symbolic, _READ_BEFORE, restores=True)
