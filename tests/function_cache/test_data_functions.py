"""Functions of tf.data pipelines, kept and given to the dataset's kernels: plain, learned and replayed runs are the same."""

import textwrap

import pytest

from test_replay_harness import check_replayed, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

# Traces of under 10 ms are not kept: a look-up would take as long.
HEAD = textwrap.dedent("""
    import collections, os, sys
    import numpy as np
    import tensorflow as tf

    def heavy(x):
        for i in range(60):
            x = x * 2 - x + i - i
        return x

    def show(dataset):
        for element in dataset:
            print(tf.nest.map_structure(
                lambda t: t.to_list() if isinstance(t, tf.RaggedTensor) else [e.numpy().tolist() for e in t]
                if isinstance(t, tf.data.Dataset) else t.numpy().tolist(), element))

""")


def program(text):
    return HEAD + textwrap.dedent(text)


def test_every_kind_of_transformation(lab):  # noqa: F811
    laboratory = lab(program("""
        Point = collections.namedtuple("Point", "x y")
        numbers = tf.data.Dataset.range(12)
        table = np.arange(12) * 10

        def mapped(n):
            return {"b": heavy(n), "a": (tf.gather(table, n), n + 1)}

        def kept(d):
            return heavy(d["b"]) % 2 == 0

        def flattened(d):
            return tf.data.Dataset.range(heavy(d["b"])).map(lambda i: Point(heavy(i), i))

        def interleaved(n):
            return tf.data.Dataset.from_tensors(heavy(n)).repeat(2)

        def windowed(window):
            heavy(tf.constant(1))
            return window.batch(2)

        def conditional(n):
            if heavy(n) > 3:
                return n * 2
            return n - 1

        def nested(n):
            return n, tf.data.Dataset.range(heavy(n))

        def ragged(n):
            return tf.RaggedTensor.from_row_lengths(tf.range(heavy(n)), [n])

        def nothing(n):
            return heavy(n), None

        show(numbers.map(mapped))
        show(numbers.map(mapped).filter(kept))
        show(numbers.take(4).map(mapped).flat_map(flattened))
        show(numbers.interleave(interleaved, cycle_length=3))
        show(numbers.window(4).flat_map(windowed))
        show(numbers.map(conditional, num_parallel_calls=2))
        show(numbers.take(4).map(nested))
        show(numbers.take(4).map(ragged))
        for a, b in numbers.take(2).map(nothing):
            print(a.numpy(), b)
        print(int(numbers.reduce(np.int64(0), lambda a, b: heavy(a) + b)))
        show(numbers.scan(np.int64(0), lambda a, b: (heavy(a) + b, a)))
        show(numbers.group_by_window(lambda n: heavy(n) % 3, lambda k, w: w.batch(2), window_size=2))
        show(numbers.take_while(lambda n: heavy(n) < 4))
        print(numbers.map(mapped).element_spec, numbers.take(4).map(nested).element_spec)
    """))
    names = ["Dataset_map_mapped", "Dataset_filter_kept", "Dataset_flat_map_flattened", "Dataset_interleave_interleaved",
             "Dataset_flat_map_windowed", "Dataset_map_conditional", "Dataset_map_nested", "Dataset_map_ragged"]
    check_replayed(laboratory, at_least=names)


def test_what_a_function_closes_over_changes(lab):  # noqa: F811
    laboratory = lab(program("""
        factor = int(os.environ.get("FACTOR", "3"))
        variable = tf.Variable(np.int64(5))

        class Scale:
            def __init__(self):
                self.by = factor

            def __call__(self, n):
                return heavy(n) * self.by

        show(tf.data.Dataset.range(3).map(Scale()))
        show(tf.data.Dataset.range(3).map(lambda n: heavy(n) * factor + variable))
        variable.assign(7)
        show(tf.data.Dataset.range(3).map(lambda n: heavy(n) - variable))
    """))
    check_replayed(laboratory, ["Dataset_map_class__main__.Scale", "Dataset_map_lambda", "Dataset_map_lambda"])
    laboratory.program.write_text(laboratory.program.read_text().replace('"3"', '"4"'))
    assert laboratory.boost().out == laboratory.plain().out


def test_what_stands_around_a_function_is_part_of_its_key(lab):  # noqa: F811
    text = """
        def f(element):
            return heavy(element["a"]) + 1

        @tf.autograph.experimental.do_not_convert
        def unconverted():
            return tf.data.Dataset.range(3).map(g)

        def g(n):
            if sys.flags.interactive == 0:
                print("converted", "autograph" in sys._getframe(0).f_code.co_filename)
            return heavy(n)

        show(tf.data.Dataset.from_tensor_slices({ELEMENT}).map(f))
        show(WHICH)
    """
    first = text.replace("ELEMENT", '"a": [1, 2]').replace("WHICH", "tf.data.Dataset.range(3).map(g)")
    laboratory = lab(program(first))
    check_replayed(laboratory)
    laboratory.program.write_text(program(text.replace("ELEMENT", '"b": [5, 6], "a": [1, 2]').replace("WHICH", "unconverted()")))
    assert laboratory.boost().out == laboratory.plain().out


