"""Variables of optimizers and metrics made outside the trace that asks for them.

A variable that is made inside the first trace of a tf.function makes TensorFlow lift its initialiser through a trace
of its own and then trace the whole function a second time; the graph that runs is the second one. Here the same code
makes the same variable at the same moment, but outside the graph that is being traced: the first trace comes out as
the second would have.
"""

ID = "prebuild-variables"
_FUNCTIONS = "tensorflow.python.eager.polymorphic_function.polymorphic_function"


def start(run, settings):
    run.after_import(_FUNCTIONS, lambda module: _begin(run, module))


def _begin(run, functions):
    """TensorFlow is being imported, and Keras comes after it."""
    from firststep_agent.boost.cache_functions import initialise
    from firststep_agent.boost.prebuild_variables import keras2, keras3
    from firststep_agent.boost.prebuild_variables.lifting import Lifting

    lifting = Lifting(run)
    initialise.watch(functions.Function)
    keras3.install(run, lifting)
    keras2.install(run, lifting)
    run.on_ready(lifting.report)
    run.on_exit(lifting.report)
