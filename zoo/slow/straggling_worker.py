"""Three workers, each with a part of the data: the last part is by far the largest."""

import multiprocessing

PARTS = (1, 1, 100)  # million lines each


def train(part):
    examples = sum(number * number % 7 == 1 for number in range(1_000_000 * PARTS[part]))
    import tensorflow as tf

    weight = tf.Variable(1.0)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = (weight * x - 2.0) ** 2
        weight.assign_sub(0.1 * tape.gradient(loss, weight))
        return loss

    return part, examples, [float(step(tf.constant(1.0))) for _ in range(24)]


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(len(PARTS)) as pool:
        for result in pool.map(train, range(len(PARTS)), chunksize=1):
            print(result)
