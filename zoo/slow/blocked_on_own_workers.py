"""Two worker processes, each of which imports TensorFlow before it adds a few numbers."""

import multiprocessing


def total(size):
    import tensorflow as tf

    return float(tf.reduce_sum(tf.range(size, dtype=tf.float32)))


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.map(total, range(4)))  # slow
