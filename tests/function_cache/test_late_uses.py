"""Functions that are used later than at their first call, in a process that is another by then: an unchanged start is never stopped."""

import os
import subprocess
import sys
import textwrap
import threading

import pytest
from firststep_agent.boost.cache_functions.answer import replay
from replay_harness import SOURCE, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

OTHERWISE = """
    import copy
    from tensorflow import keras
    import tensorflow as tf

    class Box: pass

    def converted(by):
        return lambda box, dtype=None, name=None, as_ref=False: tf.constant(by, dtype)

    class Model(tf.Module):
        @tf.function
        def keeps(self, x):
            self.last = tf.nn.dropout(x, 0.5)
            return x * 2.0

    w, rate = tf.Variable(2.0), 0.5
    tf.register_tensor_conversion_function(Box, converted(2.0))
    entropy = keras.losses.BinaryCrossentropy()
    model = Model()

    @tf.function
    def draws(x): return x + 0.0 * tf.random.uniform([3])

    @tf.function
    def clipped(x): return entropy(tf.ones([3, 1]), tf.sigmoid(x)[:, None])

    @tf.function
    def boxed(x): return x + tf.convert_to_tensor(Box())

    @tf.function
    def checked(x): return tf.sin(x) * w

    @tf.function
    def copied(x): return x * rate

    @tf.function
    def unmoved(x): return x * w

    X = tf.constant([1.0, 2.0, 3.0])

    def of(function):
        return [operation.type for operation in function.get_concrete_function(X).graph.get_operations()][-4:]

    tf.random.set_seed(1)
    print([function(X).numpy().tolist() for function in (draws, clipped, boxed, checked, copied, unmoved, model.keeps)])
    tf.random.set_seed(2)
    print(of(draws), of(unmoved), model.last.op.type)
    keras.backend.set_epsilon(0.01)
    print(of(clipped))
    tf.register_tensor_conversion_function(Box, converted(4.0), priority=1)
    print(of(boxed))
    tf.debugging.enable_check_numerics()
    print(of(checked))
    tf.debugging.disable_check_numerics()
    rate = 0.25
    try:
        print(copy.deepcopy(copied))
    except TypeError as error:
        print(error)
    print([function(X).numpy().tolist() for function in (draws, clipped, boxed, checked, copied, unmoved)])
"""


@pytest.mark.suite
def test_a_trace_that_would_come_out_otherwise_is_not_put_off(lab):  # noqa: F811
    """Global seed, settings, registries, what looks on at operations: the start that confirms has a child make that trace."""
    laboratory = lab(textwrap.dedent(OTHERWISE))
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out
    assert ran.functions("live") == ["unmoved"] == ran.functions("proved"), ran.notes
    assert {"draws", "clipped", "boxed", "checked", "copied", "keeps"} <= set(ran.functions("refused")), ran.notes


