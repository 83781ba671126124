"""A program in which nothing moves is told of, with what it waits for."""

import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.phases import NETWORK, UNACCOUNTED
from firststep.diagnose import diagnosis
from firststep.launch import kernel, stall
from firststep.launch.part import Part
from firststep.launch.session import Session
from firststep.model.plan import Plan, Until
from firststep.model.read_trace import parse_trace


def written(record):
    """As the agent writes it."""
    return json.dumps(record, separators=(",", ":"))


def part(folder, *records, pid=1):
    lines = [json.dumps({"magic": "firststep-trace", "schema": 1, "pid": pid}), *map(written, records)]
    (folder / f"{pid}-1.part").write_text("\n".join(lines) + "\n")


FRAMES = ["f", 1, "/home/me/train.py", "<module>", 1, 12], ["f", 2, "/x/site-packages/tensorflow/python/strategy.py", "__init__", 1, 5]
STACK = ["k", 0, [1, 2]]
SAMPLE = ["p", 100, 0, "S", 202, 5, 5]


def test_the_wait_is_named_with_the_users_line_and_the_absent_members(tmp_path):
    part(tmp_path, *FRAMES, STACK, SAMPLE, ["m", 1, "waits-for", {"members": [f"worker {n} at 10.0.0.{n}:2222" for n in range(1, 7)]}],
         ["o", 100, 1, [["cluster-wait", "Strategy._initialize", 50]]])
    (words,) = stall.waits(tmp_path)
    assert words == ("pid 1 is in Strategy._initialize at train.py:12 for worker 1 at 10.0.0.1:2222, worker 2 at 10.0.0.2:2222, "
                     "worker 3 at 10.0.0.3:2222, worker 4 at 10.0.0.4:2222 and 2 more")


def test_a_part_that_cannot_be_read_is_left_out(tmp_path):
    (tmp_path / "2-1.part").write_text("")
    (tmp_path / "3-1.part").write_text('{"magic"')
    assert list(stall.waits(tmp_path)) == []


def test_a_record_that_is_cut_short_is_left_out(tmp_path):
    part(tmp_path, *FRAMES, STACK, SAMPLE)
    with (tmp_path / "1-1.part").open("a") as file:
        file.write('["o",12')
    assert "train.py:12" in next(stall.waits(tmp_path))


def test_a_part_is_read_on_where_it_was_left(tmp_path):
    part(tmp_path, *FRAMES, STACK, ["s", "trace", "step", 1, 2, 1])
    path = tmp_path / "1-1.part"
    one = Part(path).read()
    assert (one.line(), one.traced["step"]) == ("", 1)
    with path.open("a") as file:
        file.write(written(SAMPLE) + "\n" + written(["o", 5, 1, [["trace", "step", 3]]]) + '\n["s","trace","st')
    assert (one.read().line(), one.opened, one.traced["step"]) == ("train.py:12", [["trace", "step", 3]], 1)
    with path.open("a") as file:
        file.write('ep",3,4,1]\n' + written(SAMPLE) + "\n")
    assert (one.read().opened, one.traced["step"]) == ([], 2)  # the sample after it has none open


def test_other_threads_are_told_of_where_they_have_a_line(tmp_path):
    part(tmp_path, *FRAMES, STACK, ["k", 1, [2]], SAMPLE, ["w", 100, [[7, "loader", 0], [8, "idle", 1]]])
    assert list(stall.waits(tmp_path)) == ["pid 1 at train.py:12", "thread loader at train.py:12"]


@pytest.fixture
def standing():
    """standing(program) -> its pid, once it has printed a line."""
    started = []

    def start(program):
        started.append(subprocess.Popen([sys.executable, "-u", "-c", program], stdout=subprocess.PIPE, start_new_session=True))
        assert started[-1].stdout.readline()
        return started[-1].pid

    yield start
    for one in started:
        os.killpg(one.pid, signal.SIGKILL)
        one.wait()


SERVER = "import socket\ns = socket.create_server(('127.0.0.1', 0))\nc = socket.create_connection(s.getsockname())\n"
STANDS = {
    "a peer": (SERVER + "print(s.getsockname()[1])\nc.recv(1)", "waiting for the network (127.0.0.1:"),
    "a peer, with a timeout": (SERVER + "c.settimeout(600)\nprint(1)\nc.recv(1)", "waiting for the network (127.0.0.1:"),
    "a port": (SERVER + "s.accept()\nprint(1)\ns.accept()", "waiting for the network (on port "),
    "a child": ("import subprocess; print(1); subprocess.run(['sleep', '600'])", "waiting for a child process (sleep)"),
    "a file": ("import os, tempfile\np = tempfile.mkdtemp() + '/fifo'; os.mkfifo(p); f = os.open(p, os.O_RDWR); print(1); os.read(f, 1)",
               "/fifo)"),
    "a thread": ("import threading; print(1); threading.Lock().acquire(); a = threading.Lock(); a.acquire(); a.acquire()",
                 "waiting for another thread"),
    "nothing": ("import time; print(1); time.sleep(600)", "asleep"),
}


