"""Trains one model per worker process; the parent only waits, and never imports TensorFlow."""
import argparse
import hashlib
import multiprocessing

import numpy as np


def train(fold, steps):
    import tensorflow as tf

    tf.keras.utils.set_random_seed(100 + fold)
    x = np.random.default_rng(fold).normal(size=(steps * 16, 12)).astype("float32")
    y = (x.sum(axis=1) > 0).astype("float32")
    model = tf.keras.Sequential([
        tf.keras.Input(shape=(12,)),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(optimizer="adam", loss="binary_crossentropy")
    history = model.fit(x, y, batch_size=16, verbose=0)
    digest = hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest()
    return fold, history.history, digest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=24, help="training steps per worker")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--start-method", choices=("spawn", "fork", "forkserver"), default="spawn")
    args = parser.parse_args()

    context = multiprocessing.get_context(args.start_method)
    with context.Pool(args.workers) as pool:
        results = pool.starmap(train, [(fold, args.steps) for fold in range(args.workers)])
    for fold, history, digest in results:
        print("worker", fold, "history", history)
        print("worker", fold, "weights", digest)


if __name__ == "__main__":
    main()
