"""Keras 2 (`tf.keras` up to TensorFlow 2.15, and `tf_keras`): where optimizers and compiled metrics make their
variables.

Keras 2 makes them in an init_scope already, with their values computed eagerly and once; but TensorFlow notes them
as made by the trace, and traces the whole step a second time.
"""

import functools

_PREFIXES = ("keras.src.", "tf_keras.src.", "keras.")
_BUILDS = {  # module -> (class, method in which a build may happen, attribute that says it has happened)
    "optimizers.optimizer": ("_BaseOptimizer", "apply_gradients", "_built"),
    "optimizers.legacy.optimizer_v2": ("OptimizerV2", "_create_all_weights", None),
    "engine.compile_utils": ("MetricsContainer", "build", "_built"),
}
_DOORS = {  # module -> (class, its methods that make a variable)
    "optimizers.optimizer": ("_BaseOptimizer", ("add_variable", "add_variable_from_reference")),
    "optimizers.legacy.optimizer_v2": ("OptimizerV2", ("add_slot", "add_weight")),
    "metrics.base_metric": ("Metric", ("add_weight",)),
}


def install(run, lifting):
    for prefix in _PREFIXES:
        for name, build in _BUILDS.items():
            run.after_import(prefix + name, functools.partial(_watch_build, lifting, *build))
        for name, (class_name, methods) in _DOORS.items():
            run.after_import(prefix + name, functools.partial(_open_doors, lifting, class_name, methods))


def _watch_build(lifting, class_name, method, built, module):
    owner = getattr(module, class_name, None)
    if owner is None:
        return  # Keras 3 has modules of these names too
    original = vars(owner)[method]

    @functools.wraps(original)
    def building(self, *arguments, **keywords):
        if built is not None and getattr(self, built, False):
            return original(self, *arguments, **keywords)
        with lifting.build():
            return original(self, *arguments, **keywords)

    setattr(owner, method, building)


def _open_doors(lifting, class_name, methods, module):
    owner = getattr(module, class_name, None)
    for name in methods:
        if owner is not None and name in vars(owner):
            setattr(owner, name, _door(lifting, vars(owner)[name]))


def _door(lifting, original):
    @functools.wraps(original)
    def make(self, *arguments, **keywords):
        if not lifting.possible():
            return original(self, *arguments, **keywords)
        with lifting.outside():
            return original(self, *arguments, **keywords)

    return make
