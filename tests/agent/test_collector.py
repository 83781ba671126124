"""What the collector does is told from what it is asked to do."""

import gc
import itertools
import subprocess
from pathlib import Path

import pytest
from faked_run import Run
from programs import supported_interpreters

from firststep_agent.collector import CollectorCost, CollectorWatch
from firststep_agent.observe import enough, garbage_collection


def asked(work):
    """The file of the code that asked for each collection while work() runs; None for one that came by itself."""
    gc.collect()
    watch = CollectorWatch(whose=True)
    watch.begin()
    try:
        work()
    finally:
        watch.end()
    return [by_hand for _, _, _, by_hand, _ in watch.runs()]


def make_and_let_go():
    """One of the second generation is due in the middle of a call of C, and what it is due for is gone at the end of it."""
    kept = []
    while gc.get_count()[1] <= gc.get_threshold()[1]:
        kept.append([])
    next(map(len, map(list, [map(list, itertools.repeat((), 2 * gc.get_threshold()[0]))])))


def test_none_is_asked_for_where_nobody_asks():
    found = asked(make_and_let_go)
    assert found and set(found) == {None}


def test_one_that_is_asked_for_is_told():
    assert asked(lambda: gc.collect(0)) == [__file__]


def test_one_that_is_asked_for_while_the_collector_is_off_is_told():
    collect = gc.collect

    def work():
        gc.disable()
        collect()
        gc.enable()

    assert asked(work) == [__file__]


def test_it_is_told_whose_code_has_asked():
    library = compile("import gc\ndef clear():\n    gc.collect()\n", "/site-packages/library/state.py", "exec")
    names: dict = {}
    exec(library, names)
    assert asked(names["clear"]) == ["/site-packages/library/state.py"]


# Frames are asked for again and again, and the collector is due while their objects are made.
FRAMES = """
import gc, sys, threading, time
sys.path.insert(0, sys.argv[1])
from firststep_agent.collector import CollectorWatch
watch, done, asked = CollectorWatch(whose=True), [], 0
watch.begin()
def deep(number):
    if number: deep(number - 1)
    else: time.sleep(0.0005)
def work():
    while not done: deep(20)
threads = [threading.Thread(target=work, daemon=True) for _ in range(4)]
for thread in threads: thread.start()
gc.set_threshold(5)
end = time.monotonic() + 1
while time.monotonic() < end:
    kept = [[] for _ in range(asked % 7)]
    asked += len(sys._current_frames()) > 4
done.append(1)
watch.end()
print(asked > 100, len(watch.runs()) > 0)
"""


@pytest.mark.parametrize("python", supported_interpreters().values())
def test_a_program_may_ask_for_the_frames_of_all_threads(python):
    """Python 3.11 may collect within that, holding a lock for which whoever asks there would wait for ever."""
    done = subprocess.run([python, "-c", FRAMES, str(Path(__file__).parents[2] / "src")], capture_output=True, text=True, timeout=60)
    assert done.stdout == "True True\n", done.stderr


def test_after_very_many_a_short_one_stands_for_all_since_the_last_writing(monkeypatch):
    monkeypatch.setattr(enough, "MOST", 3)
    monkeypatch.setattr(enough, "FINE", 1e6)
    run, told, before = Run(), [], []
    run.before_flush, run.span = before.append, lambda *span: told.append(span)
    garbage_collection.start(run, {})
    for _ in range(10):
        gc.collect(0)
    before[0]()
    for _ in range(4):
        gc.collect(0)
    run._call("exit")
    by_hand = [labels for *_, labels in told if labels and labels.get("by") == __file__]
    assert [labels.get("further", [1])[0] for labels in by_hand] == [1, 1, 1, 7, 4]
    assert all(labels["further"][1] > 0 for labels in by_hand[3:])


def test_what_it_takes_is_one_number_however_often_it_runs():
    watch, cost = CollectorWatch(), CollectorCost()
    watch.begin()
    cost.begin()
    for _ in range(50):
        gc.collect()
    took = cost.end()
    watch.end()
    each = sum(ended - began for began, ended, *_ in watch.runs())
    assert each * 0.8 < took < each * 1.2 and len(cost._last_two) == 2
