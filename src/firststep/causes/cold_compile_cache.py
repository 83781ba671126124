"""XLA compiles the same functions in every process.

Symptom: with `jit_compile=True`, or a GPU, the first step takes much longer than without.

Why: XLA's compilations live as long as the process unless a persistent cache is named.

Confirmed by: the time of calls of functions that XLA compiles as a whole, or waiting for it to compile those inside.

Remedy: boost keeps what XLA compiles, on CPUs with TensorFlow 2.16 and later, on GPUs with 2.21. Else
`TF_XLA_FLAGS=--tf_xla_persistent_cache_directory=FOLDER`, a folder for each version of TensorFlow and each kind of device.

Source: `tensorflow/compiler/jit/device_compilation_profiler.cc`; measured: ResNet50, 22.6 to 16.8 s with TensorFlow's cache.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.graph_work import graph_work
from firststep.analyse.identity import identity
from firststep.analyse.partition import partition
from firststep.analyse.spans import spans_by_kind
from firststep.causes._replayed import beside_a_device
from firststep.causes._stretches import of_phases, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration, plain_name

GROUP = "graph"
WATCHED = ("frameworks",)
FACTS = (graph_work, identity, partition, spans_by_kind)
REMEDIES = ("cache-functions",)
KEPT_SINCE = {"CPU": (2, 16), "GPU": (2, 21)}  # keep/xla_programs.py
SHARE = (0.2, 0.9)
SLOW_NS = 100_000_000


def find(given: Facts) -> Found | None:
    cuts = of_phases(given, phases.COMPILE, share=SHARE)
    if time_in(cuts) < SLOW_NS:
        return None
    most = max(given(graph_work), key=lambda one: one.compile_ns, default=None)
    name = f", {plain_name(most.name)} {duration(most.compile_ns)}" if most else ""
    remedies = REMEDIES if _is_kept(given) else ()
    do = "boost keeps what XLA compiles" if remedies else "TF_XLA_FLAGS=--tf_xla_persistent_cache_directory=FOLDER"
    return Found("XLA starts from nothing", Evidence(f"{duration(time_in(cuts))} compiling{name}"), do, "medium", cuts,
                 remedies=remedies)


def _is_kept(given: Facts) -> bool:
    packages = given(identity).packages
    version = packages.get("tensorflow") or packages.get("tensorflow-cpu") or ""
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    return numbers >= KEPT_SINCE["GPU" if beside_a_device(given) else "CPU"]
