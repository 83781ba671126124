"""A process that ends between an answer and its verdict, by whatever way."""

import atexit
import contextlib
import mmap
import os
import signal
import sys
import textwrap
import time
import traceback
from types import SimpleNamespace

import pytest

from replay_harness import lab  # noqa: F811, F401
from test_proof import SIMPLE, confirmed, tamper

from firststep_agent import as_found
from firststep_agent.boost.cache_functions.keep import answering
from firststep_agent.boost.cache_functions.keep.header import Header
from firststep_agent.boost.cache_functions.proof import proof_child, watch, work
from firststep_agent.boost.cache_functions.proof.endings import Endings
from firststep_agent.run import Run

real = pytest.mark.tensorflow
BESIDE = {"proof": "after"}
ENDINGS = {
    "_exit": "os._exit(0)",
    "_exit in a thread": "t = threading.Thread(target=os._exit, args=(0,)); t.start(); t.join()",
    "execv": "os.execv('/bin/true', ['true'])",
    "execve": "os.execve('/bin/true', ['true'], {})",
    "execlp": "os.execlp('true', 'true')",
    "the end": "",
}
# so much else to be traced that the verdict comes late
SLOW = SIMPLE.replace("    return v * x\n", "    for _ in range(3000):\n        x = tf.identity(x)\n    return v * x\n")


def ending(how):
    """A program that ends so where a file `end` says it; else it has its end, and is learned."""
    return f"import os, sys, threading\n{SLOW}\nif 'end' in os.listdir():\n" + textwrap.indent(how or "pass", "    ") + "\n"


def proved(laboratory):
    """Starts it until an answer is proved. On a busy machine the end of a start may come first: the next one confirms, and so on."""
    for _ in range(4):
        laboratory.boost(BESIDE)
        with contextlib.suppress(ValueError):
            if confirmed(laboratory)[2].proved:
                return True
    return False


def end_so(laboratory, so=True):
    path = laboratory.program.with_name("end")
    path.touch() if so else path.unlink()


@real
@pytest.mark.parametrize("how", [pytest.param(how, marks=() if how in ("_exit", "the end") else pytest.mark.suite) for how in ENDINGS])
def test_no_wrong_answer_gets_out_by_it(lab, how):  # noqa: F811
    laboratory = lab(ending(ENDINGS[how]))
    laboratory.learned(BESIDE)
    end_so(laboratory)
    assert proved(laboratory)
    tamper(laboratory, exact="0" * 64)
    stopped = laboratory.boost(BESIDE, status=watch.EXIT_CODE)
    assert "stopped: `f` (program.py:" in stopped.err and ") was answered from the function cache" in stopped.err
    assert "Traceback" not in stopped.err


@real
@pytest.mark.suite
def test_a_child_of_the_program_knows_the_verdict_too(lab):  # noqa: F811
    laboratory = lab(ending("pid = os.fork()\nif pid == 0:\n    os._exit(7)\n"
                            "print('child', os.WEXITSTATUS(os.waitpid(pid, 0)[1]), flush=True)"))
    laboratory.learned(BESIDE)
    end_so(laboratory)
    assert "child 7" in laboratory.boost(BESIDE).out
    tamper(laboratory, exact="0" * 64)
    assert f"child {watch.EXIT_CODE}" in laboratory.boost(BESIDE, status=watch.EXIT_CODE).out


@real
@pytest.mark.suite
def test_what_stands_in_the_way_out_is_gone_with_the_verdict(lab):  # noqa: F811
    laboratory = lab(f"import os, posix, time\nplain = os._exit, os.execv\n{SLOW}\nend = time.time() + 60\n"
                     "while 'boost' in os.listdir() and time.time() < end and (os._exit, os.execv) != plain:\n"
                     "    f(tf.constant(1.)); time.sleep(0.05)\n"
                     "print((os._exit, os.execv) == plain == (posix._exit, posix.execv))")
    plain = laboratory.plain()
    laboratory.program.with_name("boost").touch()
    laboratory.learned(BESIDE)
    for _ in range(4):  # on a busy machine no verdict may come in time: the next start confirms, and so on
        answered = laboratory.boost(BESIDE)
        if answered.functions("proved"):
            break
    assert answered.functions("live") == answered.functions("proved") == ["f"]
    assert answered.out == plain.out and plain.out.endswith("True\n")


