"""The GPU's driver is loaded at the start and unloaded at the end.

Symptom: finding the GPUs takes a second or more for each, at every start, on a machine where nothing else uses them.

Why: without a client the driver takes the GPU down, and the next program initialises it from nothing.

Confirmed by: the driver's own persistence mode (NVML), off on every GPU, and the time in which devices were found and set up.

Remedy: `nvidia-persistenced`, as a service of the machine, or `nvidia-smi -pm 1`.

Source: NVIDIA's documentation, "Driver Persistence".
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.devices import devices
from firststep.analyse.facts import Facts
from firststep.analyse.gpus import gpus
from firststep.analyse.partition import partition
from firststep.causes._stretches import of_phases, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "devices"
WATCHED = ("frameworks",)
FACTS = (devices, gpus, partition)
REMEDIES: tuple[str, ...] = ()
SLOW_NS = 500_000_000
SHARE = (0.0, 0.8)


def find(given: Facts) -> Found | None:
    known, around = given(devices), given(gpus)
    cuts = of_phases(given, phases.DEVICES, share=SHARE)
    if not (known and known.found.get("GPU") and around and around.there) or time_in(cuts) < SLOW_NS:
        return None
    if not all(one.persistent is False for one in around.there):
        return None
    return Found("the GPU is set up from nothing", Evidence(f"persistence mode is off, devices took {duration(time_in(cuts))}"),
                 "nvidia-persistenced, or nvidia-smi -pm 1", "medium", cuts)
