"""Keras 3: private attributes of its objects."""

from firststep_agent.frameworks.points import BY_NAME_ALONE, READ, Point

CACHE = "cache-functions"
SETTING = "a setting that counts: without it there is no key"
STATE, NUMBERS = "what a program's state is made of", "numbers of the process, or what is kept by them"
UNDONE, WEIGHTS = "a build that does not hold is undone", "how large a model's weights are"

READS: "dict[str, dict[str, tuple[str, tuple[str, ...]]]]" = {  # module -> {attribute: (why, who reads it)}
    "backend.common.variables": {
        "Variable._initializer": ("how a variable is made", ("frameworks",)),
        "Variable._dtype": ("what a variable is", ("frameworks",)),
        "Variable._shape": ("what a variable is", ("frameworks",)),
        "Variable._value": ("TensorFlow's variable within one of Keras's", (CACHE, "steps")),
    },
    "backend.config": dict.fromkeys(("_EPSILON", "_FLOATX", "_IMAGE_DATA_FORMAT"), (SETTING, (CACHE,))),
    "layers.layer": {
        "Layer._flatten_layers": (UNDONE, (CACHE,)),
        "Layer._parent_path": ("the name scopes around a build", (CACHE,)),
    },
    "optimizers.base_optimizer": {"BaseOptimizer._use_weight_decay": ("an optimizer notes which weights decay", (CACHE,))},
}
# of these the names alone are known: module -> {attribute: (why, who knows it)}
NAMED: "dict[str, dict[str, tuple[str, tuple[str, ...]]]]" = {
    "initializers.random_initializers": {"RandomInitializer._init_seed": ("whether a seed was given", (CACHE,))},
    "layers.layer": {
        "Layer._build_shapes_dict": ("a note of the build, which saving reads", (CACHE,)),
        "Layer._call_signature": ("made from the method `call`, which counts itself", (CACHE,)),
        "Layer._called": ("set by every call, which exporting reads", (CACHE,)),
        "Layer._layers": (STATE, (CACHE, "frameworks")),
        "Layer._loss_ids": (NUMBERS, (CACHE,)),
        "Layer._non_trainable_variables": (WEIGHTS, ("frameworks",)),
        "Layer._tracker": (UNDONE, (CACHE,)),
        "Layer._trainable_variables": (WEIGHTS, ("frameworks",)),
    },
    "metrics.metric": {"Metric._tracker": (UNDONE, (CACHE,))},
    "ops.function": {"Function._nodes": (NUMBERS, (CACHE,))},
    "optimizers.base_optimizer": {
        "BaseOptimizer._exclude_from_weight_decay_cache": (NUMBERS, (CACHE,)),
        "BaseOptimizer._tracker": (UNDONE, (CACHE,)),
        "BaseOptimizer._trainable_variables_indices": (NUMBERS, (CACHE,)),
    },
    "random.seed_generator": {"SeedGenerator._initial_seed": ("whether a seed was given", (CACHE,))},
    "trainers.compile_utils": {"CompileLoss._user_loss": (STATE, (CACHE,)), "CompileMetrics._user_metrics": (STATE, (CACHE,))},
    "trainers.trainer": {"Trainer._compile_metrics": ("how a model is compiled", ("frameworks",)),
                         "Trainer._jit_compile": ("how a model is compiled", ("frameworks",)),
                         "Trainer._run_eagerly": ("how a model is compiled", ("frameworks",))},
}

POINTS = tuple(Point("keras.src." + module, attribute, why, package="keras", since=(3, 0), how=READ, by=by, untried=untried)
               for table, untried in ((READS, None), (NAMED, BY_NAME_ALONE))
               for module, read in table.items() for attribute, (why, by) in read.items())
