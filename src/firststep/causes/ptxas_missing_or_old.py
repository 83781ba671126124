"""XLA compiles through the driver, because `ptxas` is missing or too old.

Symptom: compilation for the GPU is slow, and its results are not kept.

Why: XLA hands its code to `ptxas`. Where it finds none, or one older than the driver, the driver compiles instead.

Confirmed by: XLA's log lines "Relying on driver to perform ptx compilation", "Your CUDA software stack is old".

Remedy: install `nvidia-cuda-nvcc` of the CUDA version that TensorFlow was built with, and put its `ptxas` on `PATH`.

Source: `xla/stream_executor/gpu/asm_compiler.cc`; the third document, "compilation of CUDA kernels".
"""

from __future__ import annotations

from firststep.analyse.facts import NATIVE_LOG, Facts
from firststep.analyse.log_lines import log_lines
from firststep.analyse.path import path
from firststep.causes._logged import said
from firststep.model.findings import Evidence, Found, Gain

GROUP = "devices"
WATCHED = ("framework-log", NATIVE_LOG)
FACTS = (log_lines, path)
REMEDIES: tuple[str, ...] = ()


def find(given: Facts) -> Found | None:
    lines = said(given, "ptx-driver", "ptxas-old")
    if not lines:
        return None
    return Found("the driver compiles instead", Evidence("XLA relies on the driver for PTX"),
                 "install nvidia-cuda-nvcc of the CUDA version, and put ptxas on PATH", "high", gain=Gain(0, 0), whatever_it_gains=True)
