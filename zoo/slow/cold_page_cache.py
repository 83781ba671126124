"""Only the import: after a boot, or on a fresh node, all of it comes from the disk."""

import tensorflow as tf

print(float(tf.reduce_sum(tf.ones([10]))))
