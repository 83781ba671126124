"""Optimizers of the program's own, which the step builds: inside its graph, as plainly, and without a trace of that in the graph that counts."""

import pytest
from programs import has_keras_2
from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow, pytest.mark.skipif(has_keras_2(), reason="optimizers of Keras 2 are written otherwise")]

FIT = """
import numpy as np, keras
keras.utils.set_random_seed(1)
{optimizer}
x, y = np.ones((32, 4), "float32"), np.ones((32, 1), "float32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(1)])
model.compile(Own(learning_rate=.01), "mse")
print(model.fit(x, y, batch_size=16, epochs=2, verbose=0).history, [w.tolist() for w in model.get_weights()],
      [v.path for v in model.optimizer.variables], keras.layers.Dense(1).name)
"""
OPTIMIZERS = {
    "nothing of its own": "class Own(keras.optimizers.Adam): pass",
    "a step of its own": """
class Own(keras.optimizers.Adam):
    def update_step(self, gradient, variable, learning_rate):
        super().update_step(gradient * .5, variable, learning_rate)
""",
    "a build of its own": """
class Own(keras.optimizers.Optimizer):
    def build(self, variables):
        if self.built: return
        super().build(variables)
        self.speeds = [self.add_variable_from_reference(one, name="speed") for one in variables]
    def update_step(self, gradient, variable, learning_rate):
        speed = self.speeds[self._get_variable_index(variable)]
        speed.assign(speed * .9 + gradient)
        variable.assign(variable - speed * learning_rate)
""",
    "a build of its own, and a counter": """
class Own(keras.optimizers.Optimizer):
    def __init__(self, **rest): super().__init__(**rest); self.steps = 0
    def build(self, variables):
        if self.built: return
        super().build(variables)
        self.speeds = [self.add_variable_from_reference(one, name="speed") for one in variables]
    def update_step(self, gradient, variable, learning_rate):
        self.steps += 1; print("steps", self.steps)
        self.speeds[self._get_variable_index(variable)].assign_add(gradient)
        variable.assign(variable - gradient * learning_rate)
""",
}


@pytest.mark.parametrize("optimizer", [
    pytest.param(name, marks=() if name == "a step of its own" else pytest.mark.suite) for name in OPTIMIZERS])
def test_a_step_that_builds_one_is_answered(lab, optimizer):  # noqa: F811
    check_replayed(lab(FIT.format(optimizer=OPTIMIZERS[optimizer])), ["multi_step_on_iterator"])
