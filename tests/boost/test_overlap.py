"""What is done beside the dynamic linker leaves nothing behind for later."""

from __future__ import annotations

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
