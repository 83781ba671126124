"""The first execution takes much longer than the next.

Symptom: the graph is there, and its first run still takes long; or eager operations are slow at first.

Why: kernels are made, memory is allocated, oneDNN and cuDNN choose and prepare their code, for each operation and shape. A step that
fetches its own batch, as that of `fit`, waits for the input pipeline as well: that wait is the data's (`slow-first-batch`). Where it
could not be told from the step, and may have taken long, the finding says so. Where a model is compiled with `steps_per_execution`, the
first call makes as many steps before anything of the first is seen.

Confirmed by: the first execution of each function, less its optimisation and less the filling of a cache or a shuffle's buffer within
it, against the later ones before ready.

Remedy: a request of each shape before traffic comes; fewer distinct shapes, by padding, where there are several; a smaller batch
while you try things, for the first step is a part of it; a smaller `steps_per_execution`, which saves no work, but shows the first loss
sooner. Where the step fetches its batch, the time of `next(iter(dataset))` by itself
tells how much of it is the pipeline's.

Source: `oneDNN` primitive caches; cuDNN's heuristics; the fifth document, "hardware resource allocation".
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.data import data
from firststep.analyse.executions import executions
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.shares import shares
from firststep.analyse.spans import spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._first_batch import fetched_in_the_first_step, filled_in_the_first_step
from firststep.causes._stretches import of_phases, time_in, without
from firststep.model.facts_frameworks import Execution
from firststep.model.findings import Evidence, Found
from firststep.model.words import duration, plain_name

GROUP = "first run"
WATCHED = ("frameworks",)
FACTS = (executions, data, partition, spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.0, 0.8)
SLOW_NS = 150_000_000
TOGETHER = "a smaller steps_per_execution while you try things"
FETCHED = "time next(iter(dataset)) alone; prefetch, parallel map"
KINDS = ("first-execution", "session-run-first", "session-run", "first-call")


def find(given: Facts) -> Found | None:
    cuts = without(of_phases(given, phases.EXECUTION, share=SHARE), filled_in_the_first_step(given))  # that is told as what it is
    if time_in(cuts) < SLOW_NS:
        return None
    known = given(executions)
    serves = given.trace.ready is not None and given.trace.ready.kind == "predict"
    took = shares(given, phases.EXECUTION, "first-call") | shares(given, phases.EXECUTION, "first-execution")
    most = max(took, key=lambda name: took[name], default="")
    seen = spans(given, *KINDS)
    fetched = fetched_in_the_first_step(given)
    steps = max((one.steps for one in known if one.name == most), default=1)
    what = f"up to {steps:,} steps in one call" if steps > 1 else "kernels, and the first batch" if fetched else "kernels are prepared"
    evidence = Evidence(f"{duration(time_in(cuts))} of first runs{_words(most, took[most], known)}",
                        line_of(given, *([one for one in seen if one.span.name == most] or seen)))
    return Found(what, evidence, TOGETHER if steps > 1 else FETCHED if fetched else _advice(known, serves), "low", cuts)


def _words(name: str, ns: int, known: tuple[Execution, ...]) -> str:
    """What most of it was, of the phase, and what its later runs took."""
    later = "".join(f", later runs {duration(one.later_ns // one.later)}" for one in known if one.name == name and one.later)
    return f", {plain_name(name)} {duration(ns)}{later}" if name else ""


def _advice(known: tuple[Execution, ...], serves: bool) -> str:
    """Padding helps where one function ran for the first time in several shapes."""
    several = len({plain_name(one.name) for one in known}) < len(known)
    what = "fewer distinct shapes, by padding" if several else "a smaller batch while you try things"
    if serves:
        return f"a warm-up request before traffic{', of few shapes' if several else ''}"
    return what
