"""A large library of machine code is loaded, linked and registers what it has.

Symptom: a quarter of a second or more inside one extension module, before any Python of it runs.

Why: the dynamic linker maps the file, looks half a million symbols up and runs the library's initialisers, in which
TensorFlow registers its 1,900 operations and 11,000 kernels. With a cold page cache each page comes from the disk first.

Confirmed by: the time of each load of an extension module or of a library by `ctypes`.

Remedy: boost loads TensorFlow's on a thread of its own while Python imports, where there are two CPUs. By hand: `tensorflow-cpu` where no
GPU is used; another package's, imported where it is first needed.

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
from firststep.model.facts import Activity, NativeLibrary
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.ownership import INSTALLED
from firststep.model.words import count, duration, library_name

GROUP = "import"
WATCHED = ("native-libraries",)
FACTS = (native_libraries, partition, activity, gpus, path, spans_by_kind)
REMEDIES = ("overlap", "prefetch-pages")
SHARE = (0.0, 0.3)  # of the loads: the linker's work stays, what other threads do meanwhile is gained
SLOW_NS = 100_000_000  # of the slowest library
COLD = 0.2  # of the time waiting for the disk
FAMILY = "tensorflow/"  # whose libraries the remedy loads
SMALLER = "a TensorFlow build without GPU"


def find(given: Facts) -> Found | None:
    custom = custom_operations(given)  # another cause's
    asked_for = {one.span.start for one in custom}
    found = [one for one in given(native_libraries) or () if one.start not in asked_for]
    if not found:
        return None
    cuts = without(of_phases(given, phases.NATIVE, share=SHARE), of_spans(custom))
    took = {one.start: _took(one, cuts) for one in found}
    slowest = max(found, key=lambda library: took[library.start])
    if took[slowest.start] < SLOW_NS:
        return None
    waited = given(activity).get(phases.NATIVE, Activity()).disk_ns
    total = time_in(cuts)
    cold = f"; {duration(waited)} waiting for disk" if waited > total * COLD else ""
    others = _is_others(slowest)
    do, remedies = _advice(given, others, bool(cold))
    return Found("linking and initialising" if others else "linking and registering operations", Evidence(
        f"{library_name(slowest.path)} {duration(took[slowest.start])} of {duration(total)}, "
        f"{count(len(found), 'library', 'libraries')}{cold}"),
        do, "high", cuts, remedies=remedies)


def _advice(given: Facts, others: bool, cold: bool) -> tuple[str, tuple[str, ...]]:
    """What to do, and what of boost's does it: on one CPU nothing can be done beside a load."""
    alone = given.trace.header.get("host", {}).get("usable_cpus") == 1
    remedies = REMEDIES if not (others or alone) else REMEDIES[1:] if cold else ()
    around = given(gpus)
    of_cpus = others or around is None or around.built is False or beside_a_device(given)  # or another framework's
    if not remedies:
        return "import it where it is first needed" if of_cpus else SMALLER, ()
    do = "boost loads it beside Python" if remedies == REMEDIES else "boost reads it ahead"
    return do + ("" if of_cpus else f"; less of it: {SMALLER}"), remedies


def _is_others(library: NativeLibrary) -> bool:
    """Whether it is of an installed package that is not TensorFlow: boost loads none of these beside Python."""
    inside = INSTALLED.match(library.path)
    return inside is not None and not library.path[inside.end():].startswith(FAMILY)


def _took(library: NativeLibrary, cuts: tuple[Cut, ...]) -> int:
    """What a load took of the phase: without the imports and collections within it, and nothing where another thread made it."""
    return time_in(cut for cut in cuts if library.start <= cut.start < library.start + library.ns)
