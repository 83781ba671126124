"""TensorFlow is imported, and the program ends without using it.

Symptom: a script that reads a file or draws a figure takes seconds.

Why: a helper module, or a library that has TensorFlow as an option, imports it at its top.

Confirmed by: the import's time; no runtime, trace, variable, session or data set of TensorFlow until the program's exit.

Remedy: import it inside the function that uses it, or take the import out of the module that has it as an option.

Source: the zoo's `imports_tensorflow_for_nothing.py`; keras, `transformers` and `tensorboard` are often the way in.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.heavy_imports import heavy_imports
from firststep.analyse.spans import spans_by_kind
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.trace import Trace
from firststep.model.words import duration

GROUP = "import"
WATCHED = ("imports", "frameworks")
FACTS = (heavy_imports, spans_by_kind)
REMEDIES: tuple[str, ...] = ()
PACKAGES = ("tensorflow", "keras", "tf_keras")
NO_USE = frozenset(("import", "native", "gc", "compile-source", "network", "custom-op-library", "file-read"))
SHARE = (0.9, 1.0)


def _came_to_its_end(trace: Trace) -> bool:
    """Whether all is known of what it did: nobody ended it before it could use what it imports, and nothing of the trace is lost."""
    return not (trace.cut_short or trace.header.get("lost") or trace.was_killed)


def find(given: Facts) -> Found | None:
    ready = given.trace.ready
    if (ready and ready.kind != "exit") or set(given(spans_by_kind)) - NO_USE or not _came_to_its_end(given.trace):
        return None
    imported = [one for one in given(heavy_imports) if one.package in PACKAGES]
    if not imported:
        return None
    first = min(imported, key=lambda one: one.start)
    return Found(f"{first.package} is unused", Evidence(
        f"import {first.package} took {duration(first.ns)}, and none of it ran", first.line),
        "import it where it is used, or not at all", "high",
        tuple(Cut(one.start, one.end, *SHARE) for one in imported))
