"""An installed version is known to start slowly.

Symptom: the start is slower than a colleague's on the same machine.

Why: some versions have, or lack, a change that matters to starts.

Confirmed by: Python's version in the trace, against a table.

Remedy: the newer version that the finding names, where the program allows it.

Source: What's New in Python 3.11, "Faster startup": the interpreter's own start 10 to 15% faster, by frozen modules. Of a start of
TensorFlow that is some milliseconds, and no more was seen.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.model.findings import Evidence, Found, Gain

GROUP = "machine"
WATCHED: tuple[str, ...] = ()
FACTS: tuple[()] = ()
REMEDIES: tuple[str, ...] = ()
SLOW = {"python": ((3, 11), "the interpreter itself starts 10 to 15% faster from 3.11 on")}


def find(given: Facts) -> Found | None:
    versions = [str(process.header.get("python", "")).split()[:1] for process in given.trace.processes[:1]]
    if not versions or not versions[0]:
        return None
    version = versions[0][0]
    since, why = SLOW["python"]
    if tuple(int(part) for part in version.split(".")[:2] if part.isdigit()) >= since:
        return None
    return Found("an older Python", Evidence(f"Python {version}; {why}"), "a newer Python, where the program allows", "medium",
                 gain=Gain(0, 0), whatever_it_gains=True)
