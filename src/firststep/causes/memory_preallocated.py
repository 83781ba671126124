"""All memory of every visible GPU is taken at the start.

Symptom: a second program on the same GPU fails, or falls back to the CPU; `nvidia-smi` shows a small model with all memory.

Why: unless memory growth is asked for, TensorFlow reserves nearly all memory of a device when it initialises it. On an H100 the first
operation waited about a second for that.

Confirmed by: a GPU found, and no `set_memory_growth` nor a logical device with a limit, nor growth by the environment. Where a
session of TensorFlow 1's kind is made, its own options decide, which are not seen.

Remedy: `TF_FORCE_GPU_ALLOW_GROWTH=true`, or `tf.config.experimental.set_memory_growth`, where others share the GPU. It may
make later steps slower.

Source: the third document; the TensorFlow guide "Use a GPU".
"""

from __future__ import annotations

from firststep.analyse.devices import devices
from firststep.analyse.facts import Facts
from firststep.analyse.gpus import gpus
from firststep.analyse.spans import spans, spans_by_kind
from firststep.model.findings import Evidence, Found, Gain
from firststep.model.words import count

GROUP = "devices"
WATCHED = ("frameworks",)
FACTS = (devices, gpus, spans_by_kind)
REMEDIES: tuple[str, ...] = ()
SETTING = "TF_FORCE_GPU_ALLOW_GROWTH"


def find(given: Facts) -> Found | None:
    known, around = given(devices), given(gpus)
    if known is None or not known.found.get("GPU") or any(map(_bounds, known.asked)) or spans(given, "session-create"):
        return None
    if around and around.environment.get(SETTING, "").strip().lower() == "true":
        return None
    number = known.found["GPU"]
    return Found("memory growth is off", Evidence(f"{count(number, 'GPU')} found, {'its' if number == 1 else 'their'} memory taken whole"),
                 "TF_FORCE_GPU_ALLOW_GROWTH=true, where others share the GPU", "high", gain=Gain(0, 0), whatever_it_gains=True)


def _bounds(asked: str) -> bool:
    """Whether this call, in words, keeps memory from being taken whole."""
    return "logical_device" in asked or ("memory_growth" in asked and not asked.endswith("False)"))
