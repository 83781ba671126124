"""Keras 2 (`tf.keras` up to TensorFlow 2.15, and `tf_keras`): where optimizers and compiled metrics make their
variables.

Keras 2 makes them in an init_scope already, with their values computed eagerly and once; but TensorFlow notes them
as made by the trace, and traces the whole step a second time.
"""

from firststep_agent.frameworks.listening import CALL

_BUILT = {"_BaseOptimizer.apply_gradients": "_built", "MetricsContainer.build": "_built"}  # the attribute that says it has happened
_BUILDS = (*_BUILT, "OptimizerV2._create_all_weights")  # in which a build may happen; the others make one variable


def listener(lifting, point):
    """What listens at `point`; None where it is none of Keras 2's."""
    if point.since is not None:
        return None
    return _build(lifting, _BUILT.get(point.attribute)) if point.attribute in _BUILDS else _make(lifting)


def _build(lifting, built):
    def building(owner, *arguments, **keywords):
        if built is None or not getattr(owner, built, False):
            with lifting.build():
                yield CALL

    return building


def _make(lifting):
    def make(owner, *arguments, **keywords):
        if lifting.possible():
            with lifting.outside():
                yield CALL

    return make
