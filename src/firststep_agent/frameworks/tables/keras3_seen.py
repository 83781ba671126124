"""Keras 3: what else a start waits for."""

from firststep_agent.frameworks.points import Point, SpanRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

K = "keras.src."
OPTIMIZERS = {
    "base_optimizer": "BaseOptimizer", "adadelta": "Adadelta", "adafactor": "Adafactor", "adagrad": "Adagrad",
    "adam": "Adam", "adamax": "Adamax", "ftrl": "Ftrl", "lion": "Lion", "loss_scale_optimizer": "LossScaleOptimizer",
    "nadam": "Nadam", "rmsprop": "RMSprop", "sgd": "SGD",
}


def _span(module: str, attribute: str, kind: str, *, since: "tuple[int, int] | None" = (3, 0),
          before: "tuple[int, int] | None" = None, **span: "Any") -> "Point":
    return Point(K + module, attribute, package="keras", since=since, before=before, span=SpanRule(kind, **span))


POINTS = (
    _span("models.functional", "Functional.__init__", "model-build", name="layers.model_name", labels="layers.model", late=True),
    _span("models.sequential", "Sequential.build", "model-build", name="layers.own_name", outermost=True),
    _span("layers.layer", "Layer.__call__", "model-build", name="layers.own_name", when="layers.kind_of_call", outermost=True),
    _span("trainers.trainer", "Trainer._symbolic_build", "model-build", name="layers.own_name"),
    _span("layers.layer", "Layer.set_weights", "weights-set", name="layers.own_name", labels="layers.weights", outermost=True),
    _span("backend.tensorflow.trainer", "TFEpochIterator.__init__", "data-pipeline"),
    _span("backend.tensorflow.core", "Variable._initialize_with_initializer", "variable", since=(3, 6), name="values.keras_name",
          labels="values.keras_variable"),
    _span("backend.tensorflow.core", "Variable._deferred_initialize", "variable", name="values.keras_name",
          labels="values.keras_variable"),
    *(_span("initializers.random_initializers", f"{name}.__call__", "initialiser", since=since, before=before,
            name="values.initialiser_name", labels="values.initialiser")
      for name, since, before in (
          ("RandomNormal", (3, 0), None), ("TruncatedNormal", (3, 0), None), ("RandomUniform", (3, 0), None),
          ("VarianceScaling", (3, 0), None), ("OrthogonalInitializer", (3, 0), (3, 7)), ("Orthogonal", (3, 7), None))),
    *(_span("initializers.constant_initializers", f"{name}.__call__", "initialiser", name="values.initialiser_name",
            labels="values.initialiser")
      for name in ("Constant", "Zeros", "Ones")),
    *(_span(f"optimizers.{module}", f"{name}.build", "optimizer-build", name="layers.own_name", labels="layers.optimizer", outermost=True)
      for module, name in OPTIMIZERS.items()),
    _span("saving.saving_lib", "_load_model_from_fileobj", "model-load", since=(3, 2)),
    _span("saving.saving_lib", "_model_from_config", "model-build", since=(3, 4)),
    _span("legacy.saving.legacy_h5_format", "load_model_from_hdf5", "model-load", name="files.first_argument"),
    _span("legacy.saving.saving_utils", "model_from_config", "model-build"),
    _span("saving.saving_api", "load_weights", "weights-load", name="files.second_argument", labels="files.weights"),
    _span("saving.saving_lib", "_load_state", "weights-load", outermost=True),
    _span("saving.saving_lib", "load_weights_only", "weights-load", name="files.second_argument"),
    _span("legacy.saving.legacy_h5_format", "load_weights_from_hdf5_group", "weights-load"),
    _span("legacy.saving.legacy_h5_format", "load_weights_from_hdf5_group_by_name", "weights-load"),
)
