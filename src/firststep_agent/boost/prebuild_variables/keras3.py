"""Keras 3: where optimizers and a model's metrics make their variables."""

import functools

_BUILDS = {  # module -> class -> methods in which a build may happen
    "keras.src.optimizers.base_optimizer": {"BaseOptimizer": ("apply",)},
    "keras.src.optimizers.loss_scale_optimizer": {"LossScaleOptimizer": ("apply",)},
    "keras.src.trainers.compile_utils": {"CompileMetrics": ("build",), "CompileLoss": ("build",)},
}
_DOORS = {  # module -> class whose add_variable makes a variable
    "keras.src.optimizers.base_optimizer": "BaseOptimizer",
    "keras.src.metrics.metric": "Metric",
}


def install(run, lifting):
    for module_name, classes in _BUILDS.items():
        run.after_import(module_name, functools.partial(_watch_builds, lifting, classes))
    for module_name, class_name in _DOORS.items():
        run.after_import(module_name, functools.partial(_open_door, lifting, class_name))


def _watch_builds(lifting, classes, module):
    for class_name, methods in classes.items():
        owner = getattr(module, class_name, None)
        for name in methods:
            if owner is not None and name in vars(owner):
                setattr(owner, name, _building(lifting, vars(owner)[name]))


def _building(lifting, original):
    @functools.wraps(original)
    def method(self, *arguments, **keywords):
        if getattr(self, "built", True):
            return original(self, *arguments, **keywords)
        with lifting.build():
            return original(self, *arguments, **keywords)

    return method


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
