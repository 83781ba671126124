"""The two verbs of a cause's tests, over small traces made by hand."""

from analyse.traces import SITE, USER, process, sample, span, trace

from firststep.analyse.facts import Facts
from firststep.diagnose import diagnosis
from firststep.model.trace import Frame
from firststep.printable import WIDTH

MS = 1_000_000
S = 1000 * MS
LIBRARY = Frame(f"{SITE}/heavy/core.py", "work", 1, 5)
GAIN = "  saves 40.9 to 109.2 s"  # beside what was found, on its line
LINE = "/home/me/train.py:7"


def start(*spans, ready=10, samples=None, ended=None, header=None, ready_kind="train", **rest):
    """The facts of a start that is ready after so many seconds, its main thread always in the user's line 7."""
    if samples is None:
        samples = [sample(at * 100 * MS, USER, ran=at * 100 * MS) for at in range(1, int(10 * (ready or 10)) + 1)]
    one = process(spans, samples, ready=int(ready * S) if ready else None, end=(int(10 * S), "exit"), **rest)
    if ready_kind != "train":
        one = _ready_by(one, ready_kind)
    observe = ("imports", "native-libraries", "garbage-collection", "processes", "frameworks", "samples", "network",
               "afterwards", "machine", "steps", "framework-log")
    return Facts(trace(one, ended=int((ended or ready or 10) * S), **{"observe": observe, **(header or {})}))


def _ready_by(one, kind):
    from dataclasses import replace

    return replace(one, ready=replace(one.ready, kind=kind))


def found(facts, cause):
    """The finding of `cause`, or None; a cause that fails is an error here."""
    whole = facts(diagnosis)
    assert not whole.failed, whole.failed
    assert cause not in [one.id for one in whole.not_measured], whole.not_measured
    return next((one for one in whole.findings if one.id == cause), None)


def check_silent(cause, facts):
    """The cause is looked for, and is not there."""
    one = found(facts, cause)
    assert one is None, one


def check_found(cause, facts, *words, line=None, gain=None, confidence=None):
    """The cause is there: its evidence and advice hold `words`, it happened at `line`; gain: (least, most) in ms of its middle."""
    one = found(facts, cause)
    assert one is not None, [each.id for each in facts(diagnosis).findings]
    sure = "" if one.confidence == "high" else f" ({one.confidence} confidence)"
    assert len(f"   {one.do}{sure}") <= WIDTH, f"it does not fit on a line of the report: {one.do}{sure}"
    head = f" 1 {one.id}: {one.what}"
    assert len(head) <= WIDTH - len(GAIN), f"it does not fit on a line of the report: {head}"
    said = f"{one.what} {one.evidence.words} {one.do}"
    for word in words:
        assert word in said, (word, said)
    if line is not None:
        assert one.evidence.line and one.evidence.line.line == line, one.evidence
    if gain is not None:
        assert gain[0] <= one.gain.middle_ns / MS <= gain[1], one.gain
    if confidence is not None:
        assert one.confidence == confidence
    return one


__all__ = ["LIBRARY", "LINE", "MS", "S", "Frame", "check_found", "check_silent", "found", "sample", "span", "start"]
