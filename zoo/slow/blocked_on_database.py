"""Features come from a Redis server, which needs long for the whole set; a thread stands for that server."""

import random
import socket
import threading
import time

import numpy as np
import tensorflow as tf

HOST = f"127.{random.randrange(1, 255)}.{random.randrange(255)}.{random.randrange(1, 255)}"  # of this machine, and of this program alone
server = socket.create_server((HOST, 6379))


def serve():
    connection, _ = server.accept()
    connection.recv(1000)
    time.sleep(2)
    values = " ".join(map(str, range(384))).encode()
    connection.sendall(b"$%d\r\n%s\r\n" % (len(values), values))


def get(key):
    """What Redis has of that key, by its own protocol."""
    with socket.create_connection((HOST, 6379)) as connection:
        connection.sendall(b"GET %s\r\n" % key.encode())
        answer = b""
        while answer.count(b"\r\n") < 2:
            answer += connection.recv(65536)  # slow
    return answer.split(b"\r\n")[1]


threading.Thread(target=serve, daemon=True).start()
tf.keras.utils.set_random_seed(1)
x = np.array(get("features").split(), "float32")[:, None] / 384
model = tf.keras.Sequential([tf.keras.layers.Input((1,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
print(model.fit(x, 2 * x, batch_size=16, verbose=0).history["loss"])
