"""Sessions of TensorFlow 1's kind: how often a graph grew and was handed over again, and first runs."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.spans import spans
from firststep.model.facts_frameworks import GraphSession, Sessions
from firststep.model.trace import Span

CREATE, EXTEND, FIRST_RUN, LATER_RUN = "session-create", "session-extend", "session-run-first", "session-run"


def sessions(facts: Facts) -> Sessions | None:
    """None where there was no session, or frameworks were not watched."""
    found: list[list[Span]] = []
    newest: dict[tuple[int, object], list[Span]] = {}
    for process, span in spans(facts, CREATE, EXTEND, FIRST_RUN):
        key = (process.pid, span.labels.get("session"))
        if span.kind == CREATE or key not in newest:  # a session may get the identity of one that is gone
            newest[key] = []
            found.append(newest[key])
        newest[key].append(span)
    if not found:
        return None
    later = [seen.span.end - seen.span.start for seen in spans(facts, LATER_RUN)]
    return Sessions(tuple(map(_session, found)), len(later), sum(later))


def _session(found: list[Span]) -> GraphSession:
    def of(kind: str) -> list[int]:
        return [span.end - span.start for span in found if span.kind == kind]

    return GraphSession(
        extensions=len(of(EXTEND)),
        nodes=max(int(span.labels.get("nodes", 0)) for span in found),
        create_ns=sum(of(CREATE)),
        extend_ns=sum(of(EXTEND)),
        first_runs=len(of(FIRST_RUN)),
        first_run_ns=sum(of(FIRST_RUN)),
    )
