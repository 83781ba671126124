"""`firststep prove` on small real programs, none of which knows TensorFlow."""

import json
import os
import sys
import textwrap

import pytest

import firststep
from firststep import exit_codes
from firststep.prove import page_cache
from firststep.prove.drive import Request, carry_out
from firststep.prove.run import Purpose
from firststep.prove.verdict import ProofVerdict
from firststep.prove.write import write

TARGET = os.environ.get("FIRSTSTEP_TEST_PYTHON", sys.executable)
SEEDED = "import random; random.seed(1)\n"
MODEL = """
    import numpy as np
    import keras

    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    x = np.arange(480, dtype="float32").reshape(120, 4)
    model.fit(x, x[:, :1], batch_size=8, epochs=2, verbose=0)
"""


@pytest.fixture
def program(tmp_path):
    def make(text, name="program.py"):
        path = tmp_path / name
        path.write_text(textwrap.dedent(text))
        return (sys.executable, str(path))

    return make


def prove(command, **options):
    usual = {
        "baseline": None, "plan": "plain", "self_check": False, "until": "first-step", "stop": False, "runs": 3,
        "cold": False, "compare_output": False, "timeout": 60.0, "strict": False,
    }
    return carry_out(Request(command=command, **{**usual, **options}))


def test_a_faster_command_against_its_baseline(program, tmp_path, capsys):
    slow = program("import time; time.sleep(1.5)", "slow.py")
    proof = prove(program("pass"), baseline=" ".join(slow), runs=6)
    assert proof.judgement.verdict is ProofVerdict.FASTER
    code = write(proof, tmp_path / "a.json", tmp_path / "a.md")
    assert code == exit_codes.OK
    document = json.loads((tmp_path / "a.json").read_text())
    assert (document["magic"], document["schema"], document["verdict"]) == ("firststep-prove", 1, "faster")
    assert document["metrics"][0]["name"] == "ready"
    assert document["metrics"][0]["low"] > 1
    assert len(document["runs"]) == 14
    markdown = (tmp_path / "a.md").read_text()
    assert markdown.startswith("### firststep prove: faster\n")
    assert "| time at ready |" in markdown
    assert "faster" in capsys.readouterr().out


def test_results_named_by_the_program_are_compared(program):
    named = """
        import firststep
        firststep.result("answer", {"loss": [0.5, %s]})
    """
    same = prove(program(named % 1), runs=1)
    assert any("result answer" in words for words in same.evidence.comparison.compared)
    other = prove(program(named % 2), baseline=" ".join(program(named % 1, "other.py")), runs=1)
    assert other.judgement.verdict is ProofVerdict.RESULTS_DIFFER


def test_marks_do_nothing_without_the_agent():
    firststep.mark("loaded")
    firststep.result("loss", 1.0)


def test_a_mark_can_be_what_ready_means(program):
    text = "import time, firststep\nfirststep.mark('loaded')\ntime.sleep(0.3)"
    proof = prove(program(text), until="mark:loaded", runs=1)
    [pair] = proof.evidence.pairs
    assert pair.plain.ready < pair.plain.exit - 0.2


def test_standard_output_is_compared_when_asked(program):
    clock = program("import time; print(time.monotonic_ns())")
    proof = prove(clock, compare_output=True, runs=1)
    assert proof.judgement.verdict is ProofVerdict.NOT_REPRODUCIBLE
    assert prove(clock, runs=1).judgement.verdict is ProofVerdict.NO_DIFFERENCE


def test_nothing_printed_is_nothing_comparable(program):
    proof = prove(program("pass"), compare_output=True, runs=1)
    assert proof.judgement.exit_code == exit_codes.NOTHING_COMPARABLE


def test_random_streams_are_compared(program):
    two = program(SEEDED + "random.random(); random.random()", "two.py")
    proof = prove(program(SEEDED + "random.random()"), baseline=" ".join(two), runs=1)
    assert proof.judgement.verdict is ProofVerdict.RESULTS_DIFFER
    assert any("random stream of Python" in reason for reason in proof.judgement.reasons)


