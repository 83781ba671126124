"""Devices found and configured, and the runtime that was made for them."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.spans import spans, total_ns
from firststep.model.facts_frameworks import Devices


def devices(facts: Facts) -> Devices | None:
    """None where no device was ever looked for, or frameworks were not watched."""
    looked = spans(facts, "device-discovery", "runtime-init")
    if not looked:
        return None
    asked = [f"{seen.span.name}({', '.join(map(str, seen.span.labels.get('asked', ())))})"
             for seen in spans(facts, "device-configuration")]
    found: dict[str, int] = {}
    for seen in looked:
        found.update(seen.span.labels.get("devices", {}))
    return Devices(
        found=found,
        discovery_ns=total_ns(spans(facts, "device-discovery")),
        runtime_ns=total_ns(spans(facts, "runtime-init")),
        asked=tuple(asked),
    )
