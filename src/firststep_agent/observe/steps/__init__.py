"""Sees the ends of training steps and predictions, and so finds out when the program is ready.

Hooks are few and cost about a microsecond per step: a plan that only asks for ready has no others. What counts as a
step, in words: docs/ready.md.
"""


def start(run, settings):
    state: list = []  # made when the first framework comes: most of a start has none yet

    def installer(module_name):
        def install(module):
            if not state:
                from firststep_agent.observe.steps.state import Steps

                state.append(Steps(run))
            __import__(f"{__name__}.{module_name}", fromlist=["install"]).install(state[0], module)
        return install

    for module_name, hooks in _HOOKS.items():
        for module in hooks:
            run.after_import(module, installer(module_name))


_KERAS_TRAINERS = (
    "keras.src.backend.tensorflow.trainer",
    "keras.src.backend.jax.trainer",
    "keras.src.backend.torch.trainer",
    "keras.src.engine.training",
    "keras.engine.training",
    "tf_keras.src.engine.training",
)
_KERAS_OPTIMIZERS = (
    "keras.src.optimizers.base_optimizer",
    "keras.src.optimizers.loss_scale_optimizer",
    "keras.src.optimizers.optimizer",
    "keras.src.optimizers.legacy.optimizer_v2",
    "keras.optimizers.optimizer",
    "keras.optimizers.legacy.optimizer_v2",
    "keras.src.mixed_precision.loss_scale_optimizer",
    "keras.mixed_precision.loss_scale_optimizer",
    "tf_keras.src.optimizers.optimizer",
    "tf_keras.src.optimizers.legacy.optimizer_v2",
    "tf_keras.src.mixed_precision.loss_scale_optimizer",
)
_HOOKS = {  # our module -> modules of the program after whose import it is installed
    "keras_loops": (
        *_KERAS_TRAINERS,
        "keras.src.callbacks.callback_list",
        "keras.src.callbacks",
        "keras.callbacks",
        "tf_keras.src.callbacks",
    ),
    "keras_models": (
        "keras.src.models.model",
        "keras.src.trainers.trainer",
        "keras.src.engine.training",
        "keras.engine.training",
        "tf_keras.src.engine.training",
        "keras.src.saving.saving_api",
        "keras.saving.saving_api",
        "tf_keras.src.saving.saving_api",
    ),
    "optimizers": (*_KERAS_OPTIMIZERS, "tensorflow.python.training.optimizer"),
    "functions": (
        "tensorflow.python.eager.polymorphic_function.polymorphic_function",
        "tensorflow.python.eager.polymorphic_function.concrete_function",
        "tensorflow.python.eager.polymorphic_function.monomorphic_function",
    ),
    "tapes": (
        "tensorflow.python.eager.backprop",
        "tensorflow.python.ops.resource_variable_ops",
    ),
    "sessions": ("tensorflow.python.client.session",),
    "interpreters": (
        "tensorflow.lite.python.interpreter",
        "tflite_runtime.interpreter",
        "ai_edge_litert.interpreter",
    ),
}
