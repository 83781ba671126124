"""A native library is looked for and cannot be loaded.

Symptom: time before a warning such as "Could not load dynamic library", or silently lost.

Why: a framework tries optional libraries (CUDA, oneDNN, an extension module of another version), and each attempt searches
the linker's paths, and maps what it then refuses.

Confirmed by: loads of extension modules and of libraries by `ctypes` that ended in an error.

Remedy: install the library, or remove the package that asks for it.

Source: `dlopen(3)`; TensorFlow's `dso_loader.cc`.
"""

from __future__ import annotations

import os

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

GROUP = "import"
WATCHED = ("native-libraries",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()


def find(given: Facts) -> Found | None:
    seen = [one for one in spans(given, "native") if one.span.labels.get("failed")]
    if not seen:
        return None
    slowest = max(seen, key=lambda one: one.span.end - one.span.start)
    cuts = of_spans(seen)
    return Found("libraries that do not load", Evidence(
        f"{os.path.basename(slowest.span.name)}, {count(len(seen), 'attempt')} in {duration(time_in(cuts))}",
        line_of(given, *seen)),
        "install it, or remove the package that asks for it", "high", cuts)
