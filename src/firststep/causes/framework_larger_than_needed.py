"""A whole training framework is loaded to make one prediction with a small model.

Symptom: a command or a function answers after seconds, of which the model needs milliseconds.

Why: importing TensorFlow costs the same whatever is done with it. An interpreter of exported models loads in a fraction.

Confirmed by: imports and libraries are most of a start that only predicts, with small weights.

Remedy: export the model to LiteRT and run it with `ai-edge-litert`, which needs no TensorFlow; compare the outputs of both.

Source: the first document's second example (LiteRT, formerly TensorFlow Lite).
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.import_tree import import_tree
from firststep.analyse.loads import loads
from firststep.analyse.partition import partition
from firststep.causes._stretches import of_phases, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration, size

GROUP = "first run"
WATCHED = ("imports", "frameworks")
FACTS = (partition, loads, import_tree)
REMEDIES: tuple[str, ...] = ()
LOADING = (phases.IMPORTS, phases.NATIVE, phases.COLLECTION)
LEAST = 0.5  # of the start
SMALL = 50_000_000  # bytes of weights
SHARE = (0.5, 0.9)


def find(given: Facts) -> Found | None:
    ready = given.trace.ready
    tree = given(import_tree)
    known = given(loads)
    if ready is None or ready.kind != "predict" or not known or tree is None:
        return None
    if not any(module.name == "tensorflow" for module in tree.modules):
        return None
    weights = sum(one.bytes or 0 for one in known)
    cuts = of_phases(given, *LOADING, share=SHARE)
    if not all(one.bytes for one in known) or weights > SMALL or time_in(cuts) < given(partition).wall_ns * LEAST:
        return None
    return Found("for one small model", Evidence(f"{duration(time_in(cuts))} of loading for {size(weights)} of weights"),
                 "export to LiteRT (ai-edge-litert), and compare its outputs", "low", cuts)
