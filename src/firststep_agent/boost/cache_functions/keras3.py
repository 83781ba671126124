"""Keras 3's builds inside traces, wrapped so that a learning run does them apart and notes them (builds.py)."""

import contextlib
import functools

from firststep_agent.boost.cache_functions import builds, learning


def install(run):
    """Waits for the modules of Keras 3 that build inside a trace."""
    run.after_import("keras.src.optimizers.base_optimizer", lambda m: _wrap_apply(m.BaseOptimizer))
    run.after_import("keras.src.optimizers.loss_scale_optimizer", lambda m: _wrap_apply(m.LossScaleOptimizer, "scaled optimizer"))
    run.after_import("keras.src.trainers.compile_utils", _wrap_compile_utils)
    run.after_import("keras.src.layers.layer", lambda m: _wrap_maybe_build(m.Layer))
    run.after_import("keras.src.random.seed_generator", _wrap_global_seed_generator)
    run.after_import("keras.src.backend.common.name_scope", _use_scopes)


def _use_scopes(module):
    builds.SCOPES.update(current=lambda target: _scope(module, target), enter=_enter_scope)


def _scope(module, target):
    """The open name scopes around a build, outermost first; a layer's own has been opened already."""
    path = getattr(target, "_parent_path", None)
    return [part for part in (path if path is not None else module.current_path()).split("/") if part]


@contextlib.contextmanager
def _enter_scope(names):
    from keras.src import backend

    with contextlib.ExitStack() as stack:
        for name in names:
            stack.enter_context(backend.name_scope(name))
        yield


def _wrap_apply(cls, kind="optimizer"):
    original = cls.__dict__.get("apply")
    if original is None:
        return

    @functools.wraps(original)
    def apply(self, grads, trainable_variables=None, *rest, **keywords):
        current = learning.current()
        if current is not None and not current.building:
            current.training = True
            if trainable_variables is not None and not self.built:
                trainable_variables = list(trainable_variables)
                current.build(kind, self, trainable_variables)
        return original(self, grads, trainable_variables, *rest, **keywords)

    cls.apply = apply


def _build_optimizer(optimizer, variables):
    from keras.src import backend

    with backend.name_scope(optimizer.name, caller=optimizer):
        optimizer.build(variables)
    optimizer.built = True


def _wrap_compile_utils(module):
    for cls, kind in ((module.CompileMetrics, "metrics"), (module.CompileLoss, "loss")):
        _wrap_container(cls, kind)


def _wrap_container(cls, kind):
    original = cls.build

    @functools.wraps(original)
    def build(self, y_true, y_pred):
        current = learning.current()
        if current is None or not current.build(kind, self, (y_true, y_pred)):
            original(self, y_true, y_pred)

    cls.build = build
    builds.add(kind, lambda target, arguments: original(target, *arguments), _symbolic)


def _wrap_maybe_build(cls):
    original = cls._maybe_build

    @functools.wraps(original)
    def _maybe_build(self, call_spec):
        current = learning.current()
        if current is None or self.built or current.building:
            return original(self, call_spec)
        if not current.build("layer", self, _spec_arguments(call_spec)):
            return original(self, call_spec)
        if not self.built:
            current.refuse(f"the layer `{self.name}` is built while it is traced, and not by its input's shape alone")
        return None

    def build(layer, arguments):
        with layer._open_name_scope():
            original(layer, _Spec(arguments))

    cls._maybe_build = _maybe_build
    builds.add("layer", build, _symbolic, read_before=True)


_SPEC = ("arguments_dict", "tensor_arguments_dict", "nested_tensor_argument_names", "eager")
_OPTIONAL = ("user_arguments_dict", "argument_names", "tensor_arguments_names")


def _spec_arguments(call_spec):
    described = {name: getattr(call_spec, name) for name in _SPEC if hasattr(call_spec, name)}
    described.update((name, getattr(call_spec, name)) for name in _OPTIONAL if hasattr(call_spec, name))
    return described


class _Spec:
    """A call as `Layer._maybe_build` looks at it, of symbolic tensors."""

    arguments_dict: dict

    def __init__(self, described):
        vars(self).update(described)
        self.first_arg = next(iter(self.arguments_dict.values()), None)


def _wrap_global_seed_generator(module):
    original = module.global_seed_generator

    @functools.wraps(original)
    def global_seed_generator():
        current = learning.current()
        if current is not None and module.global_state.get_global_attribute(module.GLOBAL_SEED_GENERATOR) is None:
            current.build("seeds", None, None)
        return original()

    module.global_seed_generator = global_seed_generator
    builds.add("seeds", lambda target, arguments: original(), _symbolic, read_before=True)


def _symbolic(shape, dtype):
    import keras

    return keras.KerasTensor(shape, dtype, name="symbolic")  # takes no automatic name


builds.add("optimizer", _build_optimizer, _symbolic)
builds.add("scaled optimizer", _build_optimizer, _symbolic, read_before=True)  # by its scale_loss
