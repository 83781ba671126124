"""What goes wrong around a program: each a clear message with the next thing to type, and nothing lost."""

import os
import shlex
import signal
import stat
import subprocess
import time

import pytest
from programs import FIRSTSTEP

from firststep import exit_codes
from firststep.launch.until import parse_until
from firststep_agent import as_found
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


def test_a_script_without_its_interpreter(record, write):
    write("train.py", "print(1)")
    got = record(["train.py"])
    assert got.code == exit_codes.NOT_FOUND
    says(got, "no such program: train.py", "-- python train.py")


def test_a_first_line_that_names_no_interpreter(record, write):
    path = write("tool", "#!/nowhere/python\n")
    os.chmod(path, 0o755)
    got = record([path])
    assert got.code == exit_codes.NOT_FOUND
    says(got, "its first line names", "next:")


@pytest.mark.parametrize("words", [
    ["record"], ["boost"], ["prove"], ["recrod"], ["record", "--stpo", "--", "python"], ["boost", "--onyl", "x"],
    ["boost", "--only", "x", "--", "python"], ["cache", "nothing"], ["cache", "prune", "--size", "much"],
    ["enable"], ["disable"], ["enable", "/nowhere"], ["doctor", "--", "python", "train.py"], ["record", "--json", "-", "--", "true"],
], ids=" ".join)
def test_a_wrong_command_line_says_what_to_type(words, plain):
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    got = plain([*FIRSTSTEP, *words], env=environment)
    assert (got.returncode, got.stdout) == (exit_codes.USAGE, b"")
    assert got.stderr.startswith(b"firststep: ") and b"\n  next: " in got.stderr and b"Traceback" not in got.stderr


def test_options_after_the_program_are_the_programs(plain, target):
    got = plain([*FIRSTSTEP, "record", target, "-c", "import sys; print(sys.argv)", "--stop", "-o", "x"])
    assert got.stdout == b"['-c', '--stop', '-o', 'x']\n"


@pytest.mark.parametrize("closed", ["2>&-", "2>&1 >/dev/null | true; (exit ${PIPESTATUS[0]})"], ids=["closed", "broken"])
def test_a_stderr_that_takes_nothing_leaves_the_program_alone(plain, target, tmp_path, closed):
    command = shlex.join([*FIRSTSTEP, "record", "-o", "a.trace", "--", target, "main.py"])
    (tmp_path / "main.py").write_text("import time; time.sleep(0.5); print('out'); raise SystemExit(7)")
    got = plain(["bash", "-c", f"{command} {closed}"])
    assert got.returncode == 7
    assert b"firststep" not in got.stdout and b"Traceback" not in got.stderr


def test_no_place_to_keep_traces_is_said_and_the_program_runs(plain, write, target, tmp_path):
    write("file", "")
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "file/state")}
    got = plain([*FIRSTSTEP, "record", "--", target, "-c", "print('ran'); raise SystemExit(3)"], env=environment)
    assert (got.returncode, got.stdout) == (3, b"ran\n")
    assert b"will not be kept" in got.stderr and b"-o FILE" in got.stderr and b"Traceback" not in got.stderr


def test_an_output_that_is_a_device_stays_one(record, target):
    got = record([target, "-c", "print(1)"], "-o", "/dev/null")
    assert got.code == 0 and got.out == b"1\n"
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize(("text", "words"), [
    (b"", "does not begin"), (b"root:x:0\nbin:x:1\n", "does not begin"), (b'{"a": 1}\n', "does not begin"),
    (b"\xff\xfe\x00", "not text"), (b'{"magic": "firststep-trace", "schema": 99}\n', "schema 99"),
    (b'{"magic": "firststep-trace", "schema": 1}\n', "began and ended"), (b"\x1f\x8b\x08damaged", "damaged gzip"),
], ids=["empty", "foreign", "json", "binary", "future", "headless", "gzip"])
def test_a_file_that_is_no_trace(plain, tmp_path, text, words):
    (tmp_path / "x").write_bytes(text)
    for verb in (["report"], ["report", "--json"], ["bug", "--trace"]):
        got = plain([*FIRSTSTEP, *verb, "x"])
        assert got.returncode == exit_codes.CANNOT_READ
        assert words in got.stderr.decode() and b"next:" in got.stderr and b"Traceback" not in got.stderr


