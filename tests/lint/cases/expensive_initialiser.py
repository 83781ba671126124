FOUND = {
    "a large recurrent layer": '''
import keras
layer = keras.layers.LSTM(2048)  # <-
''',
    "asked for": '''
from tensorflow.keras import layers
a = layers.Dense(4096, kernel_initializer="orthogonal")  # <-
b = layers.GRU(units=1024, recurrent_initializer="orthogonal")  # <-
''',
    "an object": '''
import tensorflow as tf
UNITS = 2 * 1024
a = tf.keras.layers.Dense(UNITS, kernel_initializer=tf.keras.initializers.Orthogonal(seed=1))  # <-
''',
}
SILENT = {
    "small": '''
import keras
layer = keras.layers.LSTM(128)
''',
    "cheap": '''
import keras
layer = keras.layers.LSTM(2048, recurrent_initializer="glorot_uniform")
''',
    "dense": '''
import keras
layer = keras.layers.Dense(4096)
''',
    "unknown": '''
import keras
layer = keras.layers.LSTM(units)
''',
    "small and orthogonal": '''
import keras
layer = keras.layers.Dense(64, kernel_initializer="orthogonal")
''',
    "another library": '''
import keras
import torch
layer = torch.nn.LSTM(2048, 2048)
''',
}
