"""CUDA kernels are compiled for this GPU at the first start.

Symptom: the first start on a new GPU takes minutes, up to half an hour; with the CUDA cache switched off, every start.

Why: a TensorFlow build holds machine code for some GPU generations. For a newer one the driver compiles each kernel from PTX,
its portable form, and keeps the result in `~/.nv/ComputeCache` if it may.

Confirmed by: TensorFlow's own log line, with the GPU's compute capability; or that capability, as the driver names it, against
those that the build has machine code for, and what the driver's cache has gained in this start: where it gained nothing, nothing
was compiled. Where the driver keeps nothing, it is not known. What XLA compiles is no kernel of the build's (`cold-compile-cache`).

Remedy: a TensorFlow that was built for this GPU; else keep what is compiled: `~/.nv/ComputeCache` on a disk that stays, with
`CUDA_CACHE_MAXSIZE=4294967296`.

Source: tensorflow/tensorflow#62320, #22043; `cuda_compute_capabilities` in `tensorflow/python/platform/build_info.py`.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.devices import devices
from firststep.analyse.facts import Facts
from firststep.analyse.gpus import gpus, has_kernels
from firststep.analyse.log_lines import log_lines
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.causes._logged import said
from firststep.causes._stretches import of_phases
from firststep.model.findings import Evidence, Found
from firststep.model.words import size

GROUP = "devices"
WATCHED = ("framework-log", "frameworks")
FACTS = (devices, gpus, log_lines, path, partition, spans_by_kind)
REMEDIES: tuple[str, ...] = ()
WHERE = (phases.DEVICES, phases.EXECUTION)  # the driver compiles a kernel when it is first wanted
SHARE = (0.0, 0.9)


def find(given: Facts) -> Found | None:
    logged = next((line.what for line in said(given, "ptx-kernels")), "")
    capability = logged or _foreseen(given)
    around = given(gpus)
    compiled = around.compiled if around else None
    if not capability or not logged and compiled == 0:
        return None
    how_much = f"; {size(compiled)} of kernels compiled" if compiled else ""
    return Found("none built for this GPU", Evidence(f"compute capability {capability} is not in the build{how_much}"),
                 "one built for it; CUDA_CACHE_MAXSIZE=4294967296", "high" if logged or compiled else "medium",
                 of_phases(given, *WHERE, share=SHARE), whatever_it_gains=True)


def _foreseen(given: Facts) -> str:
    """The capability of a GPU in use that the build has no machine code for; empty where there is none, or it cannot be told."""
    known, around = given(devices), given(gpus)
    if not (known and known.found.get("GPU") and around and around.there) or len(around.there) != known.found["GPU"]:
        return ""  # which of them are in use is not known
    return next((one.capability for one in around.there if has_kernels(one.capability, around.built_for) is False), "")
