"""What the machine gave the program: CPU time, memory, pages from the disk."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.model.facts import Machine


def machine(facts: Facts) -> Machine | None:
    """Of the process that became ready; None where it was not watched."""
    legs = facts(path)
    seen = legs[-1].process.counters.get("machine") if legs else None
    if not isinstance(seen, dict):
        return None
    throttled = seen.get("throttled_us")
    return Machine(seen.get("quota"), None if throttled is None else int(throttled) * 1000, seen.get("throttled_times"),
                   seen.get("major_faults"), seen.get("read_bytes"), seen.get("peak_rss"), seen.get("swap"))
