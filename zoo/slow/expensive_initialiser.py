"""An LSTM of 1,500 units: its recurrent weights begin as an orthogonal matrix, which takes long to compute."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.layers.Input((5, 16)), tf.keras.layers.LSTM(1500), tf.keras.layers.Dense(1)])  # slow
print(model.predict(tf.ones([2, 5, 16]), verbose=0).tolist())
