"""A mirrored strategy over as many logical devices as a cluster has, to try distributed code on one machine."""

import tensorflow as tf

DEVICES = 512
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * DEVICES)
strategy = tf.distribute.MirroredStrategy([f"/cpu:{number}" for number in range(DEVICES)])  # slow
print(strategy.num_replicas_in_sync)