@pytest.mark.suite
def test_random_numbers(lab):  # noqa: F811
    laboratory = lab(program("""
        tf.random.set_seed(3)

        def noisy(n):
            return tf.random.uniform([2]) + tf.cast(heavy(n), tf.float32)

        def seeded(n):
            return tf.random.uniform([2], seed=5) + tf.cast(heavy(n), tf.float32)

        for epoch in range(2):
            show(tf.data.Dataset.range(3).map(noisy))
            show(tf.data.Dataset.range(3).map(seeded))
        again = tf.data.Dataset.range(3).map(noisy)
        show(again), show(again)
        print(tf.random.uniform([2]).numpy())
    """))
    replayed = check_replayed(laboratory, at_least=["Dataset_map_seeded"])
    assert replayed.functions("live").count("Dataset_map_noisy") >= 1


@pytest.mark.suite
def test_errors_read_as_in_the_plain_run(lab):  # noqa: F811
    laboratory = lab(program("""
        def parse(n):
            return tf.debugging.check_numerics(1. / tf.cast(heavy(n), tf.float32), "not a number")

        @tf.function
        def total(dataset):
            result = tf.constant(0.)
            for element in dataset:
                result += element
            return result

        dataset = tf.data.Dataset.range(3).map(parse)
        for read in (list, total):
            try:
                read(dataset)
            except tf.errors.InvalidArgumentError as error:
                print(str(error).replace("total_", "").translate({ord(d): None for d in "0123456789"}))
    """))
    check_replayed(laboratory, at_least=["Dataset_map_parse"])


def test_what_is_done_with_a_pipeline_afterwards(lab):  # noqa: F811
    laboratory = lab(program("""
        import tempfile

        def f(n):
            return heavy(n) + 1

        dataset = tf.data.Dataset.range(4).map(f)

        @tf.function
        def inside(dataset):
            return dataset.map(f).reduce(np.int64(0), lambda a, b: a + b)

        @tf.function
        def captured():
            return dataset.reduce(np.int64(0), lambda a, b: a + b)

        print(int(inside(dataset)), int(captured()))
        folder = tempfile.mkdtemp()
        dataset.save(folder)
        show(tf.data.Dataset.load(folder).map(f))
        show(dataset.cache().shuffle(4, seed=1).batch(2))
        iterator = iter(dataset)
        print(next(iterator).numpy(), iterator.get_next().numpy())
        module = tf.Module()
        module.total = tf.function(lambda: dataset.reduce(np.int64(0), lambda a, b: a + b))
        module.dataset = dataset
        print(int(module.total()))
        tf.saved_model.save(module, folder + "/saved")
        print(int(tf.saved_model.load(folder + "/saved").total()))
        print(dataset._map_func.function.graph.name, len(dataset._map_func.function.graph.get_operations()))
    """))
    check_replayed(laboratory, at_least=["Dataset_map_f"])


def test_functions_of_datasets_that_are_gone_are_gone(lab):  # noqa: F811
    laboratory = lab(program("""
        import gc
        from tensorflow.python.eager import context

        def count():
            gc.collect()
            return len(context.context().list_function_names())

        def f(n):
            if tf.random.uniform([]) < 2.:
                return heavy(n)
            return n

        tf.random.set_seed(1)
        for i in range(3):
            show(tf.data.Dataset.range(2).map(f))
        before = count()
        for i in range(20):
            show(tf.data.Dataset.range(2).map(f))
        print(count() - before)
    """))
    laboratory.boost()
    replayed = laboratory.boost()
    assert replayed.out == laboratory.plain().out
    assert replayed.functions("live").count("Dataset_map_f") == 23
    assert len(laboratory.entries()) <= 2, "but for the first one, which imported AutoGraph, all are one"


@pytest.mark.suite
def test_callbacks_into_python_are_refused(lab):  # noqa: F811
    laboratory = lab(program("""
        def called(n):
            return tf.numpy_function(lambda v: v + 1, [heavy(n)], tf.int64)

        show(tf.data.Dataset.range(3).map(called))
        show(tf.data.Dataset.from_generator(lambda: iter([1, 2]), output_signature=tf.TensorSpec((), tf.int32)))
    """))
    replayed = check_replayed(laboratory, [])
    assert any("run Python at every step" in reason for reason in replayed.reasons("refused"))
