FOUND = {
    "behind a batch": '''
import tensorflow as tf
ds = tf.data.Dataset.from_tensor_slices(files).batch(32).shuffle(1000)  # <-
''',
    "behind a map that decodes": '''
import tensorflow as tf
def load(name):
    return tf.io.decode_jpeg(tf.io.read_file(name))
ds = (
    tf.data.Dataset.list_files("*.jpg")
    .map(load, num_parallel_calls=tf.data.AUTOTUNE)
    .shuffle(2000)  # <-
    .batch(32)
)
''',
    "over several statements": '''
import tensorflow as tf
def load(name):
    return tf.image.resize(tf.io.decode_png(tf.io.read_file(name)), (224, 224))
ds = tf.data.Dataset.from_tensor_slices(names)
ds = ds.map(load)
ds = ds.shuffle(len(names))  # <-
ds = ds.batch(8)
''',
    "a map that calls a function which decodes": '''
import tensorflow as tf
def decode(name):
    return tf.io.decode_jpeg(tf.io.read_file(name))
def load(name, label):
    return decode(name), label
ds = tf.data.Dataset.from_tensor_slices((names, labels)).map(lambda name, label: load(name, label)).shuffle(2000)  # <-
''',
    "behind a folder's images, which come in batches": '''
import tensorflow as tf
train = tf.keras.utils.image_dataset_from_directory("flowers", image_size=(180, 180))
train = train.prefetch(tf.data.AUTOTUNE).shuffle(1000)  # <-
''',
    "behind a folder's texts, with a batch size of its own": '''
from tensorflow import keras
BATCH = 64
texts = keras.preprocessing.text_dataset_from_directory("reviews", "inferred", "int", None, BATCH).shuffle(500)  # <-
''',
    "loaded with what is said of it": '''
import tensorflow_datasets as tfds
data, info = tfds.load("cats_vs_dogs", split="train", with_info=True)
data = data.batch(32).shuffle(1000)  # <-
(train, test), info = tfds.load("cats_vs_dogs", split=["train", "test"], with_info=True)
train = train.batch(32).shuffle(1000)  # <-
''',
}
SILENT = {
    "first": '''
import tensorflow as tf
def load(name):
    return tf.io.decode_jpeg(tf.io.read_file(name))
ds = tf.data.Dataset.from_tensor_slices(names).shuffle(1000).map(load).batch(32)
''',
    "behind a cache": '''
import tensorflow as tf
def load(name):
    return tf.io.decode_jpeg(tf.io.read_file(name))
ds = tf.data.Dataset.from_tensor_slices(names).map(load).cache().shuffle(1000).batch(32)
''',
    "behind a map that only takes apart": '''
import tensorflow as tf
ds = tf.data.Dataset.from_tensor_slices(rows).map(lambda row: (row[:-1], row[-1])).shuffle(10000).batch(32)
''',
    "records parsed": '''
import tensorflow as tf
def parse(record):
    return tf.io.parse_single_example(record, features)
ds = tf.data.TFRecordDataset(files).map(parse).shuffle(1000).batch(32)
''',
    "a small buffer": '''
import tensorflow as tf
ds = tf.data.Dataset.range(100).batch(4).shuffle(8)
''',
    "other things called shuffle": '''
import random
import numpy as np
import tensorflow as tf
random.shuffle(names)
np.random.shuffle(names)
frame = frame.map(str).shuffle(1000)
''',
    "another library's dataset": '''
import tensorflow as tf
from datasets import load_dataset
ds = load_dataset("imdb").map(tokenize).batch(8).shuffle(seed=42)
''',
    "a folder's images, kept before they are shuffled": '''
import tensorflow as tf
train = tf.keras.utils.image_dataset_from_directory("flowers").cache().shuffle(1000)
''',
    "a folder's images, one by one": '''
import tensorflow as tf
train = tf.keras.utils.image_dataset_from_directory("flowers", batch_size=None).shuffle(1000).batch(32)
''',
    "a folder's images, with a batch size that the source does not tell": '''
import tensorflow as tf
train = tf.keras.utils.image_dataset_from_directory("flowers", **options).shuffle(1000)
''',
    "a few batches of a folder's images": '''
import tensorflow as tf
train = tf.keras.utils.image_dataset_from_directory("flowers").shuffle(4)
''',
    "unbatched": '''
import tensorflow as tf
ds = tf.data.Dataset.range(100000).batch(100).unbatch().shuffle(1000)
''',
    "functions that call each other and do little": '''
import tensorflow as tf
def even(row):
    return odd(row)
def odd(row):
    return even(row)
ds = tf.data.Dataset.from_tensor_slices(rows).map(lambda row: even(row)).shuffle(10000)
''',
    "what is said of loaded data, and parts that are not told": '''
import tensorflow_datasets as tfds
data, info = tfds.load("cats_vs_dogs", split="train", with_info=True)
info.batch(32).shuffle(1000)
one, two = tfds.load("cats_vs_dogs", split=how)
one.batch(32).shuffle(1000)
''',
    "lines taken apart": '''
import tensorflow as tf
rows = tf.data.TextLineDataset(files).map(lambda line: tf.strings.split(tf.strings.strip(line), ",")).shuffle(10000)
''',
}
