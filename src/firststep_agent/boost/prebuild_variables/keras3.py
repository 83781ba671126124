"""Keras 3: where optimizers and a model's metrics make their variables."""

import functools

from firststep_agent.boost.cache_functions import first_traces

_OPTIMIZERS = {  # module -> class whose apply calls the build of its subclass
    "keras.src.optimizers.base_optimizer": "BaseOptimizer",
    "keras.src.optimizers.loss_scale_optimizer": "LossScaleOptimizer",
}
_CONTAINERS = "keras.src.trainers.compile_utils", ("CompileMetrics", "CompileLoss")
_READ_BEFORE = frozenset(["LossScaleOptimizer"])  # its scale_loss, called before apply, asks whether it is built
_DOORS = {  # module -> class whose add_variable makes a variable
    "keras.src.optimizers.base_optimizer": "BaseOptimizer",
    "keras.src.metrics.metric": "Metric",
}


def install(run, lifting):
    for module_name, class_name in _OPTIMIZERS.items():
        run.after_import(module_name, functools.partial(_watch_apply, lifting, class_name))
    run.after_import(_CONTAINERS[0], functools.partial(_watch_builds, lifting))
    for module_name, class_name in _DOORS.items():
        run.after_import(module_name, functools.partial(_open_door, lifting, class_name))
    run.after_import("keras.src.layers.layer", lambda module: _account_for_layers(module.Layer))


def _watch_apply(lifting, class_name, module):
    owner = getattr(module, class_name, None)
    if owner is None or "apply" not in vars(owner):
        return
    original, read_before = owner.apply, class_name in _READ_BEFORE

    @functools.wraps(original)
    def apply(self, *arguments, **keywords):
        if getattr(self, "built", True):
            return original(self, *arguments, **keywords)

        def build(*variables):  # only this happens once: the rest of apply is traced again where the step is
            del vars(self)["build"]
            with lifting.build(read_before):
                return self.build(*variables)

        vars(self)["build"] = build
        try:
            return original(self, *arguments, **keywords)
        finally:
            vars(self).pop("build", None)

    owner.apply = apply


def _watch_builds(lifting, module):
    for class_name in _CONTAINERS[1]:
        owner = getattr(module, class_name, None)
        if owner is not None and "build" in vars(owner):
            owner.build = _building(lifting, owner.build)


def _building(lifting, original):
    @functools.wraps(original)
    def build(self, *arguments, **keywords):
        if getattr(self, "built", True):
            return original(self, *arguments, **keywords)
        with lifting.build():
            return original(self, *arguments, **keywords)

    return build


def _account_for_layers(layer):
    """A layer that is built by its first call takes the names for that once."""
    original = getattr(layer, "_maybe_build", None)
    if original is None:
        return  # Keras 2's, which has no such counters

    @functools.wraps(original)
    def _maybe_build(self, *arguments):
        if self.built:
            return original(self, *arguments)
        with first_traces.build():
            return original(self, *arguments)

    layer._maybe_build = _maybe_build


def _open_door(lifting, class_name, module):
    owner = getattr(module, class_name)
    if "add_variable" not in vars(owner):
        return  # Keras 2 has a module of this name too
    original = owner.add_variable

    @functools.wraps(original)
    def add_variable(self, shape, initializer="zeros", *arguments, **keywords):
        if not lifting.wanted(initializer):
            return original(self, shape, initializer, *arguments, **keywords)
        with lifting.outside():
            return original(self, shape, initializer, *arguments, **keywords)

    owner.add_variable = add_variable
