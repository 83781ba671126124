"""The figures of a run, from a trace that was written by hand."""

import json

import pytest

from firststep.launch.session import Outcome
from firststep.model.read_trace import parse_trace
from firststep.prove.measure import _digests, _remedies, _times

S = 1_000_000_000
HEADER = {"magic": "firststep-trace", "schema": 1, "command": ["python", "a.py"], "until": ["first-step", None],
          "spawned": [10 * S, 10 * S + 1000], "pid": 1, "ended": 30 * S, "ready": None}
PART = {"magic": "firststep-trace", "schema": 1, "pid": 1, "ppid": 0, "thread": 1, "entered_ns": 10 * S, "python": "3.11.7",
        "executable": "/usr/bin/python", "prefix": "/usr", "argv": ["a.py"], "path": [], "cwd": "/home/me"}
COST = ["result", {"what": "cost", "name": "digests", "ns": 2 * S, "cpu_ns": S}]


def trace_of(*records, child=()):
    parts = [PART, *records, *([{**PART, "pid": 2, "entered_ns": 11 * S}, *child] if child else [])]
    return parse_trace("\n".join(json.dumps(part) for part in [HEADER, *parts]) + "\n")


def times(trace, **fields):
    usual = {"exit_code": 0, "trace": "", "ready": True, "stopped": False, "timed_out": False, "max_rss": 7}
    return _times(trace, Outcome(cpu_s=9.0, **{**usual, **fields}), wall=20.0)


def steps(kind, count, first=12.0, every=0.1):
    return [["t", int((first + every * number) * S), kind, number + 1, "fit"] for number in range(count)]


def test_times_are_from_the_spawn_and_without_the_digests():
    trace = trace_of(["ready", 12 * S, "train", "fit"], *steps("train", 24), COST, child=[COST])
    found = times(trace)
    assert found["ready"] == 2.0
    assert found["ready_by"] == "train"
    assert found["step20"] == pytest.approx(3.9)
    assert found["step"] == pytest.approx(0.1)
    assert found["exit"] == 18.0
    assert found["cpu"] == 7.0


def test_what_proves_the_answers_counts_though_the_program_does_not_wait_for_it():
    proof = ["r", 13 * S, "cache-functions", "proved", {"function": "step", "cpu_ns": 3 * S}]
    assert times(trace_of(["ready", 12 * S, "train", "fit"], proof))["cpu"] == 12.0


def test_steps_are_those_that_made_it_ready():
    trace = trace_of(["ready", 12 * S, "predict", "predict"], *steps("train", 30), *steps("predict", 5))
    assert (times(trace)["steps"], times(trace)["step20"]) == (5, None)


def test_a_program_without_steps_is_ready_at_its_end_unless_it_failed():
    assert times(trace_of(COST))["ready"] == 18.0
    assert times(trace_of(COST))["ready_by"] == "exit"
    assert times(trace_of(COST), exit_code=1)["ready"] is None
    assert times(trace_of(COST), timed_out=True)["exit"] is None


def test_memory_is_the_largest_process_before_the_digests():
    peaks = [["result", {"what": "memory", "name": "peak", "bytes": size}] for size in (300, 500)]
    assert times(trace_of(peaks[0], child=[peaks[1]]))["memory"] == 500
    assert times(trace_of())["memory"] == 7


def test_random_streams_count_in_the_program_itself_only():
    stream = ["result", {"what": "stream", "name": "Python", "digest": "x", "position": 3}]
    loss = ["result", {"what": "history", "name": "fit", "digest": "y", "count": 2}]
    found = list(_digests(trace_of(stream, COST, child=[stream, loss])))
    assert [(each.what, each.position, each.count) for each in found] == [("stream", 3, 1), ("history", None, 2)]


def test_remedies_are_what_their_notes_say():
    notes = [["r", 11 * S, "a", "live", {}], ["r", 11 * S, "a", "learned", {}],
             ["r", 11 * S, "b", "refused", {"reason": "no room"}], ["r", 11 * S, "c", "error", {"reason": "broke"}]]
    assert _remedies(trace_of(*notes)) == {
        "live": ("a",), "learned": ("a",), "refused": {"b": "no room", "c": "broke"}}
