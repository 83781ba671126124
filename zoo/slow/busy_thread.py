"""A thread counts what a dashboard shows, without a pause, while the program starts."""

import threading

counts = {"rounds": 0, "busy": True}


def count():
    """Of the first fifty million numbers, so that the thread ends."""
    for number in range(50_000_000):
        if not counts["busy"]:
            return
        counts["rounds"] += number % 2  # slow


threading.Thread(target=count, daemon=True).start()

import tensorflow as tf  # noqa: E402

print(float(tf.reduce_sum(tf.constant([1.0, 2.0, 3.0]))))
counts["busy"] = False
