"""Only the import: what every TensorFlow program pays before it does anything."""
import tensorflow as tf

print("TensorFlow", tf.__version__)
