"""Building the model takes long: layers, their shapes and their calls on symbols.

Symptom: seconds pass between the import and `fit`, with no file read and no step run.

Why: Keras calls each layer once on symbols to learn its shapes, in Python; a deep functional model, or one that is built
twice, pays for each layer.

Confirmed by: the time inside the construction of models and layers, without variables, traces and files in it, nor what computes initial
values that only shapes are wanted of (`expensive-initialiser`).

Remedy: iterate on a smaller model; build it once where the program builds it again.

Source: `keras/src/models/functional.py`; the first and the third document.
"""

from __future__ import annotations

import re
from collections import Counter

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.own_initial_values import own_placeholders
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._stretches import of_own_values, of_phases, of_spans, outside, time_in, without
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration

GROUP = "variables"
WATCHED = ("frameworks",)
FACTS = (own_placeholders, partition, spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.0, 0.5)  # only a smaller model, or fewer of them, would be faster
SLOW_NS = 200_000_000
NUMBER = re.compile(r"_\d+$")  # that Keras gives a second model of the same name


def find(given: Facts) -> Found | None:
    others = of_spans(spans(given, "graph-import", "optimizer-build"))  # of a SavedModel, and of what trains: other causes'
    values = of_own_values(given(own_placeholders))
    cuts = outside(without(of_phases(given, phases.MODEL, share=SHARE), others), values)
    if time_in(cuts) < SLOW_NS:
        return None
    seen = outermost(spans(given, "model-build"))
    layers = max((int(one.span.labels.get("layers", 0)) for one in seen), default=0)
    deep = f", {layers} layers in the largest" if layers else ""
    return Found("layer by layer, in Python", Evidence(f"{duration(time_in(cuts))} to build{deep}", line_of(given, *seen)),
        f"{'build it once; ' if _is_built_again(given) else ''}iterate on a smaller one", "medium", cuts)


def _is_built_again(given: Facts) -> bool:
    """Whether two models of one name, but for Keras's number, have as many layers."""
    models = [one.span.labels for one in spans(given, "model-build") if one.span.labels.get("layers")]
    alike = Counter((NUMBER.sub("", str(labels.get("name"))), labels["layers"]) for labels in models)
    return any(number > 1 for number in alike.values())
