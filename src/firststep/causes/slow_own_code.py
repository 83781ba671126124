"""The program's own code works for long before its first step.

Symptom: the framework is there, and one CPU is busy with something else: data are read and prepared, files parsed, tables built.

Why: what a program does before its first step is part of the start, each time anew.

Confirmed by: samples of the main thread in the program's own files, or in libraries that no place is watched in and that a line of the
program called, while it had a CPU. What waits is `main-thread-idle`.

Remedy: profile the line that is named; keep what it makes for the next start; arrays and vectorised operations instead of loops over
objects; or begin it in a process of its own before the imports.

Source: measured, as all of it: the phases *your code* and *other libraries*.
"""

from __future__ import annotations

from collections import Counter
from itertools import takewhile

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.phases import LIBRARIES, USER
from firststep.analyse.ran import ran
from firststep.model.facts import Piece, SourceLine
from firststep.model.findings import Evidence, Found, Gain
from firststep.model.words import duration

GROUP = "outside"
WATCHED = ("samples",)
FACTS = (partition, path)
REMEDIES: tuple[str, ...] = ()
FRAMEWORKS = ("-packages/tensorflow/", "-packages/keras/", "-packages/tf_keras/")  # their time is told by what they do
WORKED = 0.5  # of the time around it
LEAST_NS, LEAST_SHARE = 300_000_000, 0.1  # of the start
SHARE = (0.1, 0.9)  # of it, perhaps: what an edit makes of it nobody knows, so no forecast counts it


def find(given: Facts) -> Found | None:
    own = [piece for piece in given(partition).pieces if _is_own(piece)]
    took = sum(piece.end - piece.start for piece in own)
    if took < max(LEAST_NS, LEAST_SHARE * given(partition).wall_ns):
        return None
    lines: Counter[SourceLine] = Counter()
    for piece in own:
        if piece.verdict and piece.verdict.line:
            lines[piece.verdict.line] += piece.end - piece.start
    line, most = lines.most_common(1)[0]
    within = f", {duration(most)} in one line" if most < took else ""
    return Found("it is no framework's", Evidence(f"{duration(took)} before the first step{within}", line),
                 "profile that line; keep its result", "medium", gain=Gain(int(took * SHARE[0]), int(took * SHARE[1])))


def _is_own(piece: Piece) -> bool:
    """Whether a line of the program's works there, or what it calls of libraries that are no framework, nor called by one."""
    if piece.verdict is None or piece.verdict.line is None or piece.sample is None or piece.phase not in (USER, LIBRARIES):
        return False
    called = takewhile(lambda frame: frame.file != piece.verdict.line.file, reversed(piece.sample.stack))  # type: ignore[union-attr]
    return not any(place in frame.file for frame in called for place in FRAMEWORKS) and ran(piece) >= WORKED
