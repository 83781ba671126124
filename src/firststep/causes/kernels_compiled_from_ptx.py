"""CUDA kernels are compiled for this GPU at the first start.

Symptom: the first start on a new GPU takes minutes, up to half an hour; with the CUDA cache switched off, every start.

Why: a TensorFlow build holds machine code for some GPU generations. For a newer one the driver compiles each kernel from PTX,
its portable form, and keeps the result in `~/.nv/ComputeCache` if it may.

Confirmed by: TensorFlow's own log line, with the GPU's compute capability.

Remedy: a TensorFlow that was built for this GPU; else keep what is compiled: `~/.nv/ComputeCache` on a disk that stays, with
`CUDA_CACHE_MAXSIZE=4294967296`.

Source: tensorflow/tensorflow#62320, #22043; `cuda_compute_capabilities` in `tensorflow/python/platform/build_info.py`.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.log_lines import log_lines
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.causes._logged import said
from firststep.model.findings import Evidence, Found, Gain

GROUP = "devices"
WATCHED = ("framework-log",)
FACTS = (log_lines, path, partition)
REMEDIES: tuple[str, ...] = ()


def find(given: Facts) -> Found | None:
    lines = said(given, "ptx-kernels")
    if not lines:
        return None
    later = max(0, given(partition).end - lines[0].at)
    return Found("this build has none for the GPU", Evidence(f"compute capability {lines[0].what} is not in the build"),
                 "a TensorFlow built for it; keep ~/.nv/ComputeCache, CUDA_CACHE_MAXSIZE=4294967296", "high", gain=Gain(0, later),
                 whatever_it_gains=True)
