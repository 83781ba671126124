"""What a thread reads is wanted at once: the main thread stands still, and could have imported meanwhile."""

import queue
import threading
import time

ready = queue.Queue()


def read():
    """As a slow file, a device or a licence server would take."""
    time.sleep(3)
    ready.put([1.0, 2.0, 3.0])


threading.Thread(target=read, daemon=True).start()
values = ready.get()  # slow

import tensorflow as tf  # noqa: E402

print(float(tf.reduce_sum(tf.constant(values))))
