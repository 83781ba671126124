"""TensorFlow is imported, and the program ends without using it.

Symptom: a script that reads a file or draws a figure takes seconds.

Why: a helper module, or a library that has TensorFlow as an option, imports it at its top.

Confirmed by: the import's time; no runtime, trace, variable, session or data set of TensorFlow until the program's exit, nor a sample in
which the program called it; and that nothing in the source of the program's modules names it, but functions that nothing calls. Where a
function names it that may have been called, or another library that was loaded has it, or not all of the source can be read, it may have
been used without any of these (`tf.io.gfile`, `TFRecordWriter`, `keras.utils`): then the finding is of low confidence. Where it is named
by what runs as a file is imported, there is none.

Remedy: import it inside the function that uses it, or take the import out of the module that has it as an option.

Source: the zoo's `imports_tensorflow_for_nothing.py`; keras, `transformers` and `tensorboard` are often the way in.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.heavy_imports import heavy_imports
from firststep.analyse.holders import OF_THE_PROGRAM, holders
from firststep.analyse.path import path
from firststep.analyse.spans import outermost, spans, spans_by_kind
from firststep.model.facts import HeavyImport
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.framework_named import NOWHERE, USED
from firststep.model.ownership import USER, Ownership
from firststep.model.trace import Process, Trace
from firststep.model.words import duration

GROUP = "import"
WATCHED = ("imports", "frameworks")
FACTS = (heavy_imports, holders, path, spans_by_kind)
REMEDIES: tuple[str, ...] = ()
PACKAGES = ("tensorflow", "keras", "tf_keras")
OF_THEIR_OWN = (*PACKAGES, OF_THE_PROGRAM, "tensorboard", "tensorflow_estimator")  # who has them without a use of the program's
NO_USE = frozenset(("import", "native", "gc", "compile-source", "network", "custom-op-library", "file-read"))
SHARE = (0.9, 1.0)
UNPROVED = (0.0, 1.0)  # what is used somewhere is imported there


def _came_to_its_end(trace: Trace) -> bool:
    """Whether all is known of what it did: nobody ended it before it could use what it imports, and nothing of the trace is lost."""
    return not (trace.cut_short or trace.header.get("lost") or trace.was_killed)


def find(given: Facts) -> Found | None:
    ready, named = given.trace.ready, given.trace.header.get("framework_named")
    if (ready and ready.kind != "exit") or set(given(spans_by_kind)) - NO_USE or not _came_to_its_end(given.trace) or named == USED:
        return None
    imported = [one for one in given(heavy_imports) if one.package in PACKAGES]
    if not imported or _was_called(given, imported):
        return None
    first = min(imported, key=lambda one: one.start)
    proved = named == NOWHERE and not _others_have_it(given)
    cuts = tuple(Cut(one.start, one.end, *(SHARE if proved else UNPROVED)) for one in imported)
    took = f"import {first.package} took {duration(first.ns)}"
    if proved:
        return Found(f"{first.package} is unused", Evidence(f"{took}, and none of it ran", first.line),
                     "import it where it is used, or not at all", "high", cuts)
    return Found("it may be unused", Evidence(f"{took}, no graph or data set of it ran", first.line),
                 "import it where it is used, or not at all", "low", cuts)


def _was_called(given: Facts, imported: list[HeavyImport]) -> bool:
    """Whether a sample after the import was in one of the packages, called by the program."""
    after = min(one.end for one in imported)
    return any(_calls(given, process, after) for process in {id(leg.process): leg.process for leg in given(path)}.values())


def _calls(given: Facts, process: Process, after: int) -> bool:
    owners = Ownership(process.header)
    importing = [(seen.span.start, seen.span.end) for seen in outermost(spans(given, "import")) if seen.process is process]
    later = [sample for sample in process.samples
             if sample.at > after and not any(start <= sample.at < end for start, end in importing)]
    stacks = {id(sample.stack): sample.stack for sample in later}.values()
    return any(owners.of(inner.file).package in PACKAGES and any(owners.of(outer.file).kind == USER for outer in stack[:place])
               for stack in stacks for place, inner in enumerate(stack))


def _others_have_it(given: Facts) -> bool:
    """Whether a library that is no framework holds something of one: the program may use it by that."""
    known = given(holders)
    return known is None or any(set(by) - set(OF_THEIR_OWN) for module, by in known.items() if module.partition(".")[0] in PACKAGES)
