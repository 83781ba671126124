"""Python itself is slow to come up: `.pth` files, many path entries, another tool's hooks.

Symptom: tenths of a second pass before the program's first import.

Why: `site` reads every `.pth` file of the environment, and runs the lines in them that begin with `import`.

Confirmed by: the time from exec to our own bootstrap, and each `.pth` file run once more by itself.

Remedy: remove packages whose `.pth` files run code, and folders of `PYTHONPATH` that the program does not need.

Source: Python's `site` module.
"""

from __future__ import annotations

import os

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.pth_files import pth_files
from firststep.causes._stretches import a_share
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import duration

GROUP = "import"
WATCHED: tuple[str, ...] = ()
FACTS = (partition, pth_files, path)
REMEDIES: tuple[str, ...] = ()
USUAL_NS = 60_000_000  # for a Python without anything in its way
SLOW_NS = 150_000_000
EXPLAINED = 0.5  # of what is more than usual: with less of it in .pth files, a busy machine may be why


def find(given: Facts) -> Found | None:
    whole = []
    for leg in given(path)[:1]:
        entered = int(leg.process.header["entered_ns"])
        whole = [Cut(piece.start, piece.end) for piece in given(partition).pieces
                 if piece.phase == phases.INTERPRETER and piece.end <= entered]
    total = sum(cut.end - cut.start for cut in whole)
    if total < SLOW_NS:
        return None
    files = given(pth_files) or ()
    named = f", {os.path.basename(files[0].path)} {duration(min(files[0].ns, total))} of it" if files else ""
    part = max(0.0, 1 - USUAL_NS / total)
    known = min(part, sum(one.ns for one in files) / total)
    return Found("before the first line", Evidence(f"Python took {duration(total)} to come up{named}"),
                 "take out of its .pth files what nothing needs", "high" if files and known >= EXPLAINED * part else "low",
                 a_share((known, part), whole))
