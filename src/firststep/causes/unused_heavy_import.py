"""A library is imported, and nothing of it is used before the first step.

Symptom: an import at the top of a file costs a second, and only one function, or none, needs it.

Why: imports at module level run whether or not the start needs them.

Confirmed by: the import's own time, and that no later sample of the main thread was in that library.

Remedy: import it inside the function that needs it.

Source: PEP 690 and the `LazyLoader` recipe of `importlib` name the remedy.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.heavy_imports import heavy_imports
from firststep.causes._stretches import time_in
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import duration

GROUP = "import"
WATCHED = ("imports", "samples")
FACTS = (heavy_imports,)
REMEDIES: tuple[str, ...] = ()
FRAMEWORKS = ("tensorflow", "keras", "tf_keras", "jax", "torch")  # framework-imported-for-nothing looks at them
OF_FRAMEWORKS = ("numpy", "ml_dtypes", "h5py", "google", "absl", "rich", "optree", "packaging", "requests", "grpc",
                 "opt_einsum", "flatbuffers", "wrapt", "six")  # they would import these themselves
ALONE = "import it inside the function that needs it"
TOGETHER = "import each inside the function that needs it"
SHARE = (0.6, 1.0)  # of the import: parts of it may be wanted by others


def find(given: Facts) -> Found | None:
    imported = given(heavy_imports)
    needed = FRAMEWORKS + (OF_FRAMEWORKS if any(one.package in FRAMEWORKS for one in imported) else ())
    unused = [one for one in imported if not one.used and one.package not in needed]
    if not unused:
        return None
    most = max(unused, key=lambda one: one.ns)
    cuts = tuple(Cut(one.start, one.end, *SHARE) for one in unused)
    if len(unused) == 1:
        what, took, do = f"{most.package} is not used before ready", f"import {most.package} took {duration(most.ns)}", ALONE
    else:
        parts = ", ".join(f"{one.package} {duration(one.ns)}" for one in sorted(unused, key=lambda one: -one.ns))
        what, took, do = f"{most.package} and {len(unused) - 1} more are unused", f"{duration(time_in(cuts))}: {parts}", TOGETHER
    return Found(what, Evidence(took, most.line), do, "medium", cuts)
