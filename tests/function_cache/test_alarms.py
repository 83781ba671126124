"""A program that gives itself so much time for a step: its alarm rings while firststep looks something up, and is the program's."""

import textwrap

import pytest

from replay_harness import lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow, pytest.mark.suite]

PROGRAM = textwrap.dedent("""
    import signal, time
    import tensorflow as tf

    class Late(Exception):
        pass

    rung = 0

    def ring(number, frame):
        global rung
        rung += 1
        raise Late

    signal.signal(signal.SIGALRM, ring)
    tables = [{"by": float(n), "list": list(range(300))} for n in range(12)]

    def make(n):
        @tf.function
        def step(x):
            for each in tables[n]["list"][:40]:
                x = x * tables[n]["by"] + each
            return x
        return step

    caught = 0
    steps = [make(n) for n in range(12)]
    tf.constant(1.0) + 1.0
    for n, step in enumerate(steps):
        signal.setitimer(signal.ITIMER_REAL, DELAY * (n + 1))
        try:
            step(tf.constant(1.0))
            time.sleep(5.0)
        except Late:
            caught += 1
        signal.setitimer(signal.ITIMER_REAL, 0)
    print(rung, caught)
    print([float(step(tf.constant(2.0))).hex() for step in steps])
""")


@pytest.mark.parametrize("delay", [0.0007, 0.003, 0.011, 0.03])
def test_each_one_reaches_the_program(lab, delay):  # noqa: F811
    laboratory = lab(PROGRAM.replace("DELAY", str(delay)))
    plain = laboratory.plain()
    assert plain.out.startswith("12 12\n")
    for _ in range(5):
        assert laboratory.boost().out == plain.out
