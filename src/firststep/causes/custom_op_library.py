"""A library of custom operations is loaded.

Symptom: `tf.load_op_library`, or an add-on that calls it, takes noticeable time.

Why: the library is mapped and linked against TensorFlow's, and its operations and kernels are registered and checked.

Confirmed by: the time of each call of `load_op_library`, `load_library` and `load_pluggable_device_library`.

Remedy: load it where an operation of it is first needed, not where the module begins.

Source: the first document, "custom operators, which require additional verification and setup".
"""

from __future__ import annotations

import os

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._custom_operations import custom_operations
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

GROUP = "import"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.0, 1.0)  # of the loads: none where it is needed


def find(given: Facts) -> Found | None:
    seen = custom_operations(given)
    if not seen:
        return None
    slowest = max(seen, key=lambda one: one.span.end - one.span.start)
    cuts = of_spans(seen, SHARE)
    return Found("custom operations are registered", Evidence(
        f"{os.path.basename(slowest.span.name)}, {count(len(seen), 'load')} in {duration(time_in(cuts))}",
        line_of(given, slowest)), "load it where it is first needed", "high", cuts)
