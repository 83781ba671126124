"""Keras 3: private attributes of its objects."""

from firststep_agent.frameworks.points import READ, Point

CACHE = "cache-functions"
SETTING = "a setting that counts: without it there is no key"

READS: dict = {  # module -> {attribute: (why, who reads it)}
    "backend.common.variables": {
        "Variable._initializer": ("how a variable is made", ("frameworks",)),
        "Variable._dtype": ("what a variable is", ("frameworks",)),
        "Variable._shape": ("what a variable is", ("frameworks",)),
        "Variable._value": ("TensorFlow's variable within one of Keras's", (CACHE, "steps")),
    },
    "backend.config": dict.fromkeys(("_EPSILON", "_FLOATX", "_IMAGE_DATA_FORMAT"), (SETTING, (CACHE,))),
    "initializers.random_initializers": {"RandomInitializer._init_seed": ("whether a seed was given", (CACHE,))},
    "layers.layer": {
        "Layer._build_shapes_dict": ("a note of the build, which saving reads", (CACHE,)),
        "Layer._call_signature": ("made from the method `call`, which counts itself", (CACHE,)),
        "Layer._called": ("set by every call, which exporting reads", (CACHE,)),
        "Layer._flatten_layers": ("a build that does not hold is undone", (CACHE,)),
        "Layer._layers": ("what a program's state is made of", (CACHE,)),
        "Layer._loss_ids": ("numbers of the process", (CACHE,)),
        "Layer._parent_path": ("the name scopes around a build", (CACHE,)),
        "Layer._tracker": ("a build that does not hold is undone", (CACHE,)),
    },
    "metrics.metric": {"Metric._tracker": ("a build that does not hold is undone", (CACHE,))},
    "ops.function": {"Function._nodes": ("kept by numbers of the process; `_nodes_by_depth` counts", (CACHE,))},
    "optimizers.base_optimizer": {
        "BaseOptimizer._exclude_from_weight_decay_cache": ("kept by numbers of the process", (CACHE,)),
        "BaseOptimizer._tracker": ("a build that does not hold is undone", (CACHE,)),
        "BaseOptimizer._trainable_variables_indices": ("kept by numbers of the process", (CACHE,)),
        "BaseOptimizer._use_weight_decay": ("an optimizer notes which weights decay", (CACHE,)),
    },
    "random.seed_generator": {"SeedGenerator._initial_seed": ("whether a seed was given", (CACHE,))},
    "trainers.compile_utils": {"CompileLoss._user_loss": ("what a program's state is made of", (CACHE,)),
                               "CompileMetrics._user_metrics": ("what a program's state is made of", (CACHE,))},
    "trainers.trainer": {"Trainer._jit_compile": ("how a model is compiled", ("frameworks",)),
                         "Trainer._run_eagerly": ("how a model is compiled", ("frameworks",))},
}

POINTS = tuple(Point("keras.src." + module, attribute, why, package="keras", since=(3, 0), how=READ, by=by)
               for module, read in READS.items() for attribute, (why, by) in read.items())
