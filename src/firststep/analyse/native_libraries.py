"""Libraries of machine code that were loaded: when, for how long, by whom, how big."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import spans
from firststep.model.facts import NativeLibrary


def native_libraries(facts: Facts) -> tuple[NativeLibrary, ...] | None:
    """Every load before ready, in order of time; None where loads were not watched."""
    if not facts.measured("native-libraries"):
        return None
    sizes = {leg.process.pid: dict(leg.process.libraries) for leg in facts(path)}
    return tuple(
        NativeLibrary(
            path=span.name,
            start=span.start,
            ns=span.end - span.start,
            module=str(span.labels.get("module", "")),
            by=str(span.labels.get("by", "import")),
            bytes=sizes[process.pid].get(span.name),
        )
        for process, span in spans(facts, "native", "custom-op-library")
    )
