"""Waits until what was handed to accelerators is done: the one wait that makes a step's outputs be there."""

import sys


def wait_for_devices() -> None:
    """Returns at once where TensorFlow runs on CPUs only, or has not started. Never starts it."""
    module = sys.modules.get("tensorflow.python.eager.context")
    context = getattr(module, "_context", None)
    created = getattr(context, "_logical_devices", None) or ()
    devices = [device.name for device in created if device.device_type != "CPU"]
    if not devices or not context.executing_eagerly():
        return
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import gen_sync_ops

    for name in devices:
        with ops.device(name):
            gen_sync_ops.sync_device()
    context.sync_executors()
