"""All memory of every visible GPU is taken at the start.

Symptom: a second program on the same GPU fails, or falls back to the CPU; `nvidia-smi` shows a small model with all memory.

Why: unless memory growth is asked for, TensorFlow reserves nearly all memory of a device when it initialises it.

Confirmed by: a GPU found, and no `set_memory_growth` nor a logical device with a limit.

Remedy: `TF_FORCE_GPU_ALLOW_GROWTH=true`, or `tf.config.experimental.set_memory_growth`, where others share the GPU. It may
make later steps slower.

Source: the third document; the TensorFlow guide "Use a GPU".
"""

from __future__ import annotations

from firststep.analyse.devices import devices
from firststep.analyse.facts import Facts
from firststep.model.findings import Evidence, Found, Gain

GROUP = "devices"
WATCHED = ("frameworks",)
FACTS = (devices,)
REMEDIES: tuple[str, ...] = ()
ASKED = ("memory_growth", "logical_device")


def find(given: Facts) -> Found | None:
    known = given(devices)
    if known is None or not known.found.get("GPU") or any(word in one for one in known.asked for word in ASKED):
        return None
    return Found("memory growth is off", Evidence(f"{known.found['GPU']} GPU found, its memory taken whole"),
                 "TF_FORCE_GPU_ALLOW_GROWTH=true, where others share the GPU", "high", gain=Gain(0, 0), whatever_it_gains=True)