def test_a_failure_shows_what_the_program_said_and_keeps_the_pairs(program, tmp_path):
    text = f"""
        import os, sys
        mark = {str(tmp_path / "starts")!r}
        with open(mark, "a") as file:
            file.write("x")
        if os.path.getsize(mark) > 6:
            sys.exit("out of luck")
    """
    proof = prove(program(text), runs=10)
    assert proof.judgement.exit_code == exit_codes.PROGRAM_FAILED
    assert len(proof.evidence.pairs) == 2
    assert "out of luck" in proof.evidence.problem.runs[0].printed_last
    assert proof.judgement.effects


def test_a_command_that_hangs_is_stopped(program):
    proof = prove(program("import time; print('waiting for the queue', flush=True); time.sleep(60)"), timeout=1.0)
    assert proof.judgement.exit_code == exit_codes.TIMED_OUT
    assert "waiting for the queue" in proof.evidence.problem.runs[0].printed_last


def test_a_step_that_never_comes(program):
    proof = prove(program("pass"), until="step:3")
    assert proof.judgement.exit_code == exit_codes.NEVER_READY
    assert "--until" in proof.judgement.reasons[0]


def test_an_interpreter_that_the_agent_cannot_enter(program):
    interpreter, script = program("pass")
    proof = prove((interpreter, "-I", script), until="predict")
    assert proof.judgement.exit_code == exit_codes.NEVER_READY
    assert "doctor" in proof.judgement.reasons[0]
    proof = prove((interpreter, "-I", script), plan="boost", runs=1)
    assert proof.judgement.exit_code == exit_codes.NOTHING_LIVE
    assert "doctor" in proof.judgement.reasons[0]


def test_every_run_has_an_empty_standard_input(program):
    proof = prove(program("import sys; sys.exit(len(sys.stdin.read()))"), runs=1)
    assert proof.evidence.problem is None


def test_who_may_not_drop_the_page_cache_evicts_file_by_file(tmp_path, monkeypatch):
    (tmp_path / "weights.bin").write_bytes(b"x" * 1_000_000)
    os.sync()
    monkeypatch.setattr(page_cache, "DROP", tmp_path / "not" / "ours")
    told = page_cache.empty([str(tmp_path), str(tmp_path)])
    assert (told.files, told.bytes) == (1, 1_000_000)
    assert "posix_fadvise" in str(told)


@pytest.mark.tensorflow
@pytest.mark.suite
def test_boost_is_live_and_computes_the_same(program, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    proof = prove((TARGET, program(MODEL)[1]), plan="boost", runs=1)
    assert proof.evidence.problem is None
    assert proof.judgement.verdict is ProofVerdict.NO_DIFFERENCE
    [pair] = proof.evidence.pairs
    assert pair.treated.live
    assert not pair.plain.live
    assert pair.plain.ready_by == pair.treated.ready_by == "train"
    assert pair.plain.step20 > pair.plain.ready
    assert any("epochs" in words for words in proof.evidence.comparison.compared)
    plain, learning, *_, last = proof.evidence.apart
    assert learning.learned
    assert not plain.learned
    assert not last.learned


def test_a_server_is_stopped_at_ready(program):
    text = """
        import socket, time
        with socket.create_server(("localhost", 0)) as server:
            print("port", server.getsockname()[1], flush=True)
            time.sleep(60)
    """
    proof = prove(program(text), until="line:port", stop=True, runs=1)
    [pair] = proof.evidence.pairs
    assert pair.plain.ready < 60
    assert pair.plain.exit is None
    assert [effect.metric.name for effect in proof.judgement.effects] == ["ready", "CPU time", "peak memory"]


def test_runs_that_learn_are_not_stopped_at_ready(program, tmp_path, monkeypatch):
    """Functions are written a second after ready, and later: a stopped run had learned nothing, and boost seemed to gain nothing."""
    monkeypatch.setenv("FIRSTSTEP_CACHE", str(tmp_path / "cache"))
    ended = tmp_path / "ended"
    command = program(f"""
        import time
        print("ready", flush=True)
        time.sleep(2)
        open({str(ended)!r}, "a").write("x")
    """)
    proof = prove(command, plan="boost", until="line:ready", stop=True, runs=2)
    learning = [run for run in proof.evidence.apart if run.purpose is Purpose.LEARNING]
    assert learning and len(ended.read_text()) == len(learning)
