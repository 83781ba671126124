"""XLA compiles a function anew for every shape that it meets.

Symptom: with `jit_compile=True` some steps take as long as the first one, and TensorFlow does not say that it traces again.

Why: a graph may leave a dimension open, as an `input_signature` with None or `reduce_retracing` does; a program that XLA compiles may
not. Each new shape of an argument is compiled by itself, in every process.

Confirmed by: the machine code in the process's memory: it went on growing after the functions' first calls, at least as much again as
they made, and no new trace explains it. How long it took is reckoned from the first calls: so many bytes in so many seconds. Of a GPU's
code nothing is seen there.

Remedy: few shapes: pad batches and sequences to one length, or to some; `drop_remainder=True` for the last batch.

Source: XLA's documentation, "Known issues" (dynamic shapes); measured: a step of 30 layers took 0.3 to 1.4 s for each of 24 batch sizes,
and 2 ms for one that it had met before.
"""

from __future__ import annotations

import re

from firststep.analyse.afterwards import late_spans, work_after_ready
from firststep.analyse.executions import executions
from firststep.analyse.facts import Facts
from firststep.analyse.machine_code import LABEL, machine_code
from firststep.analyse.path import path
from firststep.analyse.spans import spans, spans_by_kind
from firststep.analyse.user_lines import programs_line
from firststep.model.findings import Evidence, Found, Gain
from firststep.model.words import duration, plain_name, size

GROUP = "graph"
WATCHED = ("frameworks", "afterwards")
FACTS = (machine_code, spans_by_kind, path, late_spans, work_after_ready, executions)
REMEDIES: tuple[str, ...] = ()
AGAIN = 1.0  # of what first calls made: one more shape, as that of a last batch, is nobody's mistake
SHARE = (0.3, 1.0)  # of the time reckoned: a first call pays for what happens once in a process, too
OPEN = re.compile(r"shape=\([^)]*None")


def find(given: Facts) -> Found | None:
    code = given(machine_code)
    if code is None or not code.first or max(code.early, code.late) < code.first * AGAIN:
        return None
    is_late = code.late > code.early
    grown = code.late if is_late else code.early
    took = min(code.first_ns * grown // code.first, _most(given, is_late))
    traced = [one.span for one in spans(given, "trace") if LABEL in one.span.labels]
    one = next((span for span in traced if OPEN.search(str(span.labels.get("signature", "")))), traced[0])
    when = " after the first step" if is_late else ""
    return Found("XLA compiles again and again", Evidence(
        f"{plain_name(one.name)}: {size(grown)} of machine code more{when}, about {duration(took)}, and no new trace",
        programs_line(given, str(one.labels.get("source", "")))),
        "pad to a few shapes; drop_remainder=True", "medium",
        gain=Gain(round(took * SHARE[0]), round(took * SHARE[1])), after_ready=is_late)


def _most(given: Facts, is_late: bool) -> int:
    """What it cannot have exceeded: the work after ready, or all later calls before it."""
    if is_late:
        work = given(work_after_ready)
        return work if work is not None else 2**62
    return sum(one.later_ns for one in given(executions))
