"""The waterfall: phases and waiting along the critical path, and the spans of every thread of every process.

Times are whole microseconds since the spawn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from typing import Any, NamedTuple

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.phases import AGENT, PHASE_OF, PHASES
from firststep.analyse.processes import processes
from firststep.analyse.waiting import waiting
from firststep.diagnose import diagnosis
from firststep.model.findings import Finding
from firststep.model.ownership import OWN_MODULES
from firststep.model.profile import Profile
from firststep.model.trace import Span
from firststep.model.words import count, duration
from firststep.report.details import WAITING
from firststep.report.html.limits import DEPTH, LANES, STRETCHES, Limits
from firststep.report.html.strings import Strings
from firststep.report.lengths import WORDS

STATES = {"running_ns": "running", "runnable_ns": "ready to run, no CPU free", **WAITING}
SAID = ("why", "ops", "layers", "variables", "bytes", "shape", "dtype", "initialiser", "path", "format", "peer", "what", "transformation",
        "module", "by", "nodes", "source", "line", "repeated", "constants")
OURS = "firststep"  # a kind of span beside the trace's
US = 1000


class Lane(NamedTuple):
    """One thread, its spans in order of start with the row that each is drawn in."""

    name: str
    rows: int
    spans: list[tuple[int, Span]]


class _Thread(NamedTuple):
    name: str
    spans: list[Span]


def timeline(facts: Facts, limits: Limits, strings: Strings, profiles: Sequence[Profile] = ()) -> dict[str, Any]:
    """As JSON values: strips are [what, start, length, …], spans [kind, name, row, start since the span before, length, detail, …].
    Below the threads stands what other profilers saw."""
    whole = facts(partition)
    start, end = whole.start, whole.end
    own, others = _threads(facts, start, end), list(_tracks(profiles, end))
    threads = [*own[:LANES - min(len(others), LANES // 2)], *others]
    kept, left_out = _kept(threads, limits.spans)
    lanes = [_lane(thread, kept) for thread in threads[:LANES]]
    deeper = sum(len(thread.spans) for thread in threads) - left_out[0] - sum(len(lane.spans) for lane in lanes)
    return {
        "phases": _flat(_strip(((PHASES.index(piece.phase), piece.start, piece.end) for piece in whole.pieces), limits.strip), start),
        "waits": _flat(_strip(((list(STATES).index(one.what), one.start, one.end) for one in facts(waiting)), limits.strip), start),
        "lanes": [{"name": strings(lane.name), "rows": lane.rows, "spans": list(_numbers(lane.spans, start, strings))} for lane in lanes],
        "left_out": _left_out(left_out, deeper, len(own) + len(others), len(lanes)),
    }


def stretches(finding: Finding, start: int, end: int) -> list[int]:
    """[start, length, …] of what a finding is about; neighbours together, the longest of them."""
    merged: list[list[int]] = []
    for cut in sorted(finding.cuts):
        left, right = max(cut.start, start), min(cut.end, end)
        if right <= left:
            continue
        if merged and left - merged[-1][1] <= (end - start) // 2000:
            merged[-1][1] = max(merged[-1][1], right)
        else:
            merged.append([left, right])
    longest = sorted(nlargest(STRETCHES, merged, key=lambda one: one[1] - one[0]))
    return [number for left, right in longest for number in ((left - start) // US, max(1, (right - left) // US))]


def _threads(facts: Facts, start: int, end: int) -> list[_Thread]:
    """Processes of the critical path first, in each its main thread first."""
    began = {one.pid: (not one.on_path, one.began) for one in facts(processes)}
    found = []
    for process in sorted(facts.trace.processes, key=lambda one: began.get(one.pid, (True, 0))):
        spans: dict[int, list[Span]] = defaultdict(list)
        for span in process.spans:
            if start <= span.start < end:
                spans[span.thread].append(span)
        first = {number: (number != process.thread, min(span.start for span in mine)) for number, mine in spans.items()}
        for place, number in enumerate(sorted(spans, key=first.__getitem__), 1):
            which = "main thread" if number == process.thread else f"thread {place}"
            found.append(_Thread(f"pid {process.pid}, {which}", spans[number]))
    return found


def _tracks(profiles: Sequence[Profile], end: int) -> Iterator[_Thread]:
    for profile in profiles:
        for track in profile.tracks:
            yield _Thread(f"{profile.profiler}: {track.name}", [span for span in track.spans if span.start < end])


def _kept(threads: list[_Thread], most: int) -> tuple[set[int], tuple[int, int]]:
    """Identities of the longest spans; (how many are not among them, the longest of those)."""
    everything = [span for thread in threads for span in thread.spans]
    if len(everything) <= most:
        return {id(span) for span in everything}, (0, 0)
    longest = nlargest(most, everything, key=lambda span: span.end - span.start)
    kept = {id(span) for span in longest}
    return kept, (len(everything) - most, longest[-1].end - longest[-1].start if longest else 0)


def _lane(thread: _Thread, kept: set[int]) -> Lane:
    """Spans that are open together are in different rows, the outer one above."""
    rows: list[tuple[int, Span]] = []
    open_: list[Span] = []
    for span in sorted(thread.spans, key=lambda span: (span.start, -span.end)):
        if id(span) in kept:
            while open_ and open_[-1].end <= span.start:
                open_.pop()
            if len(open_) < DEPTH:
                rows.append((len(open_), span))
                open_.append(span)
    return Lane(thread.name, max((row for row, _ in rows), default=0) + 1, rows)


def _numbers(spans: list[tuple[int, Span]], start: int, strings: Strings) -> Iterator[int]:
    before = 0
    for row, span in spans:
        at = (span.start - start) // US
        yield from (strings(_kind(span)), strings(span.name), row, at - before, max(1, (span.end - span.start) // US),
                    strings(_detail(span), WORDS))
        before = at


def _kind(span: Span) -> str:
    """Imports of the agent's modules are no imports of the program's."""
    ours = span.name.startswith(OWN_MODULES) if span.kind == "import" else f"/{OWN_MODULES}/" in span.name
    return OURS if ours else span.kind


def _detail(span: Span) -> str:
    """What is known beside the name."""
    said = [f"{key}: {span.labels[key]}" for key in SAID if span.labels.get(key) not in (None, "", False)]
    return "; ".join([*said, *([] if span.ended else ["the process ended in it"])])


def _strip(pieces: Iterable[tuple[int, int, int]], most: int) -> list[list[int]]:
    """[what, start, end], neighbours of one kind together; of too many, the short ones go to what stands before them."""
    found = _together(pieces, 0)
    lengths = sorted((end - start for _, start, end in found), reverse=True)
    return found if len(found) <= most else _together(found, lengths[most])


def _together(pieces: Iterable[Iterable[int]], shortest: int) -> list[list[int]]:
    found: list[list[int]] = []
    for what, start, end in pieces:
        if found and found[-1][2] == start and (found[-1][0] == what or end - start <= shortest):
            found[-1][2] = end
        else:
            found.append([what, start, end])
    return found


def _flat(strip: list[list[int]], start: int) -> list[int]:
    """Edges are rounded, so that neighbours still meet."""
    found = []
    for what, left, right in strip:
        at = (left - start) // US
        found += [what, at, (right - start) // US - at]
    return found


def _left_out(spans: tuple[int, int], deeper: int, threads: int, lanes: int) -> list[str]:
    words = []
    if spans[0]:
        words.append(f"{count(spans[0], 'span')} of {duration(spans[1])} or less")
    if deeper:
        words.append(f"{count(deeper, 'span')} nested deeper than {DEPTH}, or on other threads")
    if threads > lanes:
        words.append(f"{threads - lanes:,} of {threads:,} threads")
    return words


def kinds() -> dict[str, int]:
    """The phase of each kind of span, by number."""
    return {kind: PHASES.index(phase) for kind, phase in {**PHASE_OF, OURS: AGENT}.items()}


def all_stretches(facts: Facts) -> list[list[int]]:
    """Of every finding, in their order."""
    whole = facts(partition)
    return [stretches(one, whole.start, whole.end) for one in facts(diagnosis).findings]