@pytest.mark.suite
@real
def test_an_answer_whose_process_was_killed_is_proved_before_the_next(lab):  # noqa: F811
    laboratory = lab(ending("os.kill(os.getpid(), 9)"))
    laboratory.learned(BESIDE)
    end_so(laboratory)
    laboratory.boost(BESIDE, status=-signal.SIGKILL)
    end_so(laboratory, False)
    after = laboratory.boost(BESIDE)
    assert after.functions("confirmed") == ["f"] and not after.functions("live")
    assert laboratory.boost(BESIDE).functions("live") == ["f"]


class Kept:
    """What lies beside one entry."""

    def __init__(self):
        self.facts = None

    def keep_beside(self, key, name, suffix, facts):
        self.facts = facts

    def all_beside(self, key, name, suffix):
        return [suffix] if self.facts else []

    def beside(self, key, name, suffix):
        return self.facts


@pytest.mark.parametrize("changed, left", [({}, False), ({"began": 1}, True), ({"pid": 1 << 22}, True),
                                           ({"boot": "another"}, False), ({"boot": "another", "at": time.time() - 1000}, True),
                                           ({"space": "another", "at": time.time() + 1000}, True), ({"pid": "x"}, True), ({"boot": None}, False)],
                         ids=["alive", "another process of its number", "gone", "elsewhere", "elsewhere, long ago", "elsewhere, in the future",
                              "no number", "nowhere"])
def test_who_is_gone_without_a_verdict(changed, left):
    kept, entry = Kept(), SimpleNamespace(key="k", name="n", header=Header("f", trace_ns=10**9))
    assert not answering.was_left(kept, entry)
    answering.begin(kept, entry)
    assert kept.facts["pid"] == os.getpid()
    kept.facts.update(changed)
    assert answering.was_left(kept, entry) is left


class Waited:
    """A proof whose wait is interrupted, as by Ctrl-C."""

    proves_answer_still, verdict, text, is_own = True, work.RUNNING, None, True

    def leave_no_process(self):
        pass

    def wait(self, seconds):
        raise KeyboardInterrupt

    def give_up(self, why=None):
        self.text = why


def interrupted():
    """Proofs that are waited for in vain."""
    proofs = object.__new__(watch.Proofs)
    proofs._all, proofs._waits_s = [Waited(), Waited()], None
    return proofs


def test_who_interrupts_the_end_waits_for_nothing_and_sees_nothing_of_ours():
    proofs, ran, run = interrupted(), [], object.__new__(Run)
    run.beside = SimpleNamespace(complete=bool)
    run.finished, run._callbacks = False, {"exit": [proofs.finish, lambda: ran.append("the next")]}
    run.at_exit()
    assert ran == ["the next"] and [proof.text for proof in proofs._all] == [watch.INTERRUPTED] * 2


@pytest.mark.parametrize("name", ["_exit", "execv"])
def test_who_interrupts_an_end_by_force_has_it_and_no_frame_of_ours(name):
    ended = []
    stand_in = Endings(SimpleNamespace(), interrupted()._settle, bool)._after(name, lambda *arguments: ended.append(arguments))
    try:
        stand_in(3)
    except KeyboardInterrupt as error:
        modules = [frame.f_globals["__name__"] for frame, _ in traceback.walk_tb(error.__traceback__)]
        assert name == "execv" and (sys.version_info < (3, 11) or modules == [__name__] * 2)
    assert ended == [(3,)] * (name == "_exit")


class Wrong:
    """The proof of an answer that is wrong."""

    kind, name, title, text, advice, verdict, proves_answer_still = "replay", "f", "`f`", "its graph", proof_child.AGAIN, work.DIFFERS, False
    is_own = True

    def leave_no_process(self):
        pass


