"""Which of the children that prove answers works when, without a child."""

import mmap
import os
import signal
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from firststep_agent.boost.cache_functions.proof import proof_child, sandbox, watch, work
from firststep_agent.boost.cache_functions.proof.answering import Answering


def working(region, earlier):
    """An Event that is set when the child of `region` begins its work."""
    began = threading.Event()

    def wait():
        work._wait_for_turn(region, earlier)
        began.set()

    threading.Thread(target=wait, daemon=True).start()
    return began


def test_a_child_lets_the_program_go_first(monkeypatch):
    monkeypatch.setattr(work, "_HELD_S", 3600)
    region = bytearray(work.SIZE)
    began = working(region, [])
    assert not began.wait(0.1)
    work.let_go(region)
    assert began.wait(60)


def test_a_program_that_never_makes_a_step_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(work, "_HELD_S", 0.1)
    assert working(bytearray(work.SIZE), []).wait(60)


def test_who_waits_for_its_turn_ends_with_the_program():
    earlier = [bytearray(work.SIZE) for _ in range(3)]
    region, began = bytearray(work.SIZE), threading.Event()
    work.let_go(region)
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as program:
        def wait():
            work._wait_for_turn(region, earlier, program.pid)
            began.set()

        threading.Thread(target=wait, daemon=True).start()
        assert not began.wait(0.2) and not work._is_gone(program.pid)
        program.kill()
        assert began.wait(60)
    assert work._is_gone(program.pid) and not work._is_gone(None)


def test_two_children_work_at_once():
    earlier = [bytearray(work.SIZE) for _ in range(3)]
    region = bytearray(work.SIZE)
    work.let_go(region)
    work.say(earlier[1], work.EQUAL, "")
    began = working(region, earlier)
    assert not began.wait(0.1)
    work.say(earlier[0], work.FAILED, "why")
    assert began.wait(60)


def test_what_answers_for_comparison_ends_with_the_child_that_traces_whatever_it_hangs_in():
    hangs, told = os.pipe()

    def perform():
        os.write(told, b"%d" % os.getpid())
        time.sleep(3600)

    pid = os.fork()
    if not pid:
        end = sandbox.EndWith()
        if not os.fork():
            Answering().do(end, perform, list)
        time.sleep(3600)
    answers = int(os.read(hangs, 20))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    until = time.monotonic() + 60
    while _is_there(answers) and time.monotonic() < until:
        time.sleep(0.01)
    assert not _is_there(answers)


def test_what_answers_for_comparison_tells_its_state_and_then_what_else_it_is_asked():
    answering, began = Answering(), time.monotonic()
    answering.begin([], lambda: [1, {2: 3}], lambda question: [question, question])
    assert answering.state() == [1, {2: 3}]
    assert answering.more([4]) == [[4], [4]]
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(("work", "why"), [
    (lambda: 1 / 0, r" \(ZeroDivisionError: division by zero\)"), (lambda: os.kill(os.getpid(), signal.SIGKILL), "")])
def test_of_what_answers_for_comparison_and_fails_it_is_heard_why(work, why):
    for when in ("state", "more"):
        answering, at_once = Answering(), [work, list][when == "more"]
        answering.begin([], at_once, lambda question: work())
        if when == "more":
            assert answering.state() == []
        with pytest.raises(RuntimeError, match=f"the state after the answer could not be told{why}$"):
            answering.more([]) if when == "more" else answering.state()


def test_what_would_answer_for_comparison_after_the_child_that_traces_has_ended_tells_so():
    end, region = sandbox.EndWith(), mmap.mmap(-1, 8)
    end._parent += 1  # as if it were another's child
    pid = os.fork()
    if not pid:
        try:
            end.now()
        except sandbox.Unavailable:
            region[0] = 1
        os._exit(0)
    os.waitpid(pid, 0)
    assert region[0] == 1


