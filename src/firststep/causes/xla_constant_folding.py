"""XLA computes large constants while it compiles.

Symptom: compilation stands still, and XLA logs "Constant folding an instruction is taking > 1s".

Why: an expression of constants (a large `iota`, a mask, a table) is worked out at compile time by a slow interpreter.

Confirmed by: XLA's own log line.

Remedy: pass the array as an argument of the function instead of a constant in it.

Source: `xla/service/hlo_constant_folding.cc`.
"""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.facts import NATIVE_LOG, Facts
from firststep.analyse.log_lines import log_lines
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.causes._logged import said
from firststep.causes._stretches import of_phases
from firststep.model.findings import Evidence, Found
from firststep.model.words import count

GROUP = "graph"
WATCHED = ("framework-log", NATIVE_LOG)
FACTS = (log_lines, path, partition)
REMEDIES: tuple[str, ...] = ()


def find(given: Facts) -> Found | None:
    lines = said(given, "slow-constant-folding")
    if not lines:
        return None
    each = " each" if len(lines) > 1 else ""
    return Found("large constants", Evidence(f"{count(len(lines), 'instruction')} took more than {lines[0].what}{each}"),
                 "pass the array as an argument instead of a constant", "high",
                 of_phases(given, phases.COMPILE, share=(0.1, 0.9)), whatever_it_gains=True)
