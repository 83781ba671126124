"""There is a GPU, or one was asked for, and the program runs on the CPU.

Symptom: the first step, and every step, takes many times as long as on another machine with the same GPU.

Why: the driver or a library of CUDA cannot be loaded, their versions do not match, or the installed TensorFlow has no GPU
support. TensorFlow then logs a line and goes on without.

Confirmed by: that TensorFlow found no GPU, and that the driver's library (NVML) names one, TensorFlow logged that it cannot use
one, or `CUDA_VISIBLE_DEVICES` asks for one. What the environment hides (`CUDA_VISIBLE_DEVICES=-1`) is meant to be hidden.

Remedy: `pip install 'tensorflow[and-cuda]'` where the build has no CUDA, a driver that matches, and no
`CUDA_VISIBLE_DEVICES` that names a GPU which is not there. Where the libraries are installed and not found, their folders
(`nvidia/*/lib` in site-packages) in `LD_LIBRARY_PATH`: TensorFlow 2.21's wheel looks for all of them but cuSOLVER.

Source: `tensorflow/core/common_runtime/gpu/gpu_device.cc` ("Cannot dlopen some GPU libraries"); `cuda_diagnostics.cc`. Lines about
drivers and libraries alone prove nothing: they come on every machine without a GPU (tensorflow/tensorflow#37689).
"""

from __future__ import annotations

from firststep.analyse.devices import devices
from firststep.analyse.facts import Facts
from firststep.analyse.gpus import gpus
from firststep.analyse.log_lines import log_lines
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.causes._logged import said
from firststep.model.facts_frameworks import Gpus
from firststep.model.findings import Evidence, Found, Gain, Level

GROUP = "devices"
WATCHED = ("framework-log", "frameworks")
FACTS = (devices, gpus, log_lines, path, spans_by_kind)
REMEDIES: tuple[str, ...] = ()
INSTALL = "pip install 'tensorflow[and-cuda]'"
UNKNOWN = Gpus(None, None, (), {}, None)


def find(given: Facts) -> Found | None:
    known, around = given(devices), given(gpus) or UNKNOWN
    unusable = said(given, "gpu-libraries-missing")
    looked = known is not None and not known.found.get("GPU")
    if not (unusable or looked) or (known and known.found.get("GPU")) or around.visible == "":
        return None
    there = next((one.name for one in around.there or ()), "a GPU" if unusable else "")
    if not (there or around.visible):
        return None
    why, do, confidence = _why(given, around, bool(there))
    evidence = f"{there or f'CUDA_VISIBLE_DEVICES={around.visible}'} but {why}"
    return Found("it runs on the CPU", Evidence(evidence), do, confidence, gain=Gain(0, 0), whatever_it_gains=True,
                 costs_every_step=confidence == "high")  # else it may be meant


def _why(given: Facts, around: Gpus, there: bool) -> tuple[str, str, Level]:
    """(why none is used, what to do, how sure that is)"""
    missing = next((line.what for line in said(given, "library-missing")), "")
    if around.built is False:
        return "this TensorFlow was built without GPUs", INSTALL, "medium"
    if missing:
        return f"{missing} cannot be loaded", INSTALL, "high" if there else "medium"
    if said(given, "gpu-libraries-missing"):
        return "a library of CUDA cannot be loaded", f"{INSTALL}; their folders in LD_LIBRARY_PATH", "high" if there else "medium"
    if there and around.visible and around.visible.isdigit() and int(around.visible) >= len(around.there or ()) > 0:
        return f"CUDA_VISIBLE_DEVICES={around.visible} names another", "name one that is there: they count from 0", "high"
    failed = next((f": {line.what}" for line in said(given, "no-gpu") if line.what), "")
    return f"TensorFlow found none{failed}", f"a driver that matches; {INSTALL}", "high" if there else "medium"