def proofs_that(listener):
    """Proofs of this process, and the words with which they have stopped it."""
    proofs, stopped = object.__new__(watch.Proofs), []
    proofs._all, proofs._waits_s, proofs._spoilt, proofs._stopping = [Wrong()], None, None, False
    proofs._listeners, proofs._run = [listener], SimpleNamespace(note=lambda *what, **labels: None)
    proofs._endings, proofs._stop = SimpleNamespace(leave=bool), stopped.append
    return proofs, stopped


@pytest.mark.parametrize("error", [OSError("read-only"), TypeError("no text"), KeyboardInterrupt()], ids=repr)
def test_a_wrong_answer_stops_the_run_also_where_that_cannot_be_written_down(error):
    def fails(proof, text):
        raise error

    proofs, stopped = proofs_that(fails)
    with contextlib.suppress(KeyboardInterrupt):
        proofs.decided(Wrong(), "its graph")
    assert len(stopped) == 1 and "a real trace of it now differs in its graph" in stopped[0]


def test_who_has_begun_a_proof_writes_its_verdict_down_and_a_process_that_is_forked_from_it_does_not():
    heard = []
    proofs, _ = proofs_that(lambda proof, text: heard.append(proof))
    mine, another = Wrong(), Wrong()
    another.is_own = False
    for proof in (another, mine):
        proofs.decided(proof, "its graph")
    assert heard == [mine]
    real = proof_child.ProofChild(proofs, mmap.mmap(-1, work.SIZE), None, "replay", None, "f", 10**9, False, None)
    pid = os.fork()
    if not pid:
        os._exit(real.is_own)
    assert real.is_own and os.waitpid(pid, 0)[1] == 0


def test_a_child_waits_for_its_own_answers_before_it_becomes_another_program():
    waited, answers = [], []
    stand_in = Endings(SimpleNamespace(), lambda: waited.append(1), lambda: bool(answers))
    stand_in._pid = 0  # of its parent
    execute = stand_in._after("execv", bool)
    execute()
    answers.append(1)
    execute()
    assert waited == [1]


def test_a_wrong_answer_whose_verdict_was_lost_to_an_interrupt_stops_the_end():
    proofs, stopped = proofs_that(bool)
    proofs.finish()
    assert len(stopped) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(0), OSError()], ids=repr)
def test_who_is_stopped_is_stopped_whatever_is_raised_meanwhile(error, monkeypatch):
    def fails(*arguments):
        raise error

    left = []
    monkeypatch.setattr(watch, "leave", left.append)
    monkeypatch.setattr(watch, "write_all", fails)
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(flush=fails))
    proofs = object.__new__(watch.Proofs)
    proofs._run = SimpleNamespace(finish=fails)
    with contextlib.suppress(BaseException):
        proofs._stop("stopped")
    assert left == [watch.EXIT_CODE]


def test_a_process_that_may_not_be_asked_for_is_there(monkeypatch):
    """The program has become another user since."""
    def kill(number, signal):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(as_found.os, "kill", kill)
    region = mmap.mmap(-1, work.SIZE)
    region[4:8] = (4711).to_bytes(4, "little")
    proof = proof_child.ProofChild(proofs_that(bool)[0], region, None, "replay", None, "f", 10**9, False, None)
    proof._asked_ns = 0
    assert proof.is_open() and not proof.verdict


def test_a_child_that_ends_by_its_last_line_waits_for_the_verdicts_as_well(monkeypatch):
    """Also one that was forked after the first step, in which the run is over."""
    at_end, proofs = [], interrupted()
    monkeypatch.setattr(atexit, "register", at_end.append)
    proofs._waits_in_child = False
    proofs._in_child()
    proofs._in_child()  # its own child has that from it
    (end,) = at_end
    end()
    assert [proof.text for proof in proofs._all] == [watch.INTERRUPTED] * 2