@pytest.mark.parametrize("what", STANDS)
def test_the_kernel_knows_what_is_waited_for(standing, what):
    if not os.access(f"/proc/{os.getpid()}/syscall", os.R_OK):
        pytest.skip("the kernel does not tell what a thread waits for")
    program, expected = STANDS[what]
    pid, until = standing(program), time.monotonic() + 60
    while expected not in (said := kernel.waits(pid)) and time.monotonic() < until:
        time.sleep(0.05)
    assert expected in said


def test_what_is_gone_waits_for_nothing():
    assert kernel.waits(2**22 - 1) == ""


@pytest.fixture
def clock(monkeypatch):
    """clock(seconds, cpu seconds): what the time and the program's CPU time are."""
    state = {"now": 0.0, "cpu": 0.0}
    monkeypatch.setattr(stall.time, "monotonic", lambda: state["now"])
    monkeypatch.setattr(stall, "_cpu_s", lambda pid: state["cpu"])
    return lambda now, cpu: state.update(now=now, cpu=cpu)


def test_it_is_told_once_and_again_after_something_moved(tmp_path, clock):
    clock(0.0, 0.0)
    seen = stall.Stall(1, tmp_path)
    said = []
    for now in range(1, 60):
        clock(float(now), 0.0 if now < 20 else 5.0)
        words = seen.look()
        if words:
            said.append((now, words))
    assert [10 <= said[0][0] <= 12, 30 <= said[1][0] <= 32, len(said)] == [True, True, 2]
    assert "nothing has moved for 1" in said[0][1]


def test_the_cpu_time_is_that_of_the_program_and_its_children():
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'])"
    child = subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
    try:
        while stall._cpu_s(child.pid) < 0.5:
            time.sleep(0.05)
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    assert stall._cpu_s(child.pid) == 0


def test_a_busy_program_is_never_told_of(tmp_path, clock):
    clock(0.0, 0.0)
    seen = stall.Stall(1, tmp_path)
    for now in range(1, 60):
        clock(float(now), now * 0.5)
        assert seen.look() is None


def test_polling_moves_nothing_however_long_it_goes_on(tmp_path, clock):
    clock(0.0, 0.0)
    seen, said = stall.Stall(1, tmp_path), 0
    for now in range(1, 600):
        clock(float(now), now * 0.01)
        said += seen.look() is not None
    assert said == 1


WAITING = SERVER + """
import queue, threading
q = queue.Queue()
def load():
    q.put(c.recv(10))
threading.Thread(target=load, name="loader", daemon=True).start()
q.get()
"""


def test_a_program_that_waits_for_its_thread_is_told_what_that_waits_for(tmp_path):
    program, said = tmp_path / "waits.py", []
    program.write_text(WAITING)

    def stop(words):
        said.append(words)
        os.kill(child_of_this_process("waits.py"), signal.SIGKILL)

    Session([sys.executable, str(program)], Plan(), on_stall=stop).run()
    assert "at waits.py:10 waiting for another thread; thread loader at waits.py:8 waiting for the network (127.0.0.1:" in said[0]


WORKER = """
import json, os
cluster = {"worker": ["127.0.0.1:%d", "127.0.0.1:%d"]}
os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": {"type": "worker", "index": 0}})
import tensorflow as tf
strategy = tf.distribute.MultiWorkerMirroredStrategy()
"""


def free_ports():
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        return one.getsockname()[1], other.getsockname()[1]


@pytest.mark.tensorflow
def test_a_worker_whose_peer_is_absent_is_told_of_and_so_is_its_trace_when_it_is_killed(tmp_path):
    program, said, ports = tmp_path / "worker.py", [], free_ports()
    program.write_text(WORKER % ports)

    def stop(words):
        said.append(words)
        os.kill(child_of_this_process("worker.py"), signal.SIGKILL)

    outcome = Session([sys.executable, str(program)], Plan(), on_stall=stop).run()
    assert f"at worker.py:6 for worker 1 at 127.0.0.1:{ports[1]}" in said[0]
    assert int(said[0].partition("moved for ")[2].partition(" ")[0]) <= 15
    facts = Facts(parse_trace(outcome.trace))
    where, = (one.evidence.line for one in facts(diagnosis).findings if one.id == "waiting-for-workers")
    assert where.line == 6
    finding, = (one for one in facts(diagnosis).findings if one.id == "waiting-for-workers")
    assert "and was still waiting at its end" in finding.evidence.words and str(ports[1]) in finding.evidence.words
    whole = facts(partition)
    assert whole.phases[NETWORK] > whole.phases[UNACCOUNTED]


def test_the_session_tells_of_it_while_the_program_sleeps(monkeypatch):
    said = []
    monkeypatch.setattr(stall, "AFTER_S", 0.0)
    outcome = Session([sys.executable, "-c", "import time; time.sleep(600)"], Plan(until=Until("exit"), observe=()),
                      on_stall=lambda words: (said.append(words), os.kill(child_of_this_process("time.sleep(600)"), signal.SIGTERM))).run()
    assert outcome.killed_by == signal.SIGTERM
    assert said[0].startswith("nothing has moved for ")


def child_of_this_process(named):
    """The program among the children, which are also the tool's own helpers."""
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children") as file:
            for pid in map(int, file.read().split()):
                with open(f"/proc/{pid}/cmdline") as words:
                    if named in words.read():
                        return pid
    raise AssertionError("the program is gone")
