"""Keras 2's builds inside traces (`keras` up to 2.15 and `tf_keras`), wrapped as keras3 does for Keras 3."""

import functools

from firststep_agent.boost.cache_functions import builds, learning

_ROOTS = ("keras.src", "tf_keras.src")
_READ_BEFORE = True  # its optimizers keep plain values that each trace changes: Nadam counts


def install(run):
    """Waits for the modules of Keras 2 that build inside a trace."""
    for root in _ROOTS:
        run.after_import(f"{root}.optimizers.optimizer", _wrap_optimizers)
        run.after_import(f"{root}.engine.compile_utils", _wrap_containers)


def _wrap_optimizers(module):
    base = getattr(module, "_BaseOptimizer", None)
    if base is None:  # Keras 3 has a module of this name too
        return
    original = base.apply_gradients

    @functools.wraps(original)
    def apply_gradients(self, grads_and_vars, *rest, **keywords):
        current = learning.current()
        if current is not None and not current.building:
            current.training = True
            grads_and_vars = list(grads_and_vars)
            if grads_and_vars and not getattr(self, "_built", False):
                current.build("keras2 optimizer", self, [v for _, v in grads_and_vars])
        return original(self, grads_and_vars, *rest, **keywords)

    base.apply_gradients = apply_gradients


def _build_optimizer(optimizer, variables):
    from tensorflow.python.framework import ops

    with ops.name_scope_v2(optimizer.name or "optimizer"):
        optimizer.build(variables)


def _wrap_containers(module):
    for cls in (module.LossesContainer, module.MetricsContainer):
        _wrap_container(cls)


def _wrap_container(cls):
    original = cls.build
    kind = f"keras2 {cls.__name__}"

    @functools.wraps(original)
    def build(self, *arguments):
        current = learning.current()
        if current is None or not current.build(kind, self, arguments):
            original(self, *arguments)

    cls.build = build
    builds.add(kind, lambda target, arguments: original(target, *arguments), _symbolic, _READ_BEFORE)


def _symbolic(shape, dtype):
    from tensorflow.python.framework import tensor_spec

    return tensor_spec.TensorSpec(shape, dtype)


builds.add("keras2 optimizer", _build_optimizer, _symbolic, _READ_BEFORE)
