"""A distributed program waits for its other members.

Symptom: nothing happens for minutes after the strategy is made, on one worker or on all.

Why: every member of a cluster waits until all others are there. One that has not started, cannot be reached, or is still
loading its data keeps all of them waiting.

Confirmed by: the time inside the strategy's connection to its cluster.

Remedy: see to `TF_CONFIG`, to ports that are open between all members, and to the member that comes last.

Source: the second and the fifth document, "distributed training setups"; TensorFlow's guide on `TF_CONFIG`.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import outermost, spans, spans_by_kind
from firststep.analyse.user_lines import LABEL, line_of, parsed, stack_lines
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import duration

GROUP = "outside"
WATCHED = ("frameworks",)
FACTS = (spans_by_kind, path, partition, stack_lines)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.5, 1.0)
MARK = "waits-for"


def find(given: Facts) -> Found | None:
    seen = outermost(tuple(one for one in spans(given, "cluster-wait") if one.on_main_thread))
    cuts = tuple(Cut(cut.start, cut.end if one.span.ended else given(partition).end, *SHARE) for one, cut in zip(seen, of_spans(seen)))
    if not cuts:
        return None
    marks = [mark for mark in seen[0].process.marks if mark.name == MARK]
    members = ", ".join(marks[0].labels["members"]) if marks else ""
    line = parsed(str(marks[0].labels.get(LABEL, ""))) if marks else None
    still = "" if all(one.span.ended for one in seen) else ", and was still waiting at its end"
    return Found("not all members are there", Evidence(
        f"waited {duration(time_in(cuts))}{f' for {members}' if members else ''}{still}", line or line_of(given, *seen)),
        "see to TF_CONFIG, ports and the member that starts last", "high", cuts)
