"""Hook points of Keras 3, on the TensorFlow backend where a backend matters."""

from firststep_agent.observe.labels import files, graphs, layers, values
from firststep_agent.observe.points import Point

K = "keras.src."
TRAINER = K + "backend.tensorflow.trainer"
OPTIMIZERS = {
    "base_optimizer": "BaseOptimizer", "adadelta": "Adadelta", "adafactor": "Adafactor", "adagrad": "Adagrad",
    "adam": "Adam", "adamax": "Adamax", "ftrl": "Ftrl", "lion": "Lion", "loss_scale_optimizer": "LossScaleOptimizer",
    "nadam": "Nadam", "rmsprop": "RMSprop", "sgd": "SGD",
}


def _point(module, qualname, kind, since=(3, 0), **rest):
    return Point(K + module, qualname, kind, package="keras", since=since, **rest)


POINTS = (
    _point("models.functional", "Functional.__init__", "model-build", name=layers.model_name, labels=layers.model,
           late=True),
    _point("models.sequential", "Sequential.build", "model-build", name=layers.own_name, outermost=True),
    _point("layers.layer", "Layer.__call__", "model-build", name=layers.own_name, when=layers.kind_of_call,
           outermost=True),
    _point("layers.layer", "Layer._maybe_build", "model-build", name=layers.own_name, when=layers.not_built),
    _point("trainers.trainer", "Trainer._symbolic_build", "model-build", name=layers.own_name),
    _point("trainers.trainer", "Trainer.compile", "model-compile", name=layers.own_name, labels=layers.compiled, late=True),
    _point("layers.layer", "Layer.set_weights", "weights-set", name=layers.own_name, labels=layers.weights, outermost=True),
    *(_point("backend.tensorflow.trainer", f"TensorFlowTrainer.{name}", name, name=layers.own_name,
             labels=layers.batches)
      for name in ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch")),
    _point("backend.tensorflow.trainer", "TFEpochIterator.__init__", "data-pipeline"),
    _point("backend.tensorflow.core", "Variable._initialize_with_initializer", "variable", since=(3, 6),
           name=values.keras_name, labels=values.keras_variable),
    _point("backend.tensorflow.core", "Variable._deferred_initialize", "variable",
           name=values.keras_name, labels=values.keras_variable),
    *(_point("initializers.random_initializers", f"{name}.__call__", "initialiser", since=since, before=before,
             name=values.initialiser_name, labels=values.initialiser)
      for name, since, before in (
          ("RandomNormal", (3, 0), None), ("TruncatedNormal", (3, 0), None), ("RandomUniform", (3, 0), None),
          ("VarianceScaling", (3, 0), None), ("OrthogonalInitializer", (3, 0), (3, 7)), ("Orthogonal", (3, 7), None))),
    *(_point("initializers.constant_initializers", f"{name}.__call__", "initialiser",
             name=values.initialiser_name, labels=values.initialiser)
      for name in ("Constant", "Zeros", "Ones")),
    *(_point(f"optimizers.{module}", f"{name}.build", "optimizer-build",
             name=layers.own_name, labels=layers.optimizer, outermost=True)
      for module, name in OPTIMIZERS.items()),
    _point("optimizers.base_optimizer", "BaseOptimizer.apply", "first-execution",
           name=layers.own_name, when=graphs.outside_functions, outermost=True),
    _point("saving.saving_api", "load_model", "model-load", name=files.first_argument, labels=files.model),
    _point("saving.saving_lib", "_load_model_from_fileobj", "model-load", since=(3, 2)),
    _point("saving.saving_lib", "_model_from_config", "model-build", since=(3, 4)),
    _point("legacy.saving.legacy_h5_format", "load_model_from_hdf5", "model-load", name=files.first_argument),
    _point("legacy.saving.saving_utils", "model_from_config", "model-build"),
    _point("saving.saving_api", "load_weights", "weights-load", name=files.second_argument, labels=files.weights),
    _point("saving.saving_lib", "_load_state", "weights-load", outermost=True),
    _point("saving.saving_lib", "load_weights_only", "weights-load", name=files.second_argument),
    _point("legacy.saving.legacy_h5_format", "load_weights_from_hdf5_group", "weights-load"),
    _point("legacy.saving.legacy_h5_format", "load_weights_from_hdf5_group_by_name", "weights-load"),
)
