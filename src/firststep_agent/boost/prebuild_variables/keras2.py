"""Keras 2 (`tf.keras` up to TensorFlow 2.15, and `tf_keras`)."""


def install(run, lifting):
    pass
