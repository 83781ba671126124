"""After ready every place holds the framework's own object again, except those declared to stay; no thread and no file of ours."""

import os
import subprocess
import sys
import textwrap

import pytest
from programs import TARGET

pytestmark = pytest.mark.tensorflow

LOOPS = {
    "fit": """
        model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
        model.compile("adam", "mse", metrics=["mae"])
        for _ in range(2):
            model.fit(np.ones((8, 4), "float32"), np.ones((8, 1), "float32"), batch_size=4, verbose=0)
            check()
    """,
    "function": """
        dense, optimizer = tf.keras.layers.Dense(1), tf.keras.optimizers.Adam()
        dense.build((None, 4))

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(dense(x) ** 2)
            optimizer.apply_gradients(zip(tape.gradient(loss, dense.trainable_variables), dense.trainable_variables))
            return loss

        for n in range(4):
            step(tf.ones([2 + n // 2, 4]))
            if n in (0, 3):
                check()
    """,
    "eager": """
        dense, optimizer = tf.keras.layers.Dense(1), tf.keras.optimizers.Adam()
        dense.build((None, 4))
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(dense(tf.ones([2, 4])) ** 2)
            optimizer.apply_gradients(zip(tape.gradient(loss, dense.trainable_variables), dense.trainable_variables))
            check()
    """,
    # the first step ends in an error, the second in a signal's; then all is well
    "failing": """
        import signal
        model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")

        class Failing(tf.keras.callbacks.Callback):
            def on_train_batch_begin(self, batch, logs=None):
                raise ValueError("the program's")

        class Interrupted(tf.keras.callbacks.Callback):
            def on_train_batch_begin(self, batch, logs=None):
                signal.raise_signal(signal.SIGINT)

        for callbacks in ([Failing()], [Interrupted()], [], []):
            try:
                model.fit(np.ones((8, 4), "float32"), np.ones((8, 1), "float32"), batch_size=4, verbose=0, callbacks=callbacks)
            except (ValueError, KeyboardInterrupt) as error:
                print(type(error).__name__, error)
            else:
                check()
    """,
    "interrupted": """
        import signal
        w, traces = tf.Variable([1.0, 2.0]), []

        @tf.function
        def step(x):
            traces.append(1)
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((w * x - 1.0) ** 2)
                if len(traces) == 1:
                    raise ValueError("the program's")
                if len(traces) == 2:
                    signal.raise_signal(signal.SIGINT)
            w.assign_sub(0.1 * tape.gradient(loss, w))
            return loss

        for n in range(5):
            try:
                print(float(step(tf.ones([2]))))
            except (ValueError, KeyboardInterrupt) as error:
                print(type(error).__name__)
            else:
                check()
    """,
}
CHECK = """
import functools, os, sys, threading, time
import numpy as np, tensorflow as tf

# Names of the threads that run code of ours, this one left out.
def our_threads(ours):
    found = {thread.name for thread in threading.enumerate() if "firststep" in thread.name}
    for number, frame in sys._current_frames().items():
        while frame is not None and number != threading.get_ident():
            if frame.f_code.co_filename.startswith(ours):
                found.add(f"in {frame.f_code.co_filename}")
            frame = frame.f_back
    return found

# Functions of ours that stood in somebody's place, and that another than us still has: a module, a class or a closure.
# A bound method is not looked for: Keras keeps one of each layer's `build`, and calls it once.
def kept(stay):
    import gc, types
    gc.collect()
    our_name = "<frozen importlib._bootstrap>"
    ours = [one for one in gc.get_objects() if type(one) is types.FunctionType and hasattr(one, "__wrapped__")
            and one.__code__.co_filename == our_name and f"{one.__module__}.{one.__qualname__}" not in stay]
    agents = {id(vars(one)) for one in gc.get_objects() if str(type(one).__module__).startswith("firststep") and hasattr(one, "__dict__")}
    closures = {id(cell): one for one in gc.get_objects() if type(one) is types.FunctionType for cell in one.__closure__ or ()}
    found, by_id = set(), {id(one): one for one in ours}
    for holder in gc.get_referrers(*ours):
        if type(holder) is dict and id(holder) not in agents and holder is not closures and holder is not by_id:
            found.update((name, value.__qualname__) for name, value in holder.items() if id(value) in by_id and name != "__wrapped__")
        elif type(holder) is types.CellType and id(holder) in closures:
            function = closures[id(holder)]
            if function.__code__.co_filename != our_name and "firststep_agent" not in function.__globals__["__name__"]:
                found.add((function.__qualname__, holder.cell_contents.__qualname__))
    return found

def check():
    from firststep_agent.frameworks.points import READ, all_points
    ours = os.path.dirname(sys.modules["firststep_agent"].__file__)

    def is_ours(value):
        value = value.func if isinstance(value, functools.partial) else value
        name = getattr(getattr(value, "__code__", None), "co_filename", "")
        return name.startswith(ours) or name == "<frozen importlib._bootstrap>" and hasattr(value, "__wrapped__")

    # Until somebody looks at the verdict on an answer, the ways out of the process wait for it: proof/endings.py.
    ways_out = () if os.environ["PROOF"] == "later" else (os._exit, os.execve)
    until, quiet = time.monotonic() + 600, 0  # more than one look: on a busy machine a thread that has just begun is not seen at once
    while quiet < 10 and time.monotonic() < until:  # what was learned is written
        time.sleep(0.03)
        quiet = 0 if our_threads(ours) else quiet + 1
    stay = {point.name for point in all_points() if point.lasts}
    stay.update(() if ways_out else ("posix._exit", "posix.execv", "posix.execve"))
    left, looked = set(), 0
    for point in all_points():
        if point.how == READ or point.module not in sys.modules:
            continue
        owner = sys.modules[point.module]
        *classes, name = point.attribute.split(".")
        for step in classes:
            owner = getattr(owner, step, None)
        value = getattr(owner, "__dict__", {}).get(name)
        looked += 1
        if is_ours(value) or name == "_EXCLUDED_PATHS" and any(ours.startswith(str(one)) for one in value):
            left.add(point.name)
    assert looked > 50, looked
    assert left <= stay, left - stay
    assert not kept(stay), kept(stay)
    functions = {point.attribute for point in all_points() if "." not in point.attribute} - {one.rpartition(".")[2] for one in stay}
    for module in list(sys.modules.values()):
        if module is not None and not module.__name__.startswith("firststep"):
            for name in functions & set(vars(module)):
                assert not is_ours(vars(module)[name]), (module, name)
    import _frozen_importlib, gc, inspect, subprocess, typing
    for value in (_frozen_importlib._find_and_load, _frozen_importlib._find_spec, inspect.signature, inspect._signature_from_function,
                  inspect.getfullargspec, typing._type_check, gc.enable, gc.get_threshold, os.fork, *ways_out,
                  subprocess._fork_exec if hasattr(subprocess, "_fork_exec") else os.fork):
        assert not is_ours(value), value
    assert "compile" not in vars(typing)
    assert not our_threads(ours), our_threads(ours)
    for entry in os.listdir("/proc/self/fd"):
        try:
            path = os.readlink("/proc/self/fd/" + entry)
        except OSError:
            continue
        assert "firststep" not in path.replace(os.environ["PLACE"], "") and not path.startswith(os.environ["FIRSTSTEP_CACHE"]), path
"""


