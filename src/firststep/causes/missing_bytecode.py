"""Modules are compiled from source at every start.

Symptom: imports take several times as long as on a developer's machine: in an image, a function or a job.

Why: Python keeps compiled modules in `__pycache__`. An image built without them, `PYTHONDONTWRITEBYTECODE`, or an
installer that does not compile leaves every start to compile all modules again.

Confirmed by: each compilation from source that happened during an import, and that no bytecode lay beside the source.

Remedy: `python -m compileall` on the packages when the image is built. Boost keeps the bytecode in its cache.

Source: `python -m compileall`; anomalyco/sst#6864 (5 to 8 s at each start).
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
DO = "boost keeps it; in the image build: python -m compileall"


def find(given: Facts) -> Found | None:
    return _bytecode.compiled(given, "missing", "no bytecode beside the source", DO)