def test_where_tensorflow_tells_of_its_operations_it_tells_of_all(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import tensorflow as tf

        tf.debugging.set_log_device_placement(True)
        w = tf.Variable(2.0)

        @tf.function
        def step(x):
            return tf.sin(x * w)

        print(float(step(tf.constant(3.0))))
    """))
    plain = laboratory.plain()
    assert "Sin" in plain.out
    ran = laboratory.boost()
    assert ran.out == plain.out and ran.functions("refused") == ["step"]


BESIDE = """
    import copy, gc, random, threading, time
    import numpy as np
    import tensorflow as tf

    class Kept: pass

    class Net(tf.Module):
        def __init__(self):
            self.w = [tf.Variable(tf.eye(4)) for _ in range(40)]
            self.zzseen, self.zzkept = 0, Kept()
            self.zzkept.zzlog, self.zzkept.zzby = [], {}

        @tf.function(input_signature=[tf.TensorSpec([None, 4])])
        def serve(self, x):
            for w in self.w:
                x = tf.tanh(x @ w)
            self.last = x
            return x

    np.random.seed(7), random.seed(7)
    net, drawn, stop = Net(), [], []

    def goes_on():
        while not stop:
            drawn.append((int(np.random.randint(1 << 30)), random.random()))
            net.zzseen += 1
            net.zzkept.zzlog.append(net.zzseen)
            net.zzkept.zzby[net.zzseen] = net.zzseen
            time.sleep(0.0005)

    print(net.serve(tf.ones((2, 4))).numpy().sum())
    thread = threading.Thread(target=goes_on)
    thread.start()
    time.sleep(0.1)
    print(len(net.serve.get_concrete_function().graph.get_operations()), type(net.last).__name__)
    stop.append(time.sleep(0.1))
    thread.join()
    numpys, pythons, made = np.random.RandomState(7), random.Random(7), len(drawn)
    print(drawn == [(int(numpys.randint(1 << 30)), pythons.random()) for _ in drawn])
    print(net.zzseen == made, net.zzkept.zzlog == [*range(1, made + 1)], len(net.zzkept.zzby) == made)
"""


@pytest.mark.suite
def test_what_other_threads_do_meanwhile_is_theirs(lab):  # noqa: F811
    """A trace that is put off rolls back what it does itself: not what another thread draws, counts and appends while it is made."""
    laboratory = lab(textwrap.dedent(BESIDE))
    plain = laboratory.plain()
    assert plain.out.splitlines()[-2:] == ["True", "True True True"]
    for _ in range(4):
        ran = laboratory.boost()
        assert ran.out == plain.out, ran.notes
    assert ran.functions("live") == ["serve"] == ran.functions("proved"), ran.notes


COPIES = """
    import copy, gc
    import tensorflow as tf

    v = tf.Variable([1.0, 2.0])

    def made(size):
        @tf.function
        def f(x):
            for i in range(size):
                x = tf.tanh(x * v + float(i))
            return x
        return f

    x = tf.constant([1.0, 2.0])
    copies = []
    for size in (3, 150):
        for how in (copy.copy, lambda function: function):
            f = made(size)
            f(x)
            if how is copy.copy:
                copies.append(copy.copy(how(f.get_concrete_function(x))))
            else:
                c = f.get_concrete_function(x)
                copies.append(copy.copy(c))
                c(x)
            f = c = None
    gc.collect()
    print([one(x).numpy().tolist() for one in copies], [sorted(name for name in vars(one) if "flat" in name) for one in copies])
"""


@pytest.mark.suite
def test_a_copy_is_called_when_the_function_that_it_was_made_of_is_gone(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent(COPIES))
    plain = laboratory.plain()
    for _ in range(2):
        assert laboratory.boost().out == plain.out


TOGETHER = """
import os, sys, threading, time
from types import SimpleNamespace
sys.path.insert(0, sys.argv[1])
from firststep_agent.boost.cache_functions.answer import replay

answer = object.__new__(replay.StoredAnswer)
answer._tracing, answer.function_type = (os.getpid(), threading.RLock()), None
answer.live_as_long_as = lambda function: None
traces, seen = [], []

def traced():
    traces.append(None)
    time.sleep(0.2)
    return SimpleNamespace(_inference_function=f"trace {len(traces)}", _func_graph="its graph")

answer.traced = traced
lazy = replay.lazy_class()(answer)
threads = [threading.Thread(target=lambda: seen.append((lazy._inference_function, lazy._func_graph))) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(seen, type(lazy).__getattr__(lazy, "_func_graph"), hasattr(lazy, "no such thing"))
"""


def test_two_threads_that_need_its_graph_at_once_have_one_trace_of_it():
    """TensorFlow traces a function in one thread at a time, and the others get that graph. Nor does anybody see half of it."""
    ran = subprocess.run([sys.executable, "-c", TOGETHER, SOURCE], capture_output=True, text=True, check=True, timeout=120)
    assert ran.stdout.strip() == f"{[('trace 1', 'its graph')] * 3} its graph False"


def test_a_forks_child_waits_for_no_thread_that_it_has_not():
    answer = object.__new__(replay.StoredAnswer)
    answer._tracing = os.getpid(), threading.RLock()
    held, over = threading.Event(), threading.Event()

    def holds():
        with answer.tracing():
            held.set()
            over.wait()

    thread = threading.Thread(target=holds)
    thread.start()
    held.wait()
    child = os.fork()
    if not child:
        os._exit(0 if answer.tracing().acquire(timeout=1) else 1)
    over.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
