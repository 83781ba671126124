"""A framework imports libraries that are installed beside it, and nobody needs them.

Symptom: `import tensorflow` takes half a second or more longer in one environment than in another.

Why: Keras 3 imports pandas, matplotlib and scikit-learn, and TensorFlow scipy, where they are installed: to know their types, or for a
plot that may be asked for. An environment that has them for a notebook pays for them in each start of each program.

Confirmed by: their imports lie in the framework's own; when the program was ready, no module but the framework's, and none of the
program's, held any of them, and no later sample of the main thread was in them.

Remedy: an environment of its own for the program, without them, if nothing needs them later. Boost reads their modules from one
file, as all others.

Source: `keras/src/trainers/data_adapters/array_slicing.py`, `keras/src/visualization`, `keras/src/wrappers`, of Keras 3.15.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.optional_imports import optional_imports
from firststep.causes._stretches import time_in
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import duration

GROUP = "import"
WATCHED = ("imports", "samples")
FACTS = (optional_imports,)
REMEDIES: tuple[str, ...] = ()
LEAST_NS = 20_000_000  # of a library, without the others
SHOWN = 3  # by name
SHARE = (0.7, 1.0)  # of their imports: modules of Python's own that come first with them may come later without


def find(given: Facts) -> Found | None:
    found = [one for one in given(optional_imports) if one.ns >= LEAST_NS]
    if not found:
        return None
    most = found[0]
    stretches = _outermost([stretch for one in found for stretch in one.stretches])
    cuts = tuple(Cut(start, end, *SHARE) for start, end in stretches)
    parts = ", ".join(f"{one.package} {duration(one.ns)}" for one in found[:SHOWN])
    if len(found) > 1:
        what, words = f"{most.package} and {len(found) - 1} more came along", f"{duration(time_in(cuts))} with {most.by}: {parts}"
    else:
        what, words = f"{most.package} came along", f"{parts}, with {most.by}"
    return Found(what, Evidence(words, most.line), "an environment without them, if nothing needs them", "medium", cuts)


def _outermost(stretches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(stretches, key=lambda one: (one[0], -one[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found
