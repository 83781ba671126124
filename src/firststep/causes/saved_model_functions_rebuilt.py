"""A SavedModel's functions are all rebuilt before one of them is called.

Symptom: `load_model` of a folder, or `tf.saved_model.load`, takes many times as long as reading its weights.

Why: a SavedModel holds a graph for every function that was ever traced; loading rebuilds each of them in Python, signatures,
training functions and all, though a server calls one. The functions that save and restore grow with all that was saved, the slots of an
optimizer as well; `model.export` saves each variable twice.

Confirmed by: the time inside the loader, and that many of the operations in its function library are of functions that nothing needs which
the program called, or save and restore values that these do not use. What a SavedModel of the called function alone would have is not
counted to them.

Remedy: save one `tf.function` on a `tf.Module` that holds the variables, by `tf.saved_model.save`, and call that one after loading.
Weights loaded into a model that is built in code do without the loader; a large model takes longer to build and trace than that saves.

Source: `tensorflow/python/saved_model/load.py`; reported: 47 s against 9 s with weights loaded into a model built in code; measured: 2.3 s
slower so for a ResNet50 saved by `model.export`, which takes 207 MB, and 104 MB as one function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, outermost, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration, plain_name

GROUP = "weights"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
SAVER = ("_traced_save", "_traced_restore")  # functions that every SavedModel has
SIGNATURE = "signature_wrapper"  # how the names begin of those that stand around what is called; of one call's, there is one
MUCH = 0.3  # of the operations
AT_LEAST = 0.5  # of that part of the time
SLOW_NS = 100_000_000


class _Rebuilt(NamedTuple):
    """A function of the library. inputs: its arguments and the variables that it uses; calls: functions by name."""

    operations: int
    inputs: int
    calls: tuple[str, ...]


def find(given: Facts) -> Found | None:
    loads = [one for one in spans(given, "model-load") if one.span.labels.get("format") == "saved_model"]
    inside = tuple(one for one in spans(given, "graph-import")
                   if any(load.span.start <= one.span.start < load.span.end for load in loads))
    library = _library(inside)
    part = _spare(library, _called(given)) / max(1, _operations(library, library))
    cuts = of_spans(outermost(inside), (part * AT_LEAST, part))
    if part < MUCH or time_in(cuts) < SLOW_NS:
        return None
    took = time_in(of_spans(one for one in inside if "rebuilt" in one.span.labels))
    return Found("all, for one call", Evidence(
        f"{count(len(library), 'function')} rebuilt in {duration(took)}, {part:.0%} of their operations for no call",
        line_of(given, *loads)), "save the one function that is called, on a tf.Module", "high", cuts)


def _library(inside: Iterable[Seen]) -> dict[str, _Rebuilt]:
    """The functions that were rebuilt, by name; none where the trace is of a version that did not tell them."""
    rows = [row for one in inside for row in one.span.labels.get("rebuilt", ())]
    return {str(name): _Rebuilt(int(operations), int(inputs), tuple(map(str, calls))) for name, operations, inputs, calls in rows}


def _called(given: Facts) -> set[str]:
    """Functions by name that were called, or that a traced one calls."""
    run = {one.span.name for one in spans(given, "first-call", "graph-optimise", "xla-compile", "first-execution")}
    return run.union(*(map(str, one.span.labels.get("calls", ())) for one in spans(given, "trace")))


def _spare(library: Mapping[str, _Rebuilt], called: set[str]) -> float:
    """Operations that a SavedModel of the called functions alone would not hold. Where none was called yet, as in a server that waits, it
    is taken to be the one of which most hangs."""
    saver = {name for name in library if plain_name(name) in SAVER}
    if not saver:
        return 0.0  # their names were taken out of the trace, and others' with them
    others = sorted(set(library) - saver)
    entries = called & set(others) or set(sorted(others, key=lambda name: _operations(library, _below(library, {name})))[-1:])
    needed = _below(library, entries)
    values = max((library[name].inputs for name in saver), default=0)
    used = min(1.0, sum(library[name].inputs for name in entries) / values) if values else 1.0
    return _operations(library, set(others) - needed - _one_signature(others, needed)) + (1 - used) * _operations(library, saver)


def _one_signature(others: list[str], needed: set[str]) -> set[str]:
    """The saver gives a single function a signature of its own accord: one, where none is called, is nobody's to leave out."""
    found = [name for name in others if plain_name(name).startswith(SIGNATURE)]
    return set() if needed & set(found) else set(found[:1])


def _below(library: Mapping[str, _Rebuilt], names: set[str]) -> set[str]:
    """These functions, and all that they call."""
    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name in library and name not in found:
            found.add(name)
            left += library[name].calls
    return found


def _operations(library: Mapping[str, _Rebuilt], names: Iterable[str]) -> int:
    return sum(library[name].operations for name in names)
