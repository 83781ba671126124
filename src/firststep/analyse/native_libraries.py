"""Libraries of machine code that were loaded: when, for how long, by whom, how big."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.model.facts import NativeLibrary


def native_libraries(facts: Facts) -> tuple[NativeLibrary, ...] | None:
    """Every load before ready, in order of time; None where loads were not watched."""
    if not facts.measured("native-libraries"):
        return None
    found = []
    for leg in facts(path):
        sizes = dict(leg.process.libraries)
        for span in leg.process.spans:
            if span.kind in ("native", "custom-op-library") and leg.start <= span.start < leg.end:
                found.append(
                    NativeLibrary(
                        span.name,
                        span.start,
                        span.end - span.start,
                        str(span.labels.get("module", "")),
                        str(span.labels.get("by", "import")),
                        sizes.get(span.name),
                    )
                )
    return tuple(sorted(found, key=lambda library: library.start))
