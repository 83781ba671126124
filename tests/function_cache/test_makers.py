"""What runs only where an object is made says nothing of a build, unless the build may make one."""

import textwrap

import pytest
from programs import has_keras_2
from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow, pytest.mark.skipif(has_keras_2(), reason="Keras 2 builds layers outside of the trace, plainly")]

DRAWS_WHEN_MADE = """
import dataclasses, time, uuid
import keras
import numpy as np
import tensorflow as tf

@dataclasses.dataclass
class Drawn:
    size: tuple = (1, 3)

    def __post_init__(self):
        self.values = np.random.normal(size=self.size).astype("float32")

class Table:
    def __init__(self, size):
        self.run, self.values = uuid.uuid4().hex, np.random.normal(size=size).astype("float32")

    @classmethod
    def of(cls, size):
        return cls(size)

class Positions(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.table, self.drawn, self.noted = Table((1, 3)), Drawn(), {"started": time.time(), "by": [uuid.uuid4().hex]}

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1],), initializer="ones")
        BUILD

    def call(self, x):
        return x * self.w + self.table.values

class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.run, self.positions, self.out = uuid.uuid4().hex, Positions(), keras.layers.Dense(1)

    def call(self, x):
        return self.out(self.positions(x))

TABLES = {"plain": Table}
keras.utils.set_random_seed(1)
model = Net()
model.compile("sgd", "mse")
print(model.fit(np.ones((8, 3)), np.ones((8, 1)), verbose=0).history)
print(np.random.normal(), model.predict(np.ones((2, 3)), verbose=0).tolist())
"""


def test_a_layer_that_has_drawn_when_it_was_made_is_built_as_any_other(lab):  # noqa: F811
    check_replayed(lab(DRAWS_WHEN_MADE.replace("BUILD", "pass")), ["multi_step_on_iterator", "one_step_on_data_distributed"])


WAYS = ("Table((1, 3))", "TABLES['plain']((1, 3))", "type(self.table)((1, 3))", "self.table.__class__((1, 3))", "self.table.of((1, 3))",
        "self.table.__init__((1, 3)) or self.table", "[Table][0]((1, 3))", "globals()['Table']((1, 3))",
        "dataclasses.replace(self.drawn)")


@pytest.mark.suite
@pytest.mark.parametrize("way", WAYS)
def test_one_that_makes_what_draws_is_left_to_the_trace(lab, way):  # noqa: F811
    laboratory = lab(textwrap.dedent(DRAWS_WHEN_MADE).replace("BUILD", f"self.table = {way}"))
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(3)]
    assert [start.out for start in starts] == [plain.out] * 3
    assert "multi_step_on_iterator" not in starts[-1].functions("live"), starts[-1].notes
    assert "may draw from a random stream" in " ".join(map(str, starts[0].reasons("refused"))), starts[0].notes
