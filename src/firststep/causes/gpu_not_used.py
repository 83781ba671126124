"""There is a GPU, or one was asked for, and the program runs on the CPU.

Symptom: the first step, and every step, takes many times as long as on another machine with the same GPU.

Why: the driver or a library of CUDA cannot be loaded, their versions do not match, or the installed TensorFlow has no GPU
support. TensorFlow then logs a line and goes on without.

Confirmed by: TensorFlow's own log lines; and that no GPU was found.

Remedy: `pip install 'tensorflow[and-cuda]'` where the build has no CUDA, a driver that matches, and no
`CUDA_VISIBLE_DEVICES` that hides the GPU.

Source: `tensorflow/core/common_runtime/gpu/gpu_device.cc` ("Cannot dlopen some GPU libraries"); `cuda_diagnostics.cc`.
"""

from __future__ import annotations

from firststep.analyse.devices import devices
from firststep.analyse.facts import Facts
from firststep.analyse.log_lines import log_lines
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.causes._logged import said
from firststep.model.findings import Evidence, Found, Gain

GROUP = "devices"
WATCHED = ("framework-log", "frameworks")
FACTS = (devices, log_lines, path, spans_by_kind)
REMEDIES: tuple[str, ...] = ()


def find(given: Facts) -> Found | None:
    lines = said(given, "gpu-libraries-missing", "no-gpu", "library-missing")
    known = given(devices)
    if not lines or (known and known.found.get("GPU")):
        return None
    named = next((line.what for line in lines if line.what), "")
    return Found("it runs on the CPU", Evidence(f"no GPU was found{f': {named}' if named else ''}"),
                 "pip install 'tensorflow[and-cuda]', and a driver that matches", "medium", gain=Gain(0, 0), whatever_it_gains=True)
