"""A large library of machine code is loaded, linked and registers what it has.

Symptom: a quarter of a second or more inside one extension module, before any Python of it runs.

Why: the dynamic linker maps the file, looks half a million symbols up and runs the library's initialisers, in which
TensorFlow registers its 1,900 operations and 11,000 kernels. With a cold page cache each page comes from the disk first.

Confirmed by: the time of each load of an extension module or of a library by `ctypes`.

Remedy: boost loads it on a thread of its own while Python imports. By hand: `tensorflow-cpu` where no GPU is used.

Source: `dlopen(3)`; `tensorflow/core/framework/op.h`; the first document, "registering operators".
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.activity import activity
from firststep.analyse.facts import Facts
from firststep.analyse.gpus import gpus
from firststep.analyse.native_libraries import native_libraries
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.causes._custom_operations import custom_operations
from firststep.causes._replayed import beside_a_device
from firststep.causes._stretches import of_phases, of_spans, time_in, without
from firststep.model.facts import Activity
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration, library_name

GROUP = "import"
WATCHED = ("native-libraries",)
FACTS = (native_libraries, partition, activity, gpus, path, spans_by_kind)
REMEDIES = ("overlap", "prefetch-pages")
SHARE = (0.0, 0.3)  # of the loads: the linker's work stays, what other threads do meanwhile is gained
SLOW_NS = 100_000_000  # of the slowest library
COLD = 0.2  # of the time waiting for the disk


def find(given: Facts) -> Found | None:
    custom = custom_operations(given)  # another cause's
    asked_for = {one.span.start for one in custom}
    found = [one for one in given(native_libraries) or () if one.start not in asked_for]
    if not found:
        return None
    slowest = max(found, key=lambda library: library.ns)
    if slowest.ns < SLOW_NS:
        return None
    waited = given(activity).get(phases.NATIVE, Activity()).disk_ns
    cuts = without(of_phases(given, phases.NATIVE, share=SHARE), of_spans(custom))
    total = time_in(cuts)
    cold = f"; {duration(waited)} waiting for disk" if waited > total * COLD else ""
    around = given(gpus)
    of_cpus = around is None or around.built is False or beside_a_device(given)  # or another framework's
    smaller = "" if of_cpus else "; less of it: a TensorFlow build without GPU"
    return Found("linking and registering operations", Evidence(
        f"{library_name(slowest.path)} {duration(slowest.ns)} of {duration(total)}, {count(len(found), 'library', 'libraries')}{cold}"),
        f"boost loads it beside Python{smaller}", "high", cuts)
