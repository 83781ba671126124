"""What is not kept, with its reason in words, and what happens to entries that must not be used."""

import textwrap

import pytest

from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow


def refused(laboratory):
    """Plain and two boosted runs print the same; nothing is answered from the store. Gives the reasons."""
    plain, first = laboratory.plain(), laboratory.boost()
    second = laboratory.boost()
    assert plain.out == first.out == second.out
    assert not second.functions("live") and not second.functions("confirmed")
    assert not second.functions("error"), second.notes
    return first.reasons("refused")


def test_python_callbacks(lab):  # noqa: F811
    (reason,) = refused(lab(textwrap.dedent("""
        import tensorflow as tf

        def double(a):
            return (a * 2).astype("float32")

        @tf.function
        def f(x):
            return tf.numpy_function(double, [x], tf.float32) + 1.

        print([float(f(tf.constant(float(x)))) for x in range(3)])
    """)))
    assert "py_function" in reason or "numpy_function" in reason


def test_who_calls_back_is_named_by_the_programs_function(lab):  # noqa: F811
    """AutoGraph makes a function of its own of each branch and each body of a loop."""
    (reason,) = refused(lab(textwrap.dedent("""
        import tensorflow as tf

        def double(a):
            return (a * 2).astype("float32")

        def episode(x):
            for _ in tf.range(2):
                if tf.reduce_sum(x) > 0.0:
                    x = tf.ensure_shape(tf.numpy_function(double, [x], tf.float32), [])
            return x

        @tf.function
        def f(x):
            return episode(x) + 1.

        print([float(f(tf.constant(float(x)))) for x in range(3)])
    """)))
    assert reason.startswith("`episode` calls tf.py_function or tf.numpy_function")


def test_a_clock_is_read_late_in_a_trace(lab):  # noqa: F811
    """After operations that are added like those before them, which nobody looks at; the answer is the same each time."""
    (reason,) = refused(lab(textwrap.dedent("""
        import time
        import tensorflow as tf

        def f(x):
            for _ in range(100):
                x = x + 1.
            return x if time.time() > 0 else x * 2.

        print(float(tf.function(f, autograph=False)(tf.constant(1.))))
    """)))
    assert "reads the clock" in reason


def test_a_trace_that_makes_variables_is_traced_and_the_one_after_it_is_not(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import tensorflow as tf

        class Counter:
            def __init__(self):
                self.v = None
            @tf.function
            def __call__(self, x):
                if self.v is None:
                    self.v = tf.Variable(1.)
                return self.v.assign_add(x)

        c = Counter()
        print([float(c(tf.constant(2.))) for _ in range(3)])
    """))
    plain, learned, replayed = laboratory.plain(), laboratory.boost(), laboratory.boost()
    assert plain.out == learned.out == replayed.out
    assert any("it creates variables while it is traced" in reason for reason in replayed.reasons("refused"))


@pytest.mark.suite
def test_a_refused_function_is_not_watched_again_until_its_code_changes(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import random
        import tensorflow as tf
        from helper import scale

        @tf.function
        def f(x):
            return scale(x)

        random.seed(1)
        print(float(f(tf.constant(1.))), random.random())
    """))
    helper = laboratory.program.parent / "helper.py"
    helper.write_text("import random\n\n\ndef scale(x):\n    return x * random.random()\n")
    first = refused(laboratory)
    assert first == laboratory.boost().reasons("refused")
    (note,) = laboratory.cache.glob("cache-functions/*/*.refused")
    written = note.stat().st_mtime_ns
    laboratory.boost()
    assert note.stat().st_mtime_ns == written
    helper.write_text("def scale(x):\n    return x * 2.\n")
    assert laboratory.boost().functions("learned") == ["f"]
    assert laboratory.boost().functions("confirmed") == ["f"]
    changed = laboratory.boost()
    assert changed.functions("live") == ["f"] and changed.out == laboratory.plain().out


