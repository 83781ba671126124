"""The driver may not keep what it compiles for the GPU.

Symptom: a start that compiles kernels takes as long every time as the first time.

Why: the driver compiles kernels for which there is no machine code, and keeps them in `~/.nv/ComputeCache`; `CUDA_CACHE_DISABLE=1`
forbids that.

Confirmed by: the setting, as the program had it, and a GPU that TensorFlow found.

Remedy: no `CUDA_CACHE_DISABLE`; where the home folder does not last, `CUDA_CACHE_PATH` on a disk that does.

Source: the CUDA C++ Programming Guide, "CUDA Environment Variables"; tensorflow/tensorflow#22043.
"""

from __future__ import annotations

from firststep.analyse.devices import devices
from firststep.analyse.facts import Facts
from firststep.analyse.gpus import gpus
from firststep.model.findings import Evidence, Found, Gain

GROUP = "devices"
WATCHED = ("frameworks",)
FACTS = (devices, gpus)
REMEDIES: tuple[str, ...] = ()
SETTING = "CUDA_CACHE_DISABLE"


def find(given: Facts) -> Found | None:
    known, around = given(devices), given(gpus)
    if not (known and known.found.get("GPU") and around) or around.environment.get(SETTING, "0").strip() in ("", "0"):
        return None
    return Found("every start compiles anew", Evidence(f"{SETTING}={around.environment[SETTING]}"),
                 f"no {SETTING}; CUDA_CACHE_PATH on a disk that stays", "high", gain=Gain(0, 0), whatever_it_gains=True)
