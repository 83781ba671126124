"""What a traced function takes from outside the program: files, environment, clock, random streams, settings."""

import datetime
import os
import random
import time
import uuid

import numpy as np
import tensorflow as tf

from cases import pick

X = tf.constant([1.0, 2.0, 3.0])


def _file(content):
    path = os.path.join(os.environ["TRAPS"], "setting.txt")
    with open(path, "w") as file:
        file.write(str(content))
    return path


def file_read():
    path = _file(pick(1.5, 2.5))

    @tf.function(autograph=False)
    def f(x):
        with open(path) as file:
            return x * float(file.read())

    return [f(X)]


def file_read_by_numpy():
    path = os.path.join(os.environ["TRAPS"], "array.npy")
    np.save(path, np.array([1.0, 2.0, pick(3.0, 4.0)], "float32"))

    @tf.function(autograph=False)
    def f(x):
        return x * np.load(path)

    return [f(X)]


def file_read_by_gfile():
    path = _file(pick(1.5, 2.5))

    @tf.function(autograph=False)
    def f(x):
        with tf.io.gfile.GFile(path) as file:
            return x * float(file.read())

    return [f(X)]


def file_read_eagerly_by_an_operation():
    path = _file(pick(1.5, 2.5))

    @tf.function(autograph=False)
    def f(x):
        with tf.init_scope():
            number = tf.strings.to_number(tf.io.read_file(path))
        return x * number

    return [f(X)]


def file_exists():
    path = os.path.join(os.environ["TRAPS"], "flag")
    if os.path.exists(path):
        os.remove(path)
    if pick(False, True):
        open(path, "w").close()

    @tf.function(autograph=False)
    def f(x):
        return x * 2.0 if os.path.exists(path) else x * 3.0

    return [f(X)]


def environment_variable():
    os.environ["TRAP_SCALE"] = pick("1.5", "2.5")

    @tf.function(autograph=False)
    def f(x):
        return x * float(os.environ["TRAP_SCALE"])

    return [f(X)]


def environment_variable_through_getenv():
    os.environ.pop("TRAP_SCALE", None)
    if pick(False, True):
        os.environ["TRAP_SCALE"] = "2.5"

    @tf.function(autograph=False)
    def f(x):
        return x * float(os.getenv("TRAP_SCALE", "1.5"))

    return [f(X)]


def clock_baked_in():
    wait = pick(0.0, 0.002)

    @tf.function(autograph=False)
    def f(x):
        return x * (time.time() % 1000.0)

    time.sleep(wait)
    return [f(X)]


def date_baked_in():
    @tf.function(autograph=False)
    def f(x):
        return x * float(datetime.datetime.now().microsecond)

    return [f(X)]


def python_random_baked_in():
    random.seed(pick(1, 2))

    @tf.function(autograph=False)
    def f(x):
        return x * random.random()

    return [f(X)]


def numpy_random_baked_in():
    np.random.seed(pick(1, 2))

    @tf.function(autograph=False)
    def f(x):
        return x * float(np.random.rand())

    return [f(X)]


def numpy_generator_baked_in():
    generator = np.random.default_rng(pick(1, 2))

    @tf.function(autograph=False)
    def f(x):
        return x * float(generator.random())

    return [f(X), f(tf.constant([1.0])), f(X)]


def unseeded_generator_baked_in():
    @tf.function(autograph=False)
    def f(x):
        return x * float(np.random.default_rng().random())

    return [f(X)]


def uuid_baked_in():
    @tf.function(autograph=False)
    def f(x):
        return x * float(uuid.uuid4().int % 1000003)

    return [f(X)]


def process_id_baked_in():
    @tf.function(autograph=False)
    def f(x):
        return x * float(os.getpid())

    return [f(X)]


def global_seed():
    tf.random.set_seed(pick(11, 12))

    @tf.function
    def f(x):
        return x * tf.random.uniform((3,))

    return [f(X)]


def operation_seed():
    tf.random.set_seed(1)
    seed = pick(3, 4)

    @tf.function
    def f(x):
        return x * tf.random.uniform((3,), seed=seed)

    return [f(X)]


def appends_to_a_list():
    calls = []

    @tf.function(autograph=False)
    def f(x):
        calls.append(len(calls))
        return x * pick_scale

    pick_scale = pick(1.5, 2.5)
    f(X)
    return [np.array(float(len(calls))), f(X)]


def sets_an_attribute():
    class Holder:
        count = 0

    holder = Holder()
    scale = pick(1.5, 2.5)

    @tf.function(autograph=False)
    def f(x):
        holder.count += 1
        return x * scale

    f(X)
    return [np.array(float(holder.count)), f(X)]


TRACES = 0


def rebinds_a_global():
    scale = pick(1.5, 2.5)

    @tf.function(autograph=False)
    def f(x):
        global TRACES
        TRACES += 1
        return x * scale

    f(X)
    return [np.array(float(TRACES)), f(X)]


def consumes_an_iterator():
    numbers = iter(pick([1.0, 2.0], [3.0, 4.0]))

    @tf.function(autograph=False)
    def f(x):
        return x * next(numbers)

    return [f(X), f(tf.constant([1.0]))]


def assigns_outside_the_graph():
    counter = tf.Variable(0.0)
    scale = pick(1.5, 2.5)

    @tf.function(autograph=False)
    def f(x):
        with tf.init_scope():
            counter.assign_add(1.0)
        return x * scale

    return [f(X), counter]


def random_tensor_outside_the_graph():
    tf.random.set_seed(pick(1, 2))

    @tf.function(autograph=False)
    def f(x):
        with tf.init_scope():
            noise = tf.random.uniform((3,))
        return x * noise

    return [f(X)]


def numpy_function():
    def double(a):
        return a * np.float32(pick(2.0, 3.0))

    @tf.function
    def f(x):
        return tf.numpy_function(double, [x], tf.float32)

    return [f(X)]


def check_numerics():
    if pick(False, True):
        tf.debugging.enable_check_numerics()
    try:

        @tf.function
        def f(x):
            return tf.math.log(x - 5.0)

        try:
            return [f(X)]
        except tf.errors.InvalidArgumentError:
            return [np.array(-1.0)]
    finally:
        tf.debugging.disable_check_numerics()


def optimiser_option():
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": pick(False, True)})
    try:

        @tf.function
        def f(x):
            return x * 2.0 + float(tf.config.optimizer.get_experimental_options()["disable_meta_optimizer"])

        return [f(X)]
    finally:
        tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": False})
