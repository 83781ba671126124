"""Keras 3, on the TensorFlow backend where a backend matters: where steps and remedies stand."""

from firststep_agent.frameworks.points import REPLACED, Point, SpanRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

K = "keras.src."
CACHE, PREBUILD = "cache-functions", "prebuild-variables"
LOOPS = {"fit": "loops", "evaluate": "loops", "predict": "loops", "train_on_batch": "single", "test_on_batch": "single",
         "predict_on_batch": "single"}
OTHER_TRAINERS = {"backend.jax.trainer": "JAXTrainer", "backend.torch.trainer": "TorchTrainer"}


def _span(module: str, attribute: str, kind: str, *, step: "str | None" = None, by: "tuple[str, ...]" = (), **span: "Any") -> "Point":
    return Point(K + module, attribute, package="keras", since=(3, 0), step=step, by=by, span=SpanRule(kind, **span))


def _point(module: str, attribute: str, why: "str | None" = None, **rest: "Any") -> "Point":
    return Point(K + module, attribute, why, package="keras", since=(3, 0), **rest)


POINTS = (
    _span("layers.layer", "Layer._maybe_build", "model-build", name="layers.own_name", when="layers.not_built", by=(CACHE, PREBUILD)),
    _span("trainers.trainer", "Trainer.compile", "model-compile", name="layers.own_name", labels="layers.compiled", late=True,
          step="compiles"),
    _point("models.model", "Model.__call__", step="called-model", inherited=True),
    _point("metrics.metric", "Metric.add_variable", "a metric makes a variable", by=(PREBUILD,)),
    _point("trainers.compile_utils", "CompileMetrics.build", "a model's metrics are built", by=(CACHE, PREBUILD)),
    _point("trainers.compile_utils", "CompileLoss.build", "a model's loss is built", by=(CACHE, PREBUILD)),
    *(_span("backend.tensorflow.trainer", f"TensorFlowTrainer.{name}", name, name="layers.own_name", labels="layers.batches", step=role)
      for name, role in LOOPS.items()),
    *(_point(module, f"{owner}.{name}", step=role, inherited=True, untried="for a backend that is not installed beside TensorFlow's")
      for module, owner in OTHER_TRAINERS.items() for name, role in LOOPS.items()),
    *(_point("callbacks.callback_list", f"CallbackList.on_{name}_batch_end", step="batch-ends") for name in ("train", "test", "predict")),
    _point("backend.tensorflow.optimizer", "TFOptimizer._apply_weight_decay", "an optimizer notes which weights decay", by=(CACHE,)),
    _point("callbacks.history", "History.on_epoch_end", "the figures of each epoch are a result", by=("results",)),
    _point("random.seed_generator", "global_seed_generator", "Keras's own stream of seeds is made", by=(CACHE,)),
    _span("optimizers.base_optimizer", "BaseOptimizer.apply", "first-execution", name="layers.own_name",
          when="graphs.outside_functions", outermost=True, step="applies", by=(CACHE, PREBUILD)),
    _point("optimizers.base_optimizer", "BaseOptimizer.apply_gradients", step="applies"),
    _point("optimizers.base_optimizer", "BaseOptimizer.__init__", step="constructs"),
    _point("optimizers.base_optimizer", "BaseOptimizer.add_variable", "an optimizer makes a variable", by=(PREBUILD,)),
    _point("optimizers.loss_scale_optimizer", "LossScaleOptimizer.apply", step="applies", by=(CACHE, PREBUILD)),
    _span("saving.saving_api", "load_model", "model-load", name="files.first_argument", labels="files.model", step="loads"),
    _point("utils.traceback_utils", "_EXCLUDED_PATHS", "tracebacks that Keras cuts down leave out the agent's lines", by=(CACHE,),
           how=REPLACED, stays="until exit; no call passes it"),
)
