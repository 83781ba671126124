"""The texts of errors, whoever runs the graph: names, files and lines are those that the program's own trace would give."""

import re
import textwrap

import pytest

from replay_harness import lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

HEAD = textwrap.dedent("""
    import os, tensorflow as tf

    def told(function, *values):
        for value in values:
            try:
                print(function(tf.constant(value)).numpy().tolist())
            except tf.errors.OpError as error:
                print(type(error).__name__, error)

""")


def program(text):
    return HEAD + textwrap.dedent(text)


def check_texts(laboratory, starts=4):
    """Boosted starts say what the plain run says. The last one's Ran."""
    plain = laboratory.plain()
    assert "Graph execution error" in plain.out
    for _ in range(starts):
        ran = check_one(laboratory, plain)
    return ran


def check_one(laboratory, plain=None):
    plain = plain or laboratory.plain()
    ran = laboratory.boost()
    assert ran.out == plain.out
    assert not ran.functions("error") and not ran.functions("failed"), ran.notes
    return ran


BY_NAME = """
    w = tf.Variable([1., 2., 3.])

    def element(v):
        tf.debugging.assert_less(v, 5., message="too large an element")
        return v * 2.

    @tf.function
    def mapped(x):
        x = x + w
        return tf.data.Dataset.from_tensor_slices(x).map(element).reduce(0., lambda a, b: a + b)

    @tf.function
    def inner(x):
        return tf.gather(x, tf.cast(x[0], tf.int32))

    @tf.function(experimental_attributes={"_noinline": True})
    def apart(x):
        return inner(x) + tf.gather(x, tf.cast(x[1], tf.int32))

    @tf.function
    def calls_by_name(x):
        return apart(x * 1.) + 1.

    told(mapped, [-10., -20., -30.], [1., 2., 3.])
    told(calls_by_name, [1., 2., 0.], [9., 2., 0.], [1., 8., 0.])
"""


@pytest.mark.suite
def test_inside_functions_that_are_called_by_name(lab):  # noqa: F811
    answered = check_texts(lab(program(BY_NAME)), starts=3).functions("live")
    assert {"mapped", "calls_by_name"} <= set(answered)


@pytest.mark.suite
def test_inside_functions_that_become_part_of_the_graph(lab):  # noqa: F811
    laboratory = lab(program("""
        @tf.function
        def inner(x):
            return tf.gather(x, tf.cast(x[0], tf.int32))

        @tf.function
        def calls(x):
            return inner(x * 1.) + 1.

        @tf.function
        def loops(x):
            while tf.reduce_sum(x) < 100.:
                x = tf.gather(x, [0, 1, tf.cast(x[0] / 20., tf.int32)]) * 1.5
            return x

        told(calls, [1., 2., 0.], [9., 2., 0.])
        told(loops, [1., 2., 3.], [70., 0., 3.])
    """), False)
    assert {"calls", "loops"} <= set(check_texts(laboratory).functions("live"))


CALLED = """
    import helper
    w = tf.Variable([1., 2., 3.])

    @tf.function
    def step(x):
        for _ in range(%d):
            x = tf.sin(x) + w
        return helper.checked(x) * 2.

    def here(x):
        return step(x)

    def there(x):

        return step(x)

    if os.path.exists("more"):
        [tf.function(lambda x: x + 1.)(tf.constant(1.)) for _ in range(2)]
    told(there if os.path.exists("elsewhere") else here, [1., 2., 3.])
    told(step, [float("nan"), 2., 3.])
"""
HELPER = """
import tensorflow as tf

def checked(x):
    tf.debugging.assert_less(tf.reduce_sum(x), 1e3, message="too large")
    return x
"""


def called(lab, count):  # noqa: F811
    laboratory = lab(program(CALLED % count), False)
    (laboratory.program.parent / "helper.py").write_text(HELPER)
    return laboratory


@pytest.mark.suite
def test_an_answer_is_called_from_another_place(lab):  # noqa: F811
    """And after other functions, so that its name has another number."""
    laboratory = called(lab, 3)
    laboratory.learned()
    for change in ("elsewhere", "more"):
        (laboratory.program.parent / change).touch()
    assert "step" in check_one(laboratory).functions("live")


@pytest.mark.suite
@pytest.mark.parametrize("count", [3, 90])  # answered unseen alone; by the content as well
def test_lines_are_moved(lab, count):  # noqa: F811
    laboratory = called(lab, count)
    check_texts(laboratory, starts=3)
    above = program(CALLED % count).replace("import helper", "# more\n# lines\nimport helper")
    laboratory.program.write_text(above)
    check_texts(laboratory, starts=3)
    laboratory.program.write_text(above.replace("def here", "# and\n# here\ndef here"))
    assert check_texts(laboratory, starts=2).functions("live") == ["step"]
    (laboratory.program.parent / "helper.py").write_text("# more\n" + HELPER)
    assert check_texts(laboratory, starts=3).functions("live") == ["step"]


@pytest.mark.suite
def test_another_program_has_the_same_graph(lab):  # noqa: F811
    laboratory = called(lab, 90)
    laboratory.boost({"replay": False})
    assert laboratory.boost({"replay": False}).functions("reused") == ["step"]
    laboratory.program = laboratory.program.with_name("other.py")
    laboratory.program.write_text(program(CALLED % 90).replace("step", "other_step").replace("def here", "\n\ndef here"))
    plain = laboratory.plain()
    for _ in range(2):
        ran = laboratory.boost({"replay": False})
        assert ran.out == plain.out and ran.functions("reused") == ["other_step"], ran.notes
    check_texts(laboratory)


@pytest.mark.suite
def test_a_fit_of_keras(lab):  # noqa: F811
    laboratory = lab(program("""
        tf.keras.utils.set_random_seed(2)
        model = tf.keras.Sequential([tf.keras.layers.Embedding(3, 4), tf.keras.layers.Dense(2)])
        model.compile("sgd", "mse")
        model.build((None, 2))

        def fit(x):
            return tf.constant(model.fit(x, tf.zeros((1, 2, 2)), verbose=0).history["loss"])

        told(fit, [[1, 2]], [[7, 2]])
    """), False)
    check_texts(laboratory)


@pytest.mark.suite
@pytest.mark.parametrize("count", [3, 300])
def test_operations_run_asynchronously(lab, count):  # noqa: F811
    """What is executed there fails later, where nobody can put the error into other words."""
    laboratory = lab(program("""
        w = tf.Variable([0., 2., 3.])

        @tf.function
        def step(x):
            for _ in range(%d):
                x = tf.sin(x) + w
            return tf.gather(x, tf.cast(x[0] * 0. + w[0] * 7., tf.int32))

        @tf.function
        def begun_later(x):
            return step(x) * 2.

        told(step, [1., 2., 3.])
        w[0].assign(1.)
        told(step, [1., 2., 3.])
        tf.config.experimental.set_synchronous_execution(False)
        told(begun_later, [1., 2., 3.])
        told(step, [1., 2., 3.])
    """ % count), False)
    plain = _without_chance(laboratory.plain().out)
    for _ in range(4):
        ran = laboratory.boost()
        assert _without_chance(ran.out) == plain and "firststep_agent" not in ran.out
        assert not ran.functions("error") and not ran.functions("failed"), ran.notes


def _without_chance(text):
    """TensorFlow adds this where the error is there before somebody waits for it."""
    return re.sub(r"\n.*This error cancels all future operations.*", "", text)
