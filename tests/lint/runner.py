"""Runs the programs of a JSON list on stdin in one process, each in names of its own; a JSON list of what they did comes out.

Counted for each: graphs that were built, operations in them, elements that `tf.image.resize` made, files that Keras fetched.
"""

import contextlib
import io
import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import tensorflow as tf
from keras.src.applications import mobilenet_v2
from tensorflow.python.framework import func_graph, ops

counts = {}


def counting(owner, name, what):
    plain = getattr(owner, name)

    def counted(*args, **kwargs):
        counts[what] += 1
        return plain(*args, **kwargs)

    setattr(owner, name, counted)


def count_elements():
    plain = tf.image.resize

    def one(image):
        counts["elements"] += 1
        return image

    def resize(image, size):
        passed = tf.numpy_function(one, [image], image.dtype)
        passed.set_shape(image.shape)
        return plain(passed, size)

    tf.image.resize = resize


def fetch_from_here(folder):
    def get_file(name, *args, **kwargs):
        counts["files"] += 1
        return os.path.join(folder, "imagenet.weights.h5")

    mobilenet_v2.file_utils.get_file = get_file


def run(number, program):
    path = f"program_{number}.py"  # AutoGraph reads a function's source
    with open(path, "w") as file:
        file.write(program)
    counts.update(graphs=0, operations=0, elements=0, files=0)
    keras.backend.clear_session()
    keras.utils.set_random_seed(11)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, os.path.abspath(path), "exec"), {"__name__": "__main__"})
    tf.config.run_functions_eagerly(False)
    return {"printed": printed.getvalue(), **counts}


counting(func_graph.FuncGraph, "__init__", "graphs")
counting(ops.Operation, "from_node_def" if hasattr(ops.Operation, "from_node_def") else "__init__", "operations")
count_elements()
fetch_from_here(os.getcwd())
done = [run(number, program) for number, program in enumerate(json.load(sys.stdin))]
json.dump(done, sys.stdout)
