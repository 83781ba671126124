"""Finding and initialising devices takes long.

Symptom: the first operation, or the first question for devices, takes seconds on a machine with GPUs.

Why: TensorFlow loads the driver's libraries, asks for every device, makes a context on each and reserves its memory.

Confirmed by: the time of the first discovery, and of the runtime's initialisation, but for what it waits for other workers.

Remedy: `CUDA_VISIBLE_DEVICES` to the devices that are used; `nvidia-persistenced` keeps the driver up between starts.

Source: `tensorflow/core/common_runtime/gpu/gpu_device.cc`; the third document.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.devices import devices
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.spans import outermost, spans, spans_by_kind
from firststep.causes._stretches import of_phases, of_spans, time_in, without
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

GROUP = "devices"
WATCHED = ("frameworks",)
FACTS = (devices, partition, spans_by_kind)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.0, 0.7)
SLOW_NS = 200_000_000


def find(given: Facts) -> Found | None:
    known = given(devices)
    others = of_spans(outermost(spans(given, "cluster-wait")))
    cuts = without(of_phases(given, phases.DEVICES, share=SHARE), others)
    if known is None or time_in(cuts) < SLOW_NS:
        return None
    found = ", ".join(count(number, kind) for kind, number in known.found.items()) or "devices"
    used = any(number for kind, number in known.found.items() if kind != "CPU")
    return Found("drivers and contexts", Evidence(
        f"{duration(time_in(cuts))} for {found}, runtime {duration(min(known.runtime_ns, time_in(cuts)))}"),
        "CUDA_VISIBLE_DEVICES; nvidia-persistenced for the driver" if used else "CUDA_VISIBLE_DEVICES=-1 where no GPU is to be used",
        "medium", cuts)
