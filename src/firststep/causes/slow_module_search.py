"""Thousands of modules are looked for, opened, read and run one by one.

Symptom: the imports alone take a second or more, though nothing is compiled and the disk is not waited for.

Why: `import tensorflow` loads thousands of modules; for each Python lists folders, opens a file, checks and reads it, and
runs its top level, where decorators ask for signatures and compile small pieces of code.

Confirmed by: the time of every import by itself, without library loads, compilation and collections inside it.

Remedy: boost has all modules read from one file. By hand: a local disk instead of a network one.

Source: CPython's import system; measured on `import tensorflow`, plain and from one file (docs/benchmarks.md).
"""

from __future__ import annotations

from collections import Counter

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.import_tree import import_tree
from firststep.analyse.partition import partition
from firststep.analyse.spans import spans, spans_by_kind
from firststep.causes._stretches import of_phases, of_spans, time_in, without
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

GROUP = "import"
WATCHED = ("imports",)
FACTS = (import_tree, partition, spans_by_kind)
REMEDIES = ("import-image", "memoise-signatures", "keep-compiled", "defer-source-lines", "presize-data-stack", "overlap")
FEW = 300  # modules: fewer are soon found
SHARE = (0.4, 0.6)  # of the imports' own time; import tensorflow, boosted against plain: docs/benchmarks.md


def find(given: Facts) -> Found | None:
    tree = given(import_tree)
    if not tree or len(tree.modules) < FEW:
        return None
    cuts = without(of_phases(given, phases.IMPORTS, share=SHARE), of_spans(spans(given, "compile-source")))
    package, number = Counter(module.name.partition(".")[0] for module in tree.modules).most_common(1)[0]
    part = "most" if number > len(tree.modules) / 2 else f"{number:,}"
    return Found("thousands of small files", Evidence(
        f"{count(len(tree.modules), 'module')} took {duration(time_in(cuts))}, {part} of them {package}'s"),
        "boost reads them from one file", "high", cuts)
