"""Photographs are decoded and flipped by the pipeline, on one thread: the first batch needs forty-eight of them."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)

photograph = tf.io.encode_jpeg(tf.cast(tf.random.stateless_uniform([150, 200, 3], [0, 1], 0, 256, tf.int32), tf.uint8))
photograph = tf.io.encode_jpeg(tf.cast(tf.image.resize(tf.io.decode_jpeg(photograph), [3000, 4000]), tf.uint8))


def example(number):
    image = tf.image.resize(tf.io.decode_jpeg(photograph, channels=3), [32, 32]) / 255
    return tf.reshape(tf.image.random_flip_left_right(image), [-1]), tf.cast(number % 2, tf.float32)


data = tf.data.Dataset.range(96).map(example).batch(48)
weights = tf.Variable(tf.zeros([3072]))


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, weights) - y) ** 2)
    weights.assign_sub(1e-3 * tape.gradient(loss, weights))
    return loss


print([float(step(x, y)) for x, y in data])  # slow
