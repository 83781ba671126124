"""What goes wrong around a program: each a clear message with the next thing to type, and nothing lost."""

import os
import signal
import subprocess
import time

import pytest
from programs import FIRSTSTEP

from firststep import exit_codes
from firststep_agent.recorder import Recorder


def says(got, *words):
    text = got.err.decode()
    assert "Traceback" not in text
    for word in words:
        assert word in text, text


def test_no_such_program(record):
    got = record(["a-program-that-is-not-there"])
    assert got.code == exit_codes.NOT_FOUND
    says(got, "no such program: a-program-that-is-not-there", "next:")


def test_a_file_that_cannot_be_run(record, write):
    got = record([write("notes.txt", "hello")])
    assert got.code == exit_codes.NOT_EXECUTABLE
    says(got, "cannot start", "next:")


def test_not_a_python_program(record):
    got = record(["sh", "-c", "echo out; exit 9"])
    assert (got.code, got.out) == (9, b"out\n")
    says(got, "no Python process")


def test_a_script_that_is_not_there(plain, record, target):
    got = record([target, "missing.py"])
    assert got.code == plain([target, "missing.py"]).returncode == 2
    says(got, "No such file")


def test_an_unwritable_output_is_found_before_the_run(record, write, target, tmp_path):
    program = write("main.py", f"open({str(tmp_path / 'ran')!r}, 'w')")
    got = record([target, program], "-o", str(tmp_path / "no-folder" / "x.trace"))
    assert got.code == exit_codes.CANNOT_WRITE
    assert not (tmp_path / "ran").exists()
    says(got, "cannot be written", "-o FILE")


def test_an_until_that_is_none(record, target):
    got = record([target, "-c", "pass"], "--until", "lunch")
    assert got.code == exit_codes.USAGE
    says(got, "--until lunch", "first-step")


def test_a_crash_before_ready_is_said_so(record, write, target):
    got = record([target, write("main.py", "1/0")])
    assert got.code == 1
    says(got.__class__(got.code, got.out, got.err.replace(b"Traceback (most recent call last):", b""), got.trace, got.path),
         "ZeroDivisionError", "before")


def test_a_full_disk_ends_the_recording_and_nothing_else(tmp_path, monkeypatch):
    recorder = Recorder(str(tmp_path / "a.part"), {"magic": "x"})
    recorder.flush()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    recorder.record("m", 1, "mark", {})
    recorder.flush()
    assert recorder.failed == "No space left on device"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 7), (signal.SIGUSR1, 8)])
def test_signals_reach_the_program(write, target, tmp_path, number, code):
    program = write("main.py", (
        "import signal, sys, time\n"
        f"signal.signal({int(number)}, lambda *_: sys.exit({code}))\n"
        "print('up', flush=True)\ntime.sleep(30)\n"))
    child = subprocess.Popen([*FIRSTSTEP, "record", "-o", str(tmp_path / "a"), "--", target, program],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout.readline() == b"up\n"
    child.send_signal(number)
    assert child.wait(30) == code
    child.communicate()


def test_ctrl_c_reaches_the_program_once(write, target, tmp_path):
    program = write("main.py", (
        "import time\n"
        "try:\n    print('up', flush=True)\n    time.sleep(30)\n"
        "except KeyboardInterrupt:\n    print('interrupted', flush=True); raise SystemExit(6)\n"))
    child = subprocess.Popen([*FIRSTSTEP, "record", "-o", str(tmp_path / "a"), "--", target, program],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # a background job ignores it
    assert child.stdout.readline() == b"up\n"
    time.sleep(0.5)  # let it fall asleep: a signal just before a system call waits for its end, in any Python
    os.killpg(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert (out, child.returncode) == (b"interrupted\n", 6)
    assert b"Traceback" not in err


def test_stop_ends_the_program_at_ready(record, write, target):
    began = time.monotonic()
    got = record([target, "-c", "import socket, time; s = socket.create_server(('localhost', 48611)); time.sleep(60)"],
                 "--until", "port:48611", "--stop")
    assert got.code == 0
    assert got.trace.ready.kind == "port"
    assert time.monotonic() - began < 50


def test_a_line_makes_ready_and_every_byte_passes(record, target):
    got = record([target, "-uc", "import time; print('a'); print('ready now'); time.sleep(.5); print('z')"],
                 "--until", "line:ready")
    assert got.out == b"a\nready now\nz\n"
    assert (got.trace.ready.kind, got.trace.ready.label) == ("line", "ready now")
