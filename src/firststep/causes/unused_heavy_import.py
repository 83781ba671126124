"""A library is imported, and nothing of it is used before the first step.

Symptom: an import at the top of a file costs a second, and only one function, or none, needs it.

Why: imports at module level run whether or not the start needs them.

Confirmed by: the import's own time, without the modules that another package which is loaded nevertheless asks for, too (Keras 3
imports pandas, matplotlib and scikit-learn where they are installed: to move the program's own import of them gains nothing), and that
no later sample of the main thread was in that library, nor at a line of the program's that names it (of what is written in C Python has
no frame). Of PyTorch and JAX, moreover, that nothing which the program calls names them.

Remedy: import it inside the function that needs it.

Source: PEP 690 and the `LazyLoader` recipe of `importlib` name the remedy.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from firststep.analyse.facts import Facts
from firststep.analyse.heavy_imports import LEAST_NS, heavy_imports
from firststep.analyse.holders import holders
from firststep.analyse.import_tree import import_tree
from firststep.causes._anyway import spared
from firststep.causes._stretches import a_share, time_in
from firststep.model.facts import HeavyImport
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.framework_named import OTHERS
from firststep.model.words import duration

GROUP = "import"
WATCHED = ("imports", "samples")
FACTS = (heavy_imports, holders, import_tree)
REMEDIES: tuple[str, ...] = ()
FRAMEWORKS = ("tensorflow", "keras", "tf_keras", *OTHERS)  # framework-imported-for-nothing looks at its own
UNSEEN = ("numpy",)  # what it is used for, as `a @ b`, need not name it
OF_FRAMEWORKS = ("numpy", "ml_dtypes", "h5py", "google", "absl", "rich", "optree", "packaging", "requests", "grpc",
                 "opt_einsum", "flatbuffers", "wrapt", "six")  # they would import these themselves
WHERE_INSTALLED = ("pandas", "matplotlib", "scipy", "sklearn")  # Keras 3 too: traces of older versions do not tell who asks for what
ALONE = "import it inside the function that needs it"
TOGETHER = "import each inside the function that needs it"
SHARE = (0.6, 1.0)  # of the import: parts of it may be wanted by others
OF_A_PART = (0.3, 1.0)  # where others ask for some of it: what that has in common with the rest of its package is not known


class Unused(NamedTuple):
    """An import of which nothing ran, and the stretches of it that no other would take."""

    one: HeavyImport
    cuts: tuple[Cut, ...]

    @property
    def ns(self) -> int:
        return time_in(self.cuts)

    @property
    def is_whole(self) -> bool:
        return self.ns == self.one.ns


def find(given: Facts) -> Found | None:
    unused = [one for one in _unused(given) if one.ns >= LEAST_NS]
    if not unused:
        return None
    by_time = sorted(unused, key=lambda one: -one.ns)
    most = by_time[0].one
    cuts = tuple(cut for one in unused for cut in a_share(SHARE if one.is_whole else OF_A_PART, one.cuts))
    by_package: Counter[str] = Counter()
    for each in by_time:
        by_package[each.one.package] += each.ns
    what = f"{most.package} is not used before ready"
    if len(unused) == 1:
        do = ALONE
        took = f"import {most.package} took {duration(most.ns)}" if unused[0].is_whole else (
            f"{duration(unused[0].ns)} of import {most.package}'s {duration(most.ns)}, others need the rest")
    else:
        took, do = f"{len(unused)} imports of {most.package} took {duration(time_in(cuts))}", TOGETHER
    if by_package.keys() > {most.package}:
        parts = ", ".join(f"{package} {duration(ns)}" for package, ns in by_package.items())
        what = f"{most.package} and {len(by_package) - 1} more are unused"
        took = f"{duration(time_in(cuts))}: {parts}"
    return Found(what, Evidence(took, most.line), do, "medium", cuts)


def _unused(given: Facts) -> list[Unused]:
    imported, unnamed = given(heavy_imports), given.trace.header.get("unnamed") or ()
    needed: tuple[str, ...] = (*(one for one in FRAMEWORKS if one not in unnamed), *UNSEEN)
    if any(one.package in FRAMEWORKS for one in imported):
        needed += OF_FRAMEWORKS if given(holders) is not None else OF_FRAMEWORKS + WHERE_INSTALLED
    unused = [one for one in imported if not one.used and one.package not in needed]
    return [Unused(one, cuts) for one, cuts in zip(unused, spared(given, unused), strict=True)]