@pytest.mark.suite
def test_what_is_another_in_each_run_is_learned_a_few_times_only(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import time
        import tensorflow as tf

        class Model(tf.Module):
            def __init__(self):
                self.born = time.time()

            @tf.function
            def f(self, x):
                return x + (1. if self.born else 2.)

        model = Model()
        print(float(model.f(tf.constant(1.))))
    """))
    runs = [laboratory.boost() for _ in range(8)]
    assert {run.out for run in runs} == {"2.0\n"}
    assert [bool(run.functions("learned")) for run in runs] == [True] * 6 + [False] * 2
    assert "held in none" in runs[-1].reasons("refused")[0]


SIMPLE = textwrap.dedent("""
    import tensorflow as tf
    v = tf.Variable(3.)

    @tf.function
    def f(x):
        return v * x

    print([float(f(tf.constant(float(x)))) for x in range(4)])
""")


@pytest.mark.suite
def test_what_a_trace_warns_of_is_said_again(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import warnings
        import tensorflow as tf

        def f(x):
            warnings.warn("this is slow")
            return x + 1.

        f = tf.function(f)
        print(float(f(tf.constant(1.))), float(f(tf.constant(2.))))
        with warnings.catch_warnings(record=True) as caught:
            f(tf.ones(3))
        print([str(c.message) for c in caught if "slow" in str(c.message)])
    """))
    replayed = check_replayed(laboratory, ["f", "f"])
    assert "this is slow" in replayed.err


@pytest.mark.suite
def test_a_damaged_entry_is_learned_anew(lab):  # noqa: F811
    laboratory = lab(SIMPLE)
    plain, _ = laboratory.plain(), laboratory.learned()
    (path,) = laboratory.entries()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    again = laboratory.boost()
    assert again.out == plain.out
    assert again.functions("learned") == ["f"]
    assert laboratory.boost().functions("confirmed") == ["f"]
    assert laboratory.boost().functions("live") == ["f"]


def test_other_values_of_the_same_shape_are_another_program(lab):  # noqa: F811
    laboratory = lab(SIMPLE)
    laboratory.learned()
    laboratory.program.write_text(SIMPLE.replace("v * x", "v + x"))
    changed = laboratory.boost()
    assert changed.out == laboratory.plain().out
    assert not changed.functions("live")


@pytest.mark.suite
def test_a_function_whose_first_call_fails_is_told(lab):  # noqa: F811
    laboratory = lab("""
import tensorflow as tf
@tf.function
def step(x):
    tf.debugging.assert_less(x, 1.)
    return x * 2.
for value in (2., .5):
    try:
        print(float(step(tf.constant(value))))
    except tf.errors.InvalidArgumentError as error:
        print(error.message.splitlines()[-1].partition(" [Op:")[0])
""")
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out
        assert ran.reasons("refused") == ["its first call failed"], ran.notes


KEYS = """
    import enum
    import numpy as np
    import tensorflow as tf

    class Head(enum.IntEnum):
        BOX = 1

    class Name(str):
        pass

    @tf.function
    def f(x):
        return {KEY: x * 2., OTHER: x}

    for key in f(tf.constant(1.)):
        print(type(key), repr(key))
"""


@pytest.mark.parametrize(("key", "told"), [("Head.BOX", "__main__.Head"), ("Name('a')", "__main__.Name"), ("np.str_('a')", "numpy.str_")])
def test_keys_that_are_more_than_words_and_numbers(lab, key, told):  # noqa: F811
    """They would come back from the store as a string or a number, which compares equal and prints something else."""
    other = "2" if key == "Head.BOX" else "'x'"  # TensorFlow sorts them
    assert refused(lab(textwrap.dedent(KEYS.replace("KEY", key).replace("OTHER", other)))) == [
        f"it returns a dictionary with a key of {told}"]


def test_keys_that_are_numbers_are_answered(lab):  # noqa: F811
    check_replayed(lab(textwrap.dedent(KEYS.replace("KEY", "True").replace("OTHER", "7"))), functions=["f"])


def test_arguments_are_not_asked_for_their_words(lab):  # noqa: F811
    """An object that no weak reference can be made to is compared by its value; its `__repr__` is the program's."""
    assert refused(lab(textwrap.dedent("""
        import tensorflow as tf

        class Scale:
            __slots__ = ("by",)
            asked = 0

            def __init__(self, by):
                self.by = by

            def __repr__(self):
                Scale.asked += 1
                return "a scale"

        @tf.function
        def f(x, scale):
            return x * scale.by

        print(float(f(tf.constant(1.), Scale(2.))), Scale.asked)
    """))) == ["its argument `scale` is an object of __main__.Scale"]
