"""Keras 3's builds inside traces, watched so that a learning run does them apart and notes them (builds.py)."""

import contextlib

from firststep_agent import ownership
from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.keep import builds
from firststep_agent.boost.cache_functions.learn import purity, under_way
from firststep_agent.frameworks.listening import CALL, Answer, Call
from firststep_agent.frameworks.points import of_package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from types import ModuleType
    from typing import Any

    from firststep_agent.frameworks.door import While
    from firststep_agent.frameworks.standing import Listening


def install(run: "Any", package: str, learned: "While") -> None:
    """Waits for what builds inside a trace in Keras 3. learned: a While, open while a trace is learned."""
    listeners = {
        "BaseOptimizer.apply": lambda: (_apply(run, "optimizer"), None),
        "LossScaleOptimizer.apply": lambda: (_apply(run, "scaled optimizer"), None),
        "TFOptimizer._apply_weight_decay": lambda: (_apply_weight_decay, None),
        "CompileMetrics.build": lambda: _container("metrics"),
        "CompileLoss.build": lambda: _container("loss"),
        "Layer._maybe_build": lambda: (_maybe_build, _layers_are_built),
        "global_seed_generator": lambda: (_global_seed_generator, _seeds_are_made),
    }
    for point in of_package(package):
        if ID in point.users and point.since is not None and point.how == "wrapped":
            listener, installed = listeners[point.attribute]()
            run.wrap(point, listener, ID, until=learned, installed=installed)
    run.after_import("keras.src.backend.common.name_scope", _use_scopes)


def _use_scopes(module: "ModuleType") -> None:
    builds.SCOPES.update(current=lambda target: _scope(module, target), enter=_enter_scope)


def _scope(module: "ModuleType", target: "Any") -> "list[str]":
    """The open name scopes around a build, outermost first; a layer's own has been opened already."""
    path = getattr(target, "_parent_path", None)
    return [part for part in (path if path is not None else module.current_path()).split("/") if part]


@contextlib.contextmanager
def _enter_scope(names: "list[str]") -> "Iterator[None]":
    from keras.src import backend

    with contextlib.ExitStack() as stack:
        for name in names:
            stack.enter_context(backend.name_scope(name))
        yield


def _apply(run: "Any", kind: str) -> "Callable[..., Generator[Any, Any, None]]":
    def apply(optimizer, grads, trainable_variables=None, *rest, **keywords):
        current = under_way.current()
        if current is None or current.building:
            return
        run.mark_training(current.name)  # what watches steps may be gone: functions are learned after ready as well
        if trainable_variables is not None and not optimizer.built:
            trainable_variables = list(trainable_variables)
            is_own = kind == "optimizer" and ownership.is_user_class(type(optimizer))
            current.build(purity.OWN_OPTIMIZER if is_own else kind, optimizer, trainable_variables)
        yield Call((optimizer, grads, trainable_variables, *rest), keywords)

    return apply


def _build_optimizer(optimizer: "Any", variables: "list[Any]") -> None:
    from keras.src import backend

    with backend.name_scope(optimizer.name, caller=optimizer):
        optimizer.build(variables)
    optimizer.built = True


def _apply_weight_decay(optimizer: "Any", variables: "Iterable[Any]") -> "Generator[Any, Any, None]":
    current = under_way.current()
    is_theirs = not ownership.is_user(type(optimizer)._use_weight_decay)
    if current is not None and not current.building and optimizer.weight_decay is not None and is_theirs:
        current.build(_DECAY, optimizer, list(variables))
    yield CALL


_DECAY = "weight decay"


def _note_weight_decay(optimizer: "Any", variables: "list[Any]") -> None:
    """Of each variable the optimizer keeps whether its weights decay, in a dictionary that checkpoints know of."""
    for variable in variables:
        optimizer._use_weight_decay(variable)


def _container(kind: str) -> "tuple[Callable[..., Generator[Any, Any, None]], Callable[..., None]]":
    def build(container, y_true, y_pred):
        current = under_way.current()
        if current is not None and current.build(kind, container, (y_true, y_pred)):
            yield Answer(None)

    def installed(plain, listening):
        builds.add(kind, lambda target, arguments: plain(target, *arguments), _symbolic)

    return build, installed


def _maybe_build(layer: "Any", call_spec: "Any") -> "Generator[Any, Any, None]":
    current = under_way.current()
    if current is None or layer.built or current.building or not current.build("layer", layer, _spec_arguments(call_spec)):
        return
    if not layer.built:
        current.refuse(f"the layer `{layer.name}` is built while it is traced, and not by its input's shape alone")
    yield Answer(None)


def _layers_are_built(plain: "Callable[..., Any]", listening: "Listening") -> None:
    def build(layer, arguments):
        with layer._open_name_scope():
            plain(layer, _Spec(arguments))

    builds.add("layer", build, _symbolic, read_before=True, in_graph=True)


_SPEC = ("arguments_dict", "tensor_arguments_dict", "nested_tensor_argument_names", "eager")
_OPTIONAL = ("user_arguments_dict", "argument_names", "tensor_arguments_names")


def _spec_arguments(call_spec: "Any") -> "dict[str, Any]":
    described = {name: getattr(call_spec, name) for name in _SPEC if hasattr(call_spec, name)}
    described.update((name, getattr(call_spec, name)) for name in _OPTIONAL if hasattr(call_spec, name))
    return described


class _Spec:
    """A call as `Layer._maybe_build` looks at it, of symbolic tensors."""

    arguments_dict: "dict"

    def __init__(self, described: "dict[str, Any]") -> None:
        vars(self).update(described)
        self.first_arg = next(iter(self.arguments_dict.values()), None)


def _global_seed_generator() -> "Generator[Any, Any, None]":
    from keras.src.random import seed_generator

    current = under_way.current()
    if current is not None and seed_generator.global_state.get_global_attribute(seed_generator.GLOBAL_SEED_GENERATOR) is None:
        current.build("seeds", None, None)
    return
    yield


def _seeds_are_made(plain: "Callable[..., Any]", listening: "Listening") -> None:
    builds.add("seeds", lambda target, arguments: plain(), _symbolic, read_before=True)


def _symbolic(shape: "tuple[int | None, ...]", dtype: str) -> "Any":
    import keras

    return keras.KerasTensor(shape, dtype, name="symbolic")  # takes no automatic name


builds.add("optimizer", _build_optimizer, _symbolic, restores=True)
builds.add(purity.OWN_OPTIMIZER, _build_optimizer, _symbolic, in_graph=True)
builds.add(_DECAY, _note_weight_decay, _symbolic, goes_on=True)
builds.add("scaled optimizer", _build_optimizer, _symbolic, read_before=True)  # by its scale_loss
