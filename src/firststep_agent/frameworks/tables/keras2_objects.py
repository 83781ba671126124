"""Keras 2, as `keras` up to 2.15 and as tf_keras: private attributes of its objects."""

from firststep_agent.frameworks.points import BY_NAME_ALONE, READ, Point
from firststep_agent.frameworks.tables.keras2 import untried

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CACHE, PREBUILD = "cache-functions", "prebuild-variables"
SETTING = "a setting that counts: without it there is no key"
BUILT, UNDONE = "whether a build has happened", "a build that does not hold is undone"
CUSTOM = "what the program has registered by name"
NUMBERS, RUNS = "numbers of the process, or what is kept by them", "says what runs now"
WEIGHTS = "how large a model's weights are"

READS: "dict[str, dict[str, tuple[str, tuple[str, ...]]]]" = {  # module -> {attribute: (why, who reads it)}
    "backend_config": dict.fromkeys(("_EPSILON", "_FLOATX", "_IMAGE_DATA_FORMAT"), (SETTING, (CACHE,))),
    "engine.base_layer": {"Layer._flatten_layers": (UNDONE, (CACHE,))},
    "engine.compile_utils": {
        "LossesContainer._built": (BUILT, (CACHE, PREBUILD)),
        "LossesContainer._losses": (UNDONE, (CACHE,)),
        "MetricsContainer._built": (BUILT, (CACHE, PREBUILD)),
        "MetricsContainer._metrics": (UNDONE, (CACHE,)),
        "MetricsContainer._weighted_metrics": (UNDONE, (CACHE,)),
    },
    "mixed_precision.policy": {"_global_policy": (SETTING, (CACHE,))},
    "optimizers.legacy.optimizer_v2": {"OptimizerV2._hypers_created": (BUILT, (CACHE,)), "OptimizerV2._weights": (BUILT, (CACHE,))},
    "optimizers.optimizer": {"_BaseOptimizer._built": (BUILT, (CACHE, PREBUILD))},
    "saving.object_registration": dict.fromkeys(("_GLOBAL_CUSTOM_OBJECTS", "_THREAD_LOCAL_CUSTOM_OBJECTS"), (CUSTOM, (CACHE,))),
}
# of these the names alone are known: module -> {attribute: (why, who knows it)}
NAMED: "dict[str, dict[str, tuple[str, tuple[str, ...]]]]" = {
    "backend": {"ContextValueCache": ("what is kept by graphs, and goes with them", (CACHE,))},
    "engine.base_layer": {
        "Layer._metrics_lock": (RUNS, (CACHE,)),
        "Layer._name": ("how a layer is called", ("frameworks",)),
        "Layer._non_trainable_weights": (WEIGHTS, ("frameworks",)),
        "Layer._obj_reference_counts_dict": ("how often attributes hold what, which counts itself", (CACHE,)),
        "Layer._self_tracked_trackables": (WEIGHTS, ("frameworks",)),
        "Layer._thread_local": (RUNS, (CACHE,)),
        "Layer._trainable_weights": (WEIGHTS, ("frameworks",)),
    },
    "engine.compile_utils": dict.fromkeys(("MetricsContainer._user_metrics", "MetricsContainer._user_weighted_metrics"),
                                          ("how a model is compiled", ("frameworks",))),
    "engine.functional": {"Functional._tensor_usage_count": (NUMBERS, (CACHE,))},
    "engine.node": {"Node._keras_inputs_ids_and_indices": (NUMBERS, (CACHE,))},
    "engine.training": {
        "Model._jit_compile": ("how a model is compiled", ("frameworks",)),
        "Model._run_eagerly": ("how a model is compiled", ("frameworks",)),
        "Model._steps_per_execution": ("how many steps a call has", ("frameworks",)),
    },
    "optimizers.optimizer": {"_BaseOptimizer._index_dict": ("which slot of an optimizer is which variable's", (CACHE,))},
}


def points(root: str, package: str, before: "tuple[int, int] | None") -> "Iterator[Point]":
    """Those of the Keras 2 that is `package`, whose modules begin with `root`."""
    for table, left_out in ((READS, untried(package)), (NAMED, BY_NAME_ALONE)):
        for module, read in table.items():
            for attribute, (why, by) in read.items():
                yield Point(root + module, attribute, why, package=package, before=before, how=READ, by=by, untried=left_out)


POINTS = tuple(points("keras.src.", "keras", (3, 0)))
