"""Setting a distribution strategy up takes long.

Symptom: seconds inside `MirroredStrategy()` before any model exists.

Why: the strategy finds and initialises every device, and makes what its devices need to exchange gradients.

Confirmed by: the time inside the strategy's constructor.

Remedy: name only the devices that are used; no strategy where there is one device.

Source: `tensorflow/python/distribute/mirrored_strategy.py`; the third document, "inter-GPU communication pathways".
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "devices"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.0, 0.8)
SLOW_NS = 100_000_000


def find(given: Facts) -> Found | None:
    seen = outermost(spans(given, "strategy"))
    cuts = of_spans(seen, SHARE)
    if time_in(cuts) < SLOW_NS:
        return None
    return Found("devices are connected", Evidence(f"the strategy took {duration(time_in(cuts))}", line_of(given, *seen)),
                 "name only the devices that it uses; none for one device", "medium", cuts)
