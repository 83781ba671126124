"""The same Keras fit of ResNet50 on the backends that a user could switch to, against boosted TensorFlow.

FIRSTSTEP_BENCH_TORCH and FIRSTSTEP_BENCH_JAX name interpreters that have Keras with PyTorch, and with JAX. Every start is
timed in one way: from before the process exists until the line that the program prints after its first step is read.
"""

import functools
import os
import subprocess
import tempfile
import threading
import time

from harness import PROGRAMS, PYTHON, Row, Table, between, interleaved, middle, ratio
from proving import own_cache

from firststep.boost.compose import boost_plan
from firststep.launch.session import Session

PROGRAM = str(PROGRAMS / "resnet50_fit.py")
FIRST_STEP = b"first step"
LEARNING_RUNS = 3
JAX_CACHE = {  # everything is kept, however small
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
}
HEADING = ["version", "its first step", "TensorFlow boosted", "it / TensorFlow boosted", "asked for"]
ABOUT = ("`fit` of `keras.applications.ResNet50`, 64×64 images, batches of 8, Adam: from spawn to the end of the first step. "
         "Above 1, boosted TensorFlow is ahead. Caches are warm on both sides.")


def until_first_step(start):
    """Seconds until `start(descriptor)`, which runs the program with that standard output, has printed its line."""
    reading, writing = os.pipe()
    seen = []

    def watch():
        with os.fdopen(reading, "rb") as lines:
            for line in lines:
                if line.startswith(FIRST_STEP):
                    seen.append(time.monotonic())

    watcher = threading.Thread(target=watch)
    watcher.start()
    began = time.monotonic()
    try:
        code = start(writing)
    finally:
        os.close(writing)
        watcher.join()
    if code or not seen:
        raise RuntimeError(f"{PROGRAM} ended with exit code {code}, first step {'seen' if seen else 'never seen'}")
    return seen[0] - began


@functools.cache
def learned():
    """Lets boost learn the program, once for all rows that are measured together."""
    for _ in range(LEARNING_RUNS):
        boosted()


def boosted():
    """One start of TensorFlow under boost."""
    environment = {**os.environ, "KERAS_BACKEND": "tensorflow"}
    plan = boost_plan()
    return until_first_step(lambda stdout: Session([PYTHON, PROGRAM], plan, environment=environment, stdout=stdout,
                                                   stderr=subprocess.DEVNULL).run().exit_code)


def plain(python, backend, settings):
    """One start of a backend without any help of ours."""
    environment = {**os.environ, "KERAS_BACKEND": backend, **settings}
    return until_first_step(lambda stdout: subprocess.run([python, PROGRAM], env=environment, stdout=stdout,
                                                          stderr=subprocess.DEVNULL).returncode)


def against(variable, backend, module, cached=False):
    """measure() of a row."""

    def measure(pairs):
        python = os.environ.get(variable) if variable else PYTHON
        if not python:
            return ["not installed", "–", "–", "–", ""]
        learned()
        with tempfile.TemporaryDirectory() as compiled:
            settings = {"JAX_COMPILATION_CACHE_DIR": compiled, **JAX_CACHE} if cached else {}
            plain(python, backend, settings)  # fills the page cache, and the cache of compiled programs
            its, ours = interleaved(lambda: plain(python, backend, settings), boosted, pairs)
        asked = "> 1" if variable else ""
        return [_version(python, module), f"{middle(its):.2f} s", f"{middle(ours):.2f} s", between(ratio(its, ours)), asked]

    return measure


def _version(python, module):
    code = f"import keras, {module}; print('Keras', keras.__version__ + ',', {module}.__version__)"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True,
                          env={**os.environ, "KERAS_BACKEND": module})
    return done.stdout.strip()


TABLE = Table("peers", "ResNet50 on other backends of Keras", HEADING, {
    "TensorFlow, plain": Row(against(None, "tensorflow", "tensorflow"), 3, 55, 27),
    "PyTorch": Row(against("FIRSTSTEP_BENCH_TORCH", "torch", "torch"), 6, 7, 9),
    "JAX, with its compilation cache": Row(against("FIRSTSTEP_BENCH_JAX", "jax", "jax", cached=True), 6, 25, 11),
}, ABOUT)


if __name__ == "__main__":
    with own_cache():
        TABLE.main()
