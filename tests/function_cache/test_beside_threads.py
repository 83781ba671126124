"""What other threads of the program change while a function is traced is none of the trace's doing."""

import pytest

from replay_harness import lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

FED = """
import queue, threading, time
import tensorflow as tf

class Run:
    def __init__(self):
        self.measured, self.rows, self.count = queue.Queue(), [], 0
        self.latest = {}
        threading.Thread(target=self.feed, daemon=True).start()

    def feed(self):
        while True:
            self.measured.put(self.count)
            self.rows.append(self.count)
            self.latest[self.count % 10] = self.count
            self.count += 1
            time.sleep(0.0005)

class Owner:
    def __init__(self):
        self.run, self.variable, self.traces = Run(), tf.Variable(1.0), 0

    @tf.function
    def step(self, x):
        self.traces += 1
        for _ in range(300):
            x = x * self.variable + 1
        return x

owner = Owner()
print(owner.step(tf.ones(2)).numpy().tolist(), owner.traces)
"""


@pytest.mark.suite
def test_what_a_thread_feeds_meanwhile(lab):  # noqa: F811
    laboratory = lab(FED)
    expected = "[301.0, 301.0] 1\n"
    for what in ("learned", "confirmed"):
        ran = laboratory.boost()
        assert ran.out == expected and ran.functions(what) == ["step"], ran.notes
    answers = [laboratory.boost() for _ in range(3)]
    assert {ran.out for ran in answers} == {expected}
    assert any(ran.functions("live") == ["step"] for ran in answers), [ran.notes for ran in answers]
