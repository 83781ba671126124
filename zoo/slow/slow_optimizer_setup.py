"""Adam with its slots for four hundred weights, made before the loop."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.layers.Input((8,)), *[tf.keras.layers.Dense(8, activation="tanh") for _ in range(200)]])
optimizer = tf.keras.optimizers.Adam(amsgrad=True)
optimizer.build(model.trainable_variables)  # slow


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


print([float(step(tf.ones([4, 8]))) for _ in range(3)])
