"""Keras 2's builds inside traces (`keras` up to 2.15 and `tf_keras`), watched as keras3 does for Keras 3."""

from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.keep import builds
from firststep_agent.boost.cache_functions.learn import under_way
from firststep_agent.boost.traces import scopes
from firststep_agent.frameworks.listening import Answer, Call
from firststep_agent.frameworks.points import of_package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

    from firststep_agent.frameworks.door import While
    from firststep_agent.frameworks.points import Point

_OLDER = "OptimizerV2.apply_gradients"
_READ_BEFORE = True  # its optimizers keep plain values that each trace changes: Nadam counts


def install(run: "Any", package: str, learned: "While") -> None:
    """Waits for what builds inside a trace in the Keras 2 that is `package`. learned: a While, open while a trace is learned."""
    for point in of_package(package):
        if ID in point.users and point.since is None and point.how == "wrapped":
            if point.attribute.endswith(".apply_gradients"):
                run.wrap(point, _apply_gradients(run, point.attribute == _OLDER), ID, until=learned)
            else:
                _watch_container(run, point, learned)


def _apply_gradients(run: "Any", older: bool) -> "Callable[..., Generator[Any, Any, None]]":
    """older: an optimizer that keeps its numbers as they are until it makes variables of them, and leaves out what has no gradient."""
    kind, built = ("keras2 older optimizer", "_hypers_created") if older else ("keras2 optimizer", "_built")

    def apply_gradients(optimizer, grads_and_vars, *rest, **keywords):
        current = under_way.current()
        if current is not None and not current.building:
            run.mark_training(current.name)
            grads_and_vars = list(grads_and_vars)
            variables = [variable for gradient, variable in grads_and_vars if not older or gradient is not None]
            if variables and not getattr(optimizer, built, False):
                current.build(kind, optimizer, variables)
            yield Call((optimizer, grads_and_vars, *rest), keywords)

    return apply_gradients


def _build_optimizer(optimizer: "Any", variables: "list[Any]") -> None:
    from tensorflow.python.framework import ops

    with ops.name_scope_v2(optimizer.name or "optimizer"), scopes.left():
        optimizer.build(variables)


def _build_older(optimizer: "Any", variables: "list[Any]") -> None:
    from tensorflow.python.framework import ops

    with ops.name_scope_v2(optimizer._name), scopes.left():
        optimizer._create_all_weights(variables)


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


builds.add("keras2 older optimizer", _build_older, _symbolic, _READ_BEFORE)
builds.add("keras2 optimizer", _build_optimizer, _symbolic, _READ_BEFORE, restores=True)
