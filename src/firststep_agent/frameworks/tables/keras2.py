"""Keras 2, as `keras` up to 2.15 and as tf_keras: where steps and remedies stand."""

from firststep_agent.frameworks.points import REPLACED, Point, SpanRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CACHE, PREBUILD = "cache-functions", "prebuild-variables"
LOOPS = {"fit": "loops", "evaluate": "loops", "predict": "loops", "train_on_batch": "single", "test_on_batch": "single",
         "predict_on_batch": "single"}
NEW, OLD, SCALED = "optimizers.optimizer", "optimizers.legacy.optimizer_v2", "mixed_precision.loss_scale_optimizer"
CONTAINERS = "engine.compile_utils"


def untried(package: str) -> "str | None":
    """Why the mutation test leaves the places of this package out; None where it does not."""
    return "the code of Keras 2, which `keras` 2.15 has as well" if package == "tf_keras" else None


def points(root: str, package: str, before: "tuple[int, int] | None") -> "Iterator[Point]":
    """Those of the Keras 2 that is `package`, whose modules begin with `root`."""
    left_out = untried(package)

    def span(module, attribute, kind, step=None, by=(), **span):
        return Point(root + module, attribute, package=package, before=before, untried=left_out, step=step, by=by,
                     span=SpanRule(kind, **span))

    def point(module, attribute, why=None, **rest):
        return Point(root + module, attribute, why, package=package, before=before, untried=left_out, **rest)

    yield span("engine.training", "Model.compile", "model-compile", name="layers.own_name", labels="layers.compiled", late=True,
               step="compiles")
    yield point("engine.training", "Model.__call__", step="called-model", inherited=True)
    yield point(CONTAINERS, "LossesContainer.build", "a model's losses are built", by=(CACHE,))
    yield point(CONTAINERS, "MetricsContainer.build", "a model's metrics are built", by=(CACHE, PREBUILD))
    yield point("metrics.base_metric", "Metric.add_weight", "a metric makes a variable", by=(PREBUILD,))
    for name, role in LOOPS.items():
        yield span("engine.training", f"Model.{name}", name, name="layers.own_name", labels="layers.batches", step=role)
    for name in ("train", "test", "predict"):
        yield point("callbacks", f"CallbackList.on_{name}_batch_end", step="batch-ends")
    yield point("callbacks", "History.on_epoch_end", "the figures of each epoch are a result", by=("results",))
    yield span(NEW, "_BaseOptimizer.apply_gradients", "first-execution", name="layers.own_name", when="graphs.outside_functions",
               outermost=True, step="applies", by=(CACHE, PREBUILD))
    yield point(NEW, "Optimizer.apply_gradients", step="applies")
    for name in ("_BaseOptimizer", "Optimizer"):
        yield point(NEW, f"{name}.__init__", step="constructs")
    for name in ("add_variable", "add_variable_from_reference"):
        yield point(NEW, f"_BaseOptimizer.{name}", "an optimizer makes a variable", by=(PREBUILD,))
    yield span(OLD, "OptimizerV2._create_all_weights", "optimizer-build", name="layers.own_name", by=(CACHE, PREBUILD))
    yield span(OLD, "OptimizerV2.apply_gradients", "first-execution", name="layers.own_name", when="graphs.outside_functions",
               outermost=True, step="applies", by=(CACHE,))
    yield point(OLD, "OptimizerV2.__init__", step="constructs")
    for name in ("add_slot", "add_weight"):
        yield point(OLD, f"OptimizerV2.{name}", "an optimizer makes a variable", by=(PREBUILD,))
    yield point(SCALED, "LossScaleOptimizer.apply_gradients", step="applies")
    yield point(SCALED, "LossScaleOptimizerV3.apply_gradients", "it builds the optimizer within", step="applies", by=(CACHE,))
    yield span("saving.saving_api", "load_model", "model-load", name="files.first_argument", labels="files.model", step="loads")
    if package == "keras":
        yield point("utils.traceback_utils", "_EXCLUDED_PATHS", "tracebacks that Keras cuts down leave out the agent's lines",
                    by=(CACHE,), how=REPLACED, stays="until exit; no call passes it")


POINTS = tuple(points("keras.src.", "keras", (3, 0)))
