"""What is done beside the dynamic linker leaves nothing behind for later."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from programs import TARGET

PROGRAM = """
import gc
import tensorflow
print(len(gc.get_objects()))
"""


@pytest.mark.tensorflow
def test_the_collector_has_no_more_to_walk_than_plainly(box):
    box.write("program.py", PROGRAM)
    plain = int(box.plain("program.py", python=TARGET).out)
    box.boost("program.py", python=TARGET)
    ran = box.boost("program.py", python=TARGET)
    assert ran.live("overlap") and ran.live("pause-garbage-collection")
    assert int(ran.out) < 1.5 * plain  # 1.55 with every tuple of the code; 1.31 to 1.46 by version


ASKS_FOR_THREADS = """
import sys
import numpy, tensorflow as tf  # before `threading`, which takes the thread that imports it for the main one
import threading
print(threading.current_thread() is threading.main_thread(), threading.current_thread().name, threading.active_count())

@tf.function
def f(x):
    return x * (1. if threading.current_thread() is threading.main_thread() else 7.)

print(f(tf.ones(1)).numpy(), [thread.name for thread in threading.enumerate()])
"""


@pytest.mark.tensorflow
def test_the_main_thread_is_the_programs(box):
    box.write("program.py", ASKS_FOR_THREADS)
    plain = box.plain("program.py", python=TARGET).out
    assert plain.startswith("True MainThread 1")
    for _ in range(3):
        assert box.boost("program.py", python=TARGET).out == plain


IMPORTS_SLOWLY = """
import ctypes, importlib.util, sys, threading, types
sys.path.append(sys.argv[1])
from faked_run import Run
from firststep_agent.boost import overlap

HOOKS = "firststep_agent.boost.cache_functions.hooks"
begun, said = threading.Event(), []

class Slow:
    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name == HOOKS else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        begun.set()
        threading.Event().wait(0.3)
        said.append("imported")
        FAILS

sys.meta_path.insert(0, Slow())
ctypes.CDLL = lambda name: types.SimpleNamespace(dlopen=type("Linker", (), {"__call__": lambda self, *given: begun.wait(2)})())
server = types.SimpleNamespace(ahead=lambda done: None, waiting=lambda: 0)
THREADS
run = Run(boost={"cache-functions": {}})
overlap._Overlap(run, server, {})._load("library")
print("the program goes on", *said, *(type(error).__name__ for _, error in run.errors))
"""


def _linked(threads="", fails=""):
    program = IMPORTS_SLOWLY.replace("THREADS", threads).replace("FAILS", fails)
    ran = subprocess.run([sys.executable, "-c", program, str(Path(__file__).parents[1])], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0
    return ran.stdout.strip(), ran.stderr


def test_only_one_thread_imports_at_a_time():
    assert _linked() == ("the program goes on imported", "")


def test_nothing_is_imported_beside_the_programs_own_threads():
    assert _linked("threading.Thread(target=threading.Event().wait, daemon=True).start()") == ("the program goes on", "")


def test_what_goes_wrong_beside_the_linker_is_never_said_to_the_user():
    said, errors = _linked(fails="raise AttributeError('typing')")
    assert said.startswith("the program goes on imported") and not errors
