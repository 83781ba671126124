"""Machine code that XLA compiled for a CPU: by the functions' first calls, and by later ones, which no trace tells of."""

from __future__ import annotations

from firststep.analyse.afterwards import late_spans
from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, outermost, spans, total_ns
from firststep.model.facts_frameworks import MachineCode

LABEL, AT_READY, AT_EXIT = "machine_code", "machine_code_at_ready", "machine_code_at_exit"


def machine_code(facts: Facts) -> MachineCode | None:
    """None where XLA compiled nothing as a whole function, or nobody told how much."""
    traces = tuple(one for one in spans(facts, "trace") if LABEL in one.span.labels)
    compiled = tuple(one for one in outermost(spans(facts, "xla-compile")) if LABEL in one.span.labels)
    legs = facts(path)
    if not traces or not compiled or not legs or legs[-1].process is not compiled[-1].process:
        return None
    first, counters = _size(compiled[-1]) - _size(traces[0]), legs[-1].process.counters
    ready = int(counters.get(AT_READY, _size(compiled[-1])))
    again = sum(1 for one in facts(late_spans) if one.span.kind == "trace" and LABEL in one.span.labels)  # they compile as well
    grown, each, took = int(counters.get(AT_EXIT, ready)) - ready, max(0, first) // len(compiled), total_ns(compiled)
    traced_ns = took * min(grown, again * each) // first if first > 0 < grown else 0
    return MachineCode(max(0, first), took, max(0, ready - _size(compiled[-1])), max(0, grown - again * each), traced_ns)


def _size(seen: Seen) -> int:
    return int(seen.span.labels[LABEL])
