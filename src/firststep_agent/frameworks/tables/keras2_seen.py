"""Keras 2: what else a start waits for."""

from firststep_agent.frameworks.points import Point, SpanRule
from firststep_agent.frameworks.tables.keras2 import untried

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIMIZERS = {
    "optimizer": "_BaseOptimizer", "adadelta": "Adadelta", "adafactor": "Adafactor", "adagrad": "Adagrad",
    "adam": "Adam", "adamax": "Adamax", "adamw": "AdamW", "ftrl": "Ftrl", "nadam": "Nadam", "rmsprop": "RMSprop",
    "sgd": "SGD",
}
INITIALISERS = ("Zeros", "Ones", "Constant", "RandomUniform", "RandomNormal", "TruncatedNormal", "VarianceScaling",
                "Orthogonal", "Identity")


def points(root: str, package: str, before: "tuple[int, int] | None") -> "Iterator[Point]":
    """Those of the Keras 2 that is `package`, whose modules begin with `root`."""
    def span(module, attribute, kind, **span):
        return Point(root + module, attribute, package=package, before=before, untried=untried(package), span=SpanRule(kind, **span))

    yield span("engine.functional", "Functional.__init__", "model-build", name="layers.model_name", labels="layers.model", late=True)
    yield span("engine.sequential", "Sequential.build", "model-build", name="layers.own_name", outermost=True)
    yield span("engine.base_layer", "Layer.__call__", "model-build", name="layers.own_name", when="layers.kind_of_call", outermost=True)
    yield span("engine.base_layer", "Layer._maybe_build", "model-build", name="layers.own_name", when="layers.not_built")
    yield span("engine.base_layer", "Layer.set_weights", "weights-set", name="layers.own_name", labels="layers.weights", outermost=True)
    yield span("engine.data_adapter", "DataHandler.__init__", "data-pipeline")
    for name in INITIALISERS:
        yield span("initializers.initializers", f"{name}.__call__", "initialiser", name="values.initialiser_name",
                   labels="values.initialiser")
    for module, name in OPTIMIZERS.items():
        yield span(f"optimizers.{module}", f"{name}.build", "optimizer-build", name="layers.own_name", labels="layers.optimizer",
                   outermost=True)
    yield span("saving.saving_lib", "load_weights_only", "weights-load", name="files.second_argument")
    yield span("saving.saving_lib", "_load_state", "weights-load", outermost=True)
    yield span("saving.legacy.hdf5_format", "load_model_from_hdf5", "model-load", name="files.first_argument")
    yield span("saving.legacy.hdf5_format", "load_weights_from_hdf5_group", "weights-load")
    yield span("saving.legacy.hdf5_format", "load_weights_from_hdf5_group_by_name", "weights-load")
    yield span("saving.legacy.model_config", "model_from_config", "model-build")
    yield span("saving.legacy.saved_model.load", "load", "model-load", name="files.first_argument", labels="files.saved_model")
    yield span("engine.training", "Model.load_weights", "weights-load", name="files.second_argument", labels="files.weights")


POINTS = tuple(points("keras.src.", "keras", (3, 0)))
