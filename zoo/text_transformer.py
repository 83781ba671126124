"""A small transformer that classifies texts: custom layers, fit with validation data."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

VOCABULARY = 2000
LENGTH = 40
WIDTH = 32


class TransformerBlock(layers.Layer):
    def __init__(self, width, heads, hidden, rate=0.1, **kwargs):
        super().__init__(**kwargs)
        self.attention = layers.MultiHeadAttention(num_heads=heads, key_dim=width)
        self.feed_forward = keras.Sequential([layers.Dense(hidden, activation="relu"), layers.Dense(width)])
        self.norm1 = layers.LayerNormalization(epsilon=1e-6)
        self.norm2 = layers.LayerNormalization(epsilon=1e-6)
        self.dropout1 = layers.Dropout(rate)
        self.dropout2 = layers.Dropout(rate)

    def call(self, inputs, training=None):
        attended = self.attention(inputs, inputs)
        attended = self.dropout1(attended, training=training)
        middle = self.norm1(inputs + attended)
        forward = self.dropout2(self.feed_forward(middle), training=training)
        return self.norm2(middle + forward)


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, length, vocabulary, width, **kwargs):
        super().__init__(**kwargs)
        self.token = layers.Embedding(vocabulary, width)
        self.position = layers.Embedding(length, width)

    def call(self, tokens):
        positions = tf.range(tf.shape(tokens)[-1])
        return self.token(tokens) + self.position(positions)


def make_texts(count, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(0, VOCABULARY, (count, LENGTH)), rng.integers(0, 2, count)


def build_model(blocks):
    inputs = keras.Input(shape=(LENGTH,), dtype="int32")
    x = TokenAndPositionEmbedding(LENGTH, VOCABULARY, WIDTH)(inputs)
    for _ in range(blocks):
        x = TransformerBlock(WIDTH, heads=2, hidden=64)(x)
    x = layers.GlobalAveragePooling1D()(x)
    x = layers.Dropout(0.1)(x)
    x = layers.Dense(20, activation="relu")(x)
    return keras.Model(inputs, layers.Dense(2, activation="softmax")(x))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=24, help="training steps per epoch")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--blocks", type=int, default=4)
    args = parser.parse_args()

    keras.utils.set_random_seed(3)
    model = build_model(args.blocks)
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    history = model.fit(
        *make_texts(args.steps * 16, seed=1),
        batch_size=16,
        epochs=args.epochs,
        validation_data=make_texts(64, seed=2),
        verbose=0,
    )
    print("history", history.history)
    print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())


if __name__ == "__main__":
    main()
