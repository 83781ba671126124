"""What a build in a trace prints, warns of and logs: said as plainly, in each start, once."""

import pytest
from programs import has_keras_2
from replay_harness import lab  # noqa: F811

pytestmark = [pytest.mark.tensorflow, pytest.mark.skipif(has_keras_2(), reason="Keras 2 builds layers outside of the trace, plainly")]

PROGRAM = """
import logging, os, sys, warnings
import tensorflow as tf

sys.stderr = sys.stdout  # one order
logging.basicConfig(format="%(levelname)s %(message)s", stream=sys.stdout)
log = logging.getLogger("of.the.program")


class Says(tf.keras.layers.Layer):
    '''The model of the tutorials: never built before `fit`.'''

    def build(self, shape):
        print("building", self.name, shape)
        warnings.warn("a layer is built")
        warnings.warn(f"{self.name} is built", DeprecationWarning)
        log.warning("%s has a shape of %d", self.name, shape[-1])
        self.w = self.add_weight(shape=(shape[-1],), initializer="ones")

    def call(self, x):
        warnings.warn("a layer is called")
        for _ in range(3):
            x = tf.tanh(x * self.w) + tf.math.log(2.0)
        return x


class Draws(Says):
    def build(self, shape):
        print("drawing")
        warnings.warn("a draw")
        self.w = tf.Variable(tf.random.normal((shape[-1],)))


class Fails(Says):
    def build(self, shape):
        print("failing")
        warnings.warn("a failure")
        raise ValueError("not built")


def step_of(*layers, before=()):
    @tf.function
    def step(x):
        for layer in layers:
            if before:
                print(*before)
            x = layer(x)
        return tf.reduce_mean(x)

    return step


def run(what, step):
    try:
        print(what, *[float(step(tf.ones((2, 4)))).hex() for _ in range(2)])
    except Exception as error:
        print(what, type(error).__name__, "not built" in str(error))
"""

ANSWERED = PROGRAM + """
run("one", step_of(Says()))
run("two", step_of(Says(), Says(name="second")))
warnings.simplefilter("always")
run("always", step_of(Says(name="third")))
"""

OTHERS = PROGRAM + """
tf.random.set_seed(1)
run("draws", step_of(Draws()))
run("fails", step_of(Fails()))
run("mixed", step_of(Says(), Says(), before=("in between",)))
"""

ELSEWHERE = PROGRAM + """
class Once(Says):
    told = []

    def build(self, shape):
        super().build(shape)
        self.mark = len(open(__file__ + ".count").read())
        print("mark", self.mark > 0)


run("once", step_of(Once()))
"""


@pytest.mark.suite
def test_words_of_builds_come_in_their_order_and_once(lab):  # noqa: F811
    laboratory = lab(ANSWERED)
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(3)]
    assert [start.out for start in starts] == [plain.out] * 3
    assert plain.out.count("building") == 4
    assert starts[-1].functions("live") == ["step"] * 3, starts[-1].notes
    assert starts[-1].functions("proved") == ["step"] * 3, starts[-1].notes


@pytest.mark.suite
def test_words_of_builds_that_are_undone_fail_or_come_later_are_the_traces(lab):  # noqa: F811
    laboratory = lab(OTHERS)
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(2)]
    assert [start.out for start in starts] == [plain.out] * 2
    refused = starts[0].reasons("refused")
    assert any("says something after the trace has said something" in reason for reason in refused), starts[0].notes


@pytest.mark.suite
def test_a_build_that_says_something_else_is_undone_and_said_once(lab):  # noqa: F811
    laboratory = lab(ELSEWHERE)
    count = laboratory.program.with_name("program.py.count")
    count.write_text("x")
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(3)]
    assert [start.out for start in starts] == [plain.out] * 3
    count.write_text("")
    changed = laboratory.plain()
    assert changed.out != plain.out
    assert laboratory.boost().out == changed.out
