"""Python compiles modules and cannot keep what it compiled.

Symptom: the second start compiles as much as the first.

Why: the folder beside the source is read-only, belongs to another user, or `PYTHONDONTWRITEBYTECODE` is set.

Confirmed by: a compilation during an import where the bytecode's folder may not be written, or writing is switched off.

Remedy: `python -m compileall` when the image is built; no `PYTHONDONTWRITEBYTECODE` where it was not meant; or
`PYTHONPYCACHEPREFIX`, a folder of your own. Boost keeps the bytecode in its cache.

Source: `sys.dont_write_bytecode`; PEP 3147.
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
DO = "boost keeps it; or PYTHONPYCACHEPREFIX=a folder of your own"
UNSET = "boost keeps it; or unset PYTHONDONTWRITEBYTECODE, or no python -B"


def find(given: Facts) -> Found | None:
    switched_off = any("dont_write_bytecode=1" in str(process.header.get("flags", "")) for process in given.trace.processes)
    return _bytecode.compiled(given, "unwritable", "bytecode cannot be kept", UNSET if switched_off else DO)
