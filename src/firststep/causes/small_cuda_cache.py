"""The driver's cache of compiled kernels is too small for TensorFlow's.

Symptom: kernels were compiled for this GPU, and the next start compiles them again.

Why: the cache drops its oldest kernels when it is full. TensorFlow has tens of thousands; compiled, they are more than a gigabyte.

Confirmed by: `CUDA_CACHE_MAXSIZE` below a gigabyte, and a GPU for which the build has no machine code.

Remedy: `CUDA_CACHE_MAXSIZE=4294967296`, its largest value.

Source: the CUDA C++ Programming Guide, "CUDA Environment Variables"; tensorflow/tensorflow#62320.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.gpus import gpus
from firststep.analyse.log_lines import log_lines
from firststep.analyse.path import path
from firststep.causes._logged import said
from firststep.model.findings import Evidence, Found, Gain
from firststep.model.words import size

GROUP = "devices"
WATCHED = ("framework-log", "frameworks")
FACTS = (gpus, log_lines, path)
REMEDIES: tuple[str, ...] = ()
SETTING = "CUDA_CACHE_MAXSIZE"
ENOUGH = 1 << 30  # the driver's own default


def find(given: Facts) -> Found | None:
    around = given(gpus)
    value = around.environment.get(SETTING, "") if around else ""
    if not value.isdigit() or int(value) >= ENOUGH or not said(given, "ptx-kernels"):
        return None
    return Found("kernels are dropped", Evidence(f"{SETTING} is {size(int(value))}, and kernels are compiled from PTX"),
                 f"{SETTING}=4294967296", "high", gain=Gain(0, 0), whatever_it_gains=True)