@pytest.fixture(scope="module",
                params=[name if name in ("fit", "function") else pytest.param(name, marks=pytest.mark.suite) for name in LOOPS])
def plain(request, tmp_path_factory):
    """(The program that looks, what it prints plainly, where it does not look.)"""
    folder = tmp_path_factory.mktemp("plain")
    program, unchecked = folder / "program.py", folder / "unchecked.py"
    loop = textwrap.dedent(LOOPS[request.param]) + "print('checked')\n"
    program.write_text(CHECK + loop)
    unchecked.write_text(CHECK.partition("\ndef check(")[0] + "\ndef check(): pass\n" + loop)
    ran = subprocess.run([TARGET, str(unchecked)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return str(program), ran.stdout


@pytest.fixture
def run(tmp_path, plain):
    program, printed = plain
    environment = {**os.environ, "FIRSTSTEP_CACHE": str(tmp_path / "cache"), "TF_CPP_MIN_LOG_LEVEL": "3",
                   "XDG_STATE_HOME": str(tmp_path / "state"), "PLACE": os.getcwd(), "PROOF": "at once"}

    def run(*command, **settings):
        ran = subprocess.run([sys.executable, "-m", "firststep.cli", *command, "--", TARGET, program], env={**environment, **settings},
                             capture_output=True, text=True)
        assert ran.returncode == 0 and "checked" in ran.stdout, ran.stderr
        assert ran.stdout == printed

    return run


def test_recorded(run, tmp_path):
    run("record", "-o", str(tmp_path / "a.trace"))


def test_boosted_when_it_learns_confirms_and_answers(run):
    for _ in range(3):
        run("boost", "--proof", "wait", "--set", "cache-functions.replay_over_ms=0")


@pytest.mark.suite
def test_boosted_as_it_is_by_default(run):
    for _ in range(4):  # learns, confirms, is answered; its verdict comes while it goes on
        run("boost", "--set", "cache-functions.replay_over_ms=0", PROOF="later")