def test_a_trace_cut_short_is_shown_and_said_to_be(plain, record, target, tmp_path):
    whole = record([target, "-c", "import json"]).path.read_bytes()
    between = [at + 1 for at, byte in enumerate(whole[:-1]) if byte == ord("\n")]
    for size in (*range(1, len(whole), len(whole) // 40), *between[::len(between) // 20], between[-1]):
        (tmp_path / "x").write_bytes(whole[:size])
        got = plain([*FIRSTSTEP, "report", "x"])
        assert b"Traceback" not in got.stderr and b"fault" not in got.stderr
        if got.returncode:
            assert got.returncode == exit_codes.CANNOT_READ and size < whole.index(b"\n")
        else:
            assert b"not the whole trace" in got.stdout


def test_not_a_python_program(record):
    got = record(["sh", "-c", "echo out; exit 9"])
    assert (got.code, got.out) == (9, b"out\n")
    says(got, "its end (exit code 9); it was not watched", "No Python process was watched", "put `firststep record --` before")


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


@pytest.mark.parametrize("until", ["lunch", "step:0", "step:x", "step:²", "port:70000", "http:", "http://", "http:ftp://x", "line:(",
                                   "mark:", "exit:1"])
def test_an_until_that_is_none(record, target, until):
    got = record([target, "-c", "pass"], "--until", until)
    assert got.code == exit_codes.USAGE
    says(got, f"--until {until}", "first-step")


@pytest.mark.parametrize(("text", "url"), [
    ("http:http://localhost:80/x", "http://localhost:80/x"), ("http://localhost:80/x", "http://localhost:80/x"),
    ("https://localhost/x", "https://localhost/x"), ("http:https://localhost", "https://localhost"),
    ("http:localhost:8501/v1", "http://localhost:8501/v1"),
])
def test_an_address_may_be_written_as_people_write_it(text, url):
    until = parse_until(text)
    assert (until.kind, until.value) == ("http", url)


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

    monkeypatch.setattr(as_found.os, "write", full)
    recorder.record("m", 1, "mark", {})
    recorder.flush()
    assert recorder.failed == "No space left on device"


@pytest.mark.parametrize("room_k", [0, 4, 12, 40])
def test_a_full_disk_for_what_the_processes_write(plain, write, target, tmp_path, room_k):
    """The parts of the trace do not fit, or only some of them: the report says so, and the program runs as before."""
    program = write("main.py", "import json, asyncio, unittest, time; time.sleep(0.5); print('out'); raise SystemExit(3)")
    small = tmp_path / "small"
    small.mkdir()
    quoted = shlex.quote(str(small))
    fill = f"mount -t tmpfs -o size={8 + room_k}k none {quoted}; head -c 4096 /dev/zero > {quoted}/fills; echo mounted"
    command = shlex.join([*FIRSTSTEP, "record", "-o", str(tmp_path / "a.trace"), "--", target, program])
    got = plain(["unshare", "-rm", "sh", "-ec", f"{fill}; exec env TMPDIR={shlex.quote(str(small))} {command}"])
    if not got.stdout.startswith(b"mounted\n"):
        pytest.skip("file systems cannot be mounted here")
    assert (got.stdout, got.returncode) == (b"mounted\nout\n", 3)
    assert b"its end (exit code 3); " in got.stderr and b"failed" not in got.stderr and b"Traceback" not in got.stderr
    if room_k == 0:
        assert b"could not be written: No space left on device" in got.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 7), (signal.SIGUSR1, 8)])
def test_signals_reach_the_program(write, target, tmp_path, number, code):
    program = write("main.py", (
        "import signal, sys, time\n"
        f"signal.signal({int(number)}, lambda *_: sys.exit({code}))\n"
        "print('up', flush=True)\ntime.sleep(600)\n"))
    child = subprocess.Popen([*FIRSTSTEP, "record", "-o", str(tmp_path / "a"), "--", target, program],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout.readline() == b"up\n"
    child.send_signal(number)
    assert child.wait(600) == code
    child.communicate()


def test_ctrl_c_reaches_the_program_once(write, target, tmp_path):
    program = write("main.py", (
        "import time\n"
        "try:\n    print('up', flush=True)\n    time.sleep(600)\n"
        "except KeyboardInterrupt:\n    print('interrupted', flush=True); raise SystemExit(6)\n"))
    child = subprocess.Popen([*FIRSTSTEP, "record", "-o", str(tmp_path / "a"), "--", target, program],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # a background job ignores it
    assert child.stdout.readline() == b"up\n"
    time.sleep(0.5)  # let it fall asleep: a signal just before a system call waits for its end, in any Python
    os.killpg(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=600)
    assert (out, child.returncode) == (b"interrupted\n", 6)
    assert b"Traceback" not in err


def test_a_line_makes_ready_and_every_byte_passes(record, target):
    got = record([target, "-uc", "import time; print('a'); print('ready now'); time.sleep(.5); print('z')"],
                 "--until", "line:ready")
    assert got.out == b"a\nready now\nz\n"
    assert (got.trace.ready.kind, got.trace.ready.label) == ("line", "ready now")


def test_a_line_is_looked_for_and_the_reader_of_the_output_goes_away(plain, write, target, tmp_path):
    program = write("main.py", "import sys\nfor n in range(10**6): print('line', n)\n")
    command = shlex.join([*FIRSTSTEP, "record", "--until", "line:nothing", "-o", "a.trace", "--", target, program])
    got = plain(["bash", "-c", f"{command} | head -1; exit ${{PIPESTATUS[0]}}"])
    expected = plain(["bash", "-c", f"{shlex.join([target, program])} | head -1; exit ${{PIPESTATUS[0]}}"])
    assert (got.stdout, got.returncode) == (b"line 0\n", expected.returncode)


def test_doctor_says_why_the_agent_cannot_get_in(plain, target):
    for words, environment, why in ((["ls"], {}, "no Python interpreter"), ([target], {"FIRSTSTEP": "off"}, "FIRSTSTEP=off is set")):
        got = plain([*FIRSTSTEP, "doctor", "--", *words], env={**os.environ, **environment})
        assert got.returncode == 1 and why in got.stdout.decode()
