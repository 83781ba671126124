"""All CUDA kernels are loaded when the first is needed.

Symptom: the first operation on the GPU takes seconds, and memory of the GPU is used before anything ran.

Why: `CUDA_MODULE_LOADING=EAGER` has the driver load every kernel of each library at once; since CUDA 11.7 it can load each when
it is first called.

Confirmed by: the setting, as the program had it, and a GPU that TensorFlow found.

Remedy: `CUDA_MODULE_LOADING=LAZY`, which is the default since CUDA 12.2.

Source: the CUDA C++ Programming Guide, "Lazy Loading".
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.devices import devices
from firststep.analyse.facts import Facts
from firststep.analyse.gpus import gpus
from firststep.analyse.partition import partition
from firststep.causes._stretches import of_phases
from firststep.model.findings import Evidence, Found

GROUP = "devices"
WATCHED = ("frameworks",)
FACTS = (devices, gpus, partition)
REMEDIES: tuple[str, ...] = ()
SETTING = "CUDA_MODULE_LOADING"
WHERE = (phases.DEVICES, phases.EXECUTION)
SHARE = (0.0, 0.5)


def find(given: Facts) -> Found | None:
    known, around = given(devices), given(gpus)
    if not (known and known.found.get("GPU") and around) or around.environment.get(SETTING, "").strip().upper() != "EAGER":
        return None
    return Found("every kernel at once", Evidence(f"{SETTING}={around.environment[SETTING]}"), f"{SETTING}=LAZY", "medium",
                 of_phases(given, *WHERE, share=SHARE), whatever_it_gains=True)
