"""Hook points of Keras 2: inside TensorFlow up to 2.15 (keras.engine, later keras.src.engine), and as tf_keras."""

from firststep_agent.observe.labels import files, graphs, layers, values
from firststep_agent.observe.points import Point

ROOTS = (  # where its modules are, package, since, before
    ("keras.", "keras", (2, 12), (2, 13)),
    ("keras.src.", "keras", (2, 13), (3, 0)),
    ("tf_keras.src.", "tf_keras", (2, 14), None),
)
OPTIMIZERS = {
    "optimizer": "_BaseOptimizer", "adadelta": "Adadelta", "adafactor": "Adafactor", "adagrad": "Adagrad",
    "adam": "Adam", "adamax": "Adamax", "adamw": "AdamW", "ftrl": "Ftrl", "nadam": "Nadam", "rmsprop": "RMSprop",
    "sgd": "SGD",
}
INITIALISERS = ("Zeros", "Ones", "Constant", "RandomUniform", "RandomNormal", "TruncatedNormal", "VarianceScaling",
                "Orthogonal", "Identity")


def _points(root, package, since, before):
    def point(module, qualname, kind, **rest):
        return Point(root + module, qualname, kind, package=package, since=since, before=before, **rest)

    yield point("engine.functional", "Functional.__init__", "model-build", name=layers.model_name, labels=layers.model, late=True)
    yield point("engine.sequential", "Sequential.build", "model-build", name=layers.own_name, outermost=True)
    yield point("engine.base_layer", "Layer.__call__", "model-build", name=layers.own_name,
                when=layers.kind_of_call, outermost=True)
    yield point("engine.base_layer", "Layer._maybe_build", "model-build", name=layers.own_name,
                when=layers.not_built)
    yield point("engine.training", "Model.compile", "model-compile", name=layers.own_name, labels=layers.compiled, late=True)
    yield point("engine.base_layer", "Layer.set_weights", "weights-set", name=layers.own_name, labels=layers.weights,
                outermost=True)
    for name in ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch"):
        yield point("engine.training", f"Model.{name}", name, name=layers.own_name, labels=layers.batches)
    yield point("engine.data_adapter", "DataHandler.__init__", "data-pipeline")
    for name in INITIALISERS:
        yield point("initializers.initializers", f"{name}.__call__", "initialiser",
                    name=values.initialiser_name, labels=values.initialiser)
    for module, name in OPTIMIZERS.items():
        yield point(f"optimizers.{module}", f"{name}.build", "optimizer-build",
                    name=layers.own_name, labels=layers.optimizer, outermost=True)
    yield point("optimizers.optimizer", "_BaseOptimizer.apply_gradients", "first-execution",
                name=layers.own_name, when=graphs.outside_functions, outermost=True)
    yield point("optimizers.legacy.optimizer_v2", "OptimizerV2._create_all_weights", "optimizer-build",
                name=layers.own_name)
    yield point("optimizers.legacy.optimizer_v2", "OptimizerV2.apply_gradients", "first-execution",
                name=layers.own_name, when=graphs.outside_functions, outermost=True)
    yield point("saving.saving_api", "load_model", "model-load", name=files.first_argument, labels=files.model)
    yield point("saving.saving_lib", "load_weights_only", "weights-load", name=files.second_argument)
    yield point("saving.saving_lib", "_load_state", "weights-load", outermost=True)
    yield point("saving.legacy.hdf5_format", "load_model_from_hdf5", "model-load", name=files.first_argument)
    yield point("saving.legacy.hdf5_format", "load_weights_from_hdf5_group", "weights-load")
    yield point("saving.legacy.hdf5_format", "load_weights_from_hdf5_group_by_name", "weights-load")
    yield point("saving.legacy.model_config", "model_from_config", "model-build")
    yield point("saving.legacy.saved_model.load", "load", "model-load", name=files.first_argument,
                labels=files.saved_model)
    yield point("engine.training", "Model.load_weights", "weights-load", name=files.second_argument,
                labels=files.weights)


POINTS = tuple(one for root in ROOTS for one in _points(*root))
