"""A trace that reads what can be read only once: the standard input, a pipe. Nobody looks into it but the program, and no answer stands
for it."""

import pytest
from replay_harness import check_same, lab  # noqa: F401

PROGRAM = """
import os, sys, tempfile, threading
import tensorflow as tf

x = tf.constant([1.0, 2.0])
reading, writing = os.pipe()
os.write(writing, b"7")
os.close(writing)
fifo = os.path.join(tempfile.mkdtemp(), "fifo")
os.mkfifo(fifo)

def write():
    with open(fifo, "w") as file:
        file.write("5")

threading.Thread(target=write, daemon=True).start()
held, filled = os.pipe()
os.write(filled, b"1\\n2\\n3\\n4\\n")
os.close(filled)
os.dup2(held, 0)

def from_a_pipe():
    with open(f"/dev/fd/{reading}") as file:
        return float(file.read() or 0)

def from_a_fifo():
    with open(fifo) as file:
        return float(file.read() or 0)

def by_a_line():
    return float(sys.stdin.readline() or 0)

def by_iteration():
    return float(next(sys.stdin, 0))

def by_its_buffer():
    return float(sys.__stdin__.buffer.readline() or 0)

def by_descriptor():
    with open(0, closefd=False) as file:
        return float(len(file.read()))

for read in (from_a_pipe, from_a_fifo, by_a_line, by_iteration, by_its_buffer, by_descriptor):
    @tf.function(autograph=False)
    def times(x):
        return x * read()

    print(read.__name__, times(x).numpy().tolist())
"""


@pytest.mark.tensorflow
def test_what_is_read_once_is_read_by_the_program(lab):  # noqa: F811
    ran = check_same(lab(PROGRAM), [])
    assert "from_a_pipe [7.0, 14.0]\nfrom_a_fifo [5.0, 10.0]\nby_a_line [1.0, 2.0]\n" in ran.out
    assert len(ran.reasons("refused")) == 6, ran.notes
