"""Samples read another thread's frames while that thread, the collector and finalisers do what they want."""

import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from faked_run import Run
from programs import supported_interpreters

from firststep.launch.session import Session
from firststep.model import limits
from firststep.model.plan import Plan, Until
from firststep.model.read_trace import parse_trace
from firststep_agent.observe import samples

TESTS = Path(__file__).parents[1]
SOURCES = TESTS.parent / "src"

HOSTILE = """
import gc, sys, time, _thread
sys.path[:0] = sys.argv[1:]
from faked_run import Run
from firststep_agent.observe import samples

class Cycle:
    def __init__(self):
        self.me = self
    def __del__(self):
        time.sleep(0.0002)  # lets the other thread run in the middle of a collection

run = Run()
sampler = samples.Sampler(run)
sampler._kernel = samples._KernelView()
taken = [0]

def sample():
    while True:
        Cycle()
        kept = [[] for _ in range(taken[0] % 50)]
        sampler._sample(0, samples.stacks.stack(sampler._main))
        taken[0] += 1
        time.sleep(0)

def wide(depth):
    if depth < 0:
        a = b = c = d = e = f = g = h = i = j = k = l = m = n = o = p = q = r = s = t = 1
    if depth > 0:
        return wide(depth - 1)

def deep(depth):
    wide(depth % 3)
    if depth:
        return deep(depth - 1)

gc.set_threshold(60)
_thread.start_new_thread(sample, ())
off = 0
while taken[0] < 600:
    for depth in range(40):
        deep(depth)
        off += not gc.isenabled()
print(off, len({items[1] for items in run.records if items[0] == "k"}) > 10)
"""


def test_frames_that_end_meanwhile_crash_nothing_and_the_collector_stays_on():
    done = subprocess.run([sys.executable, "-c", HOSTILE, SOURCES, TESTS], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["0", "True"]


# Every second line is a call of C that lets no other thread run; the first of them begins before anybody has looked.
HOLDS = "\n".join(["import time", "took, t = [], time.perf_counter()", *(line for number in range(5) for line in (
    "x = sum(range(30_000_000))", "took.append(time.perf_counter() - t); t = time.perf_counter()",
    "for i in range(400_000): x += i", "t = time.perf_counter()")), "print(*took)"])


def test_a_call_that_holds_pythons_lock_is_seen_on_its_line(record, target, tmp_path):
    program = tmp_path / "holds.py"
    program.write_text(HOLDS)
    recorded = record([target, str(program)])
    held = dict(zip(range(3, 23, 4), map(float, recorded.out.split())))
    seen = dict.fromkeys(held, 0.0)
    samples = recorded.trace.processes[0].samples
    for before, after in zip(samples, samples[1:]):
        line = after.stack[-1].line if after.stack else 0
        if line in seen:
            seen[line] += (after.at - before.at) * 1e-9
    assert [line for line in list(held)[1:] if seen[line] < 0.6 * held[line]] == [], (held, seen)


@pytest.mark.parametrize("number", range(2))
def test_who_holds_the_lock_while_a_sample_is_taken_is_seen_before_the_next_call_of_the_kernel(monkeypatch, number):
    """A call of C that begins in the middle of a sample: it is looked at when it is over, not once the sample is complete."""
    run, calls = Run(), []
    sampler = samples.Sampler(run)
    sampler._kernel = samples._KernelView()

    def first(file, back):
        return held_up(file, back) if len(calls) == number else told(file, back)

    def held_up(file, back):
        time.sleep(2e-9 * samples.HELD_UP_NS)
        return told(file, back)

    def told(file, back):
        calls.append(file)
        back()
        return b"1 1"

    monkeypatch.setattr(samples.kernel_files, "read", first)
    sampler._sample(samples.now(), samples.stacks.stack(sampler._main))
    sampler._record_who_held_us_up()
    frames = {items[1]: items[3] for items in run.records if items[0] == "f"}
    stacks = {items[1]: {frames[frame] for frame in items[2]} for items in run.records if items[0] == "k"}
    sampled = [(items[1], any("held_up" in name for name in stacks[items[2]])) for items in run.records if items[0] == "p"]
    assert [held for _, held in sampled] == [False, True]
    assert sampled[1][0] - sampled[0][0] > samples.HELD_UP_NS


def test_a_week_that_is_recorded_is_no_larger_than_a_trace_may_be():
    week, at, taken = 7 * 24 * 3600.0, 0.0, 0
    while at < week:
        at += samples._pause(40_000, int(at * 1e9))
        taken += 1
        assert at > 100 or taken >= at / 0.016
    assert taken < limits.RECORDS / 10


@pytest.mark.parametrize("python", supported_interpreters().values())
def test_a_thread_that_works_beside_the_main_one_is_told_of(python, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent("""
        import threading, time
        done = []
        def count():
            while not done:
                sum(range(1000))
        def wait():
            while not done:
                time.sleep(0.05)
        for name, work in (("counts", count), ("waits", wait)):
            threading.Thread(target=work, name=name).start()
        end = time.monotonic() + 2
        while time.monotonic() < end:
            sum(range(1000))
        done.append(1)
    """))
    ended = Session([python, str(program)], Plan(until=Until("exit"), observe=("samples",)), timeout_s=120).run()
    (process,) = parse_trace(ended.trace).processes
    assert {name for _, _, name, _, _ in process.busy} == {"counts"}
    ran = [ran for *_, ran, _ in process.busy]
    assert ran == sorted(ran) and 200_000_000 < ran[-1] < 3_000_000_000
    assert all(any(frame.function == "count" for frame in stack) for *_, stack in process.busy)