def _is_there(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("step, verdict", [(0.0, work.FAILED), (0.01, work.EQUAL)], ids=["hangs", "works"])
def test_a_child_that_does_nothing_is_not_waited_for(monkeypatch, step, verdict):
    monkeypatch.setattr(proof_child, "_STILL_S", 1.0)
    region, used = mmap.mmap(-1, work.SIZE), [0.0]

    def used_s():
        used[0] += step
        return used[0]

    said = []
    owner = SimpleNamespace(go=lambda: None, used_s=used_s, decided=lambda proof, text: said.append((proof.verdict, text)))
    proof = proof_child.ProofChild(owner, region, None, "replay", None, "f", 10**9, False, None)
    threading.Timer(3.0, work.say, (region, work.EQUAL, "")).start()
    proof.wait(3600)
    proof.give_up()
    assert said[0][0] == verdict and ("did nothing" in said[0][1]) is (verdict == work.FAILED)


class Busy(proof_child.ProofChild):
    """Its children use processor time, for each second of which they wait `queued` seconds for a processor."""

    queued, used = 0.0, 0.0

    def used_s(self):
        self.used += 0.1
        return self.used

    def queued_s(self):
        return self.used * self.queued


@pytest.mark.parametrize("queued, known_s, verdict", [(0.0, 0.0, work.FAILED), (1.0, 0.0, work.EQUAL), (0.0, 5.0, work.EQUAL)],
                         ids=["alone", "beside others", "as the last one"])
def test_a_child_is_given_the_processor_time_that_it_takes_beside_others_and_took_the_last_time(monkeypatch, queued, known_s, verdict):
    monkeypatch.setattr(proof_child, "_COMPARING_S", 3.0)
    region = mmap.mmap(-1, work.SIZE)
    proof = Busy(SimpleNamespace(go=lambda: None, used_s=lambda: proof.used, decided=lambda *told: None), region, None, "replay",
                 SimpleNamespace(proof_ns=round(known_s * 1e9)), "f", 10**8, False, None)  # patience: 0.1 s
    proof.queued, asked = queued, []

    def is_open():
        asked.append(region)
        if len(asked) == 60:  # six seconds of processor time by then
            work.say(region, work.EQUAL, "")
        return proof_child.ProofChild.is_open(proof)

    proof.is_open = is_open
    monkeypatch.setattr(proof_child, "_LOOKING_S", 3600)
    proof.wait()
    proof.give_up()
    assert proof.verdict == verdict


@pytest.mark.parametrize("since_s, policy", [(0, os.SCHED_IDLE), (60, os.SCHED_OTHER)])
def test_a_child_that_has_been_there_for_long_is_no_longer_at_the_lowest_priority(since_s, policy):
    region, owner = mmap.mmap(-1, work.SIZE), SimpleNamespace()
    proof = proof_child.ProofChild(owner, region, None, "replay", None, "f", 10**9, False, None)
    proof._began_ns -= since_s * 10**9
    proof._asked_ns -= 10**9
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as child:
        try:
            os.sched_setscheduler(child.pid, os.SCHED_IDLE, os.sched_param(0))
            work._note(region, work._NUMBERS_AT[0], child.pid)
            assert proof.is_open()
            assert os.sched_getscheduler(child.pid) == policy
        finally:
            child.kill()


def test_how_long_a_process_has_waited_for_a_processor_is_what_the_kernel_says_of_it():
    region = mmap.mmap(-1, work.SIZE)
    proof = proof_child.ProofChild(SimpleNamespace(), region, None, "replay", None, "f", 1, False, None)
    assert proof.queued_s() == 0.0
    work._note(region, work._NUMBERS_AT[0], os.getpid())
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * len(os.sched_getaffinity(0)))]
    try:
        before, until = proof.queued_s(), time.monotonic() + 120
        while proof.queued_s() - before < 0.05 and time.monotonic() < until:
            pass
    finally:
        for each in spinning:
            each.kill()
            each.wait()
    assert time.monotonic() < until
