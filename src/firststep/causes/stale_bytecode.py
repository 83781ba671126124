"""Bytecode is there, and Python may not use it: it is older or of another size than its source says.

Symptom: the image holds `__pycache__` folders, and every start compiles all modules all the same.

Why: bytecode holds the source's modification time. A deployment that sets every file's time anew (a zip file, `git
checkout`, some container builds) makes all of it stale; where the disk is read-only, it stays so.

Confirmed by: a compilation during an import of a module whose bytecode file exists.

Remedy: `python -m compileall --invalidation-mode unchecked-hash` when the image is built: such bytecode does not look at
times. Boost keeps bytecode in its cache.

Source: PEP 552; serverless/serverless#13889.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.spans import spans_by_kind
from firststep.causes import _bytecode
from firststep.model.findings import Found

GROUP = "import"
WATCHED = ("imports",)
FACTS = (spans_by_kind, partition)
REMEDIES = ("compile-bytecode", "import-image")
DO = "boost keeps it; in the build: compileall --invalidation-mode unchecked-hash"


def find(given: Facts) -> Found | None:
    return _bytecode.compiled(given, "stale", "bytecode that its source has outdated", DO)
