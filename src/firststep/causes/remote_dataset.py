"""The first batch comes from a server, element by element.

Symptom: the program stands still between the model and its first step, no CPU and no disk is busy.

Why: a pipeline asks for its elements one after the other. Each one that lies on a server costs a whole round trip, and the
first batch needs as many as it holds.

Confirmed by: time inside Python's sockets on the pipeline's threads while the first element is waited for. (What native code
reads, as of `gs://`, is not seen.)

Remedy: ask for several at once (`interleave` and `map` with `num_parallel_calls`), for fewer and larger files, or copy them
to a local disk once; `prefetch` begins before the model is built.

Source: the first document, "interactions with databases, cloud storage services"; the tf.data performance guide, "parallelizing
data extraction".
"""

from __future__ import annotations

from collections import Counter

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.spans import Seen, spans, spans_by_kind
from firststep.analyse.user_lines import line_of, stack_lines
from firststep.causes._first_batch import waits
from firststep.causes._stretches import WHOLE, time_in
from firststep.causes._waiting import serves
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import count, duration

GROUP = "data"
WATCHED = ("frameworks", "network")
FACTS = (spans_by_kind, partition, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
ASKED = ("connect", "handshake", "receive", "look-up")
LEAST = 0.3  # of the wait for the first element
SHARE = (0.5, 0.95)  # of the time on the network: what several requests at once would still take


def find(given: Facts) -> Found | None:
    waited = waits(given, WHOLE)
    asked = [one for one in _requests(given) if any(wait.start <= one.span.end and one.span.start < wait.end for wait in waited)]
    cuts = _inside(asked, waited)
    if not cuts or time_in(cuts) < time_in(waited) * LEAST:
        return None
    peers: Counter[str] = Counter()
    for one in asked:
        peers[str(one.span.labels.get("peer", "unknown"))] += one.span.end - one.span.start
    peer, _ = peers.most_common(1)[0]
    return Found("its elements lie on a server", Evidence(
        f"{duration(time_in(cuts))} of {duration(time_in(waited))} before the first element in {count(len(asked), 'wait')} for {peer}",
        line_of(given, *asked)), "num_parallel_calls, fewer and larger files, a local copy", "medium", cuts)


def _requests(given: Facts) -> list[Seen]:
    """What other threads asked of the network after a pipeline was started: the main thread's own waits are the network's."""
    started = min((one.span.start for one in spans(given, "data-iterator")), default=None)
    if started is None:
        return []
    return [one for one in spans(given, "network")
            if not one.on_main_thread and one.span.start >= started and one.span.labels.get("what") in ASKED and not serves(one)]


def _inside(asked: list[Seen], waited: tuple[Cut, ...]) -> tuple[Cut, ...]:
    """The parts of the waits in which any request was under way, each instant once. Both are in order of their beginning."""
    found: list[Cut] = []
    index = 0
    for one in asked:
        while index < len(waited) and waited[index].end <= one.span.start:
            index += 1
        for wait in waited[index:]:
            begin = max(wait.start, one.span.start, found[-1].end if found else 0)
            end = min(wait.end, one.span.end)
            if end > begin:
                found.append(Cut(begin, end, *SHARE))
            if wait.end >= one.span.end:
                break
    return tuple(found)
