"""The program sees every GPU of the machine, and uses one.

Symptom: on a machine of eight GPUs the start takes longer than on a machine of one, and memory is taken on all eight.

Why: TensorFlow initialises each device that it can see.

Confirmed by: more than one GPU found, and neither `set_visible_devices` nor a strategy in the program.

Remedy: name the devices that are used: `CUDA_VISIBLE_DEVICES=0` in the environment, or
`tf.config.set_visible_devices(gpus[:1], "GPU")` before the first operation.

Source: the third document's first example; `tf.config.set_visible_devices`.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.devices import devices
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.spans import spans, spans_by_kind
from firststep.causes._stretches import of_phases
from firststep.model.findings import Evidence, Found

GROUP = "devices"
WATCHED = ("frameworks",)
FACTS = (devices, spans_by_kind, partition)
REMEDIES: tuple[str, ...] = ()
KIND = "GPU"


def find(given: Facts) -> Found | None:
    known = given(devices)
    number = known.found.get(KIND, 0) if known else 0
    if known is None or number < 2 or spans(given, "strategy", "cluster-wait") or any("visible" in one for one in known.asked):
        return None
    spare = 1 - 1 / number
    return Found(f"{number} GPUs for one program", Evidence(f"{number} GPUs initialised, no strategy uses them"),
                 "CUDA_VISIBLE_DEVICES=0, or tf.config.set_visible_devices", "medium",
                 of_phases(given, phases.DEVICES, share=(0.0, spare)), whatever_it_gains=True)
