"""Ready that the tool sees from outside: exact, without touching the program, and the program's processes are told."""

import http.server
import os
import signal
import socket
import subprocess
import threading
import time

import pytest
from programs import FIRSTSTEP

from firststep.launch import line_search, watch
from firststep.launch.session import Session
from firststep.launch.started import Started
from firststep.model.plan import Plan, Until
from firststep.model.read_trace import parse_trace
from firststep.report.compose import reached

# after ready: no thread of ours, no descriptor of ours, nothing replaced
SHOWS_WHAT_IS_LEFT = """
import builtins, gc, importlib._bootstrap as b, os, select, sys, time
def left():
    files = []
    for name in os.listdir("/proc/self/fd"):
        try:
            link = os.readlink("/proc/self/fd/" + name)
        except OSError:
            continue
        if "/task/" in link or "stop-watching" in link:
            files.append(link)
    return len(os.listdir("/proc/self/task")), files
deadline = time.monotonic() + 60
"""
SERVES = SHOWS_WHAT_IS_LEFT + """
import socket
server = socket.create_server(("localhost", int(sys.argv[1])))
{during}
while left() != (1, []) and time.monotonic() < deadline:
    time.sleep(0.02)
print("left", left(), flush=True)
"""


@pytest.fixture
def port():
    with socket.create_server(("localhost", 0)) as server:
        return server.getsockname()[1]


@pytest.mark.parametrize("during", ["", "if os.fork() == 0:\n    os._exit(0)\nos.wait()"], ids=["plainly", "after a fork"])
def test_the_process_is_told_and_goes_on_unwatched(record, write, target, port, during):
    got = record([target, write("main.py", SERVES.format(during=during)), str(port)], "--until", f"port:{port}")
    assert got.out == b"left (1, [])\n", got.err
    assert (got.trace.ready.kind, got.trace.ready.label) == ("port", str(port))


def test_a_boosted_server_is_told_as_well(plain, write, target, port):
    program = write("main.py", SERVES.format(during=""))
    got = plain([*FIRSTSTEP, "boost", "--until", f"port:{port}", "--", target, program, str(port)])
    assert got.stdout == b"left (1, [])\n"
    assert b"ready in" in got.stderr


def test_a_process_that_has_forked_another_is_not_ready_by_that(record, write, target, port):
    got = record([target, write("main.py", (
        "import os, sys, time\n"
        "for _ in range(3):\n    if os.fork() == 0:\n        time.sleep(0.05); os._exit(0)\n    os.wait()\n"))], "--until", f"port:{port}")
    assert got.code == 0 and got.trace.ready is None


def test_a_server_that_takes_one_connection_still_has_it(write, target, tmp_path, port):
    program = write("main.py", (
        "import socket, sys\n"
        "server = socket.create_server(('localhost', int(sys.argv[1]))); server.listen(1)\n"
        "print('up', flush=True)\nconnection, _ = server.accept(); server.close()\n"
        "print('served', connection.recv(5), flush=True)\n"))
    with subprocess.Popen([*FIRSTSTEP, "record", "--until", f"port:{port}", "-o", str(tmp_path / "a"), "--", target, program, str(port)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout.readline() == b"up\n"
        time.sleep(0.3)  # several looks
        with socket.create_connection(("localhost", port)) as client:
            client.send(b"hello")
            assert child.stdout.readline() == b"served b'hello'\n"
        _, err = child.communicate(timeout=60)
        assert b"an answer on port" in err or b"port" in err


def test_who_listened_before_is_not_the_program(record, write, target):
    with socket.create_server(("localhost", 0), reuse_port=True) as server:
        got = record([target, "-c", "import time; time.sleep(0.5)"], "--until", f"port:{server.getsockname()[1]}")
    assert got.trace.ready is None


def test_much_output_without_a_line_end_is_passed_on_at_once(record, target):
    code = "import sys; b = b'x' * (1 << 20); [sys.stdout.buffer.write(b) for _ in range(30)]; print(); print('ready now')"
    got = record([target, "-c", code], "--until", "line:ready")
    assert len(got.out) == (30 << 20) + len("\nready now\n")
    assert got.trace.ready.label == "ready now"


def test_a_line_right_before_the_end_makes_ready_however_late_it_is_read(target, monkeypatch):
    """Reading is as slow as on a busy machine; ready is no later than the program's end."""
    plainly = watch._next

    def slowly(source):
        time.sleep(0.3)
        return plainly(source)

    monkeypatch.setattr(watch, "_next", slowly)
    monkeypatch.setattr(watch, "_pass_on", lambda data, stdout: None)
    outcome = Session([target, "-c", "print('ready now')"], Plan(until=Until("line", "ready"))).run()
    trace = parse_trace(outcome.trace)
    assert trace.ready.label == "ready now" and trace.ready.at <= trace.end


def test_output_that_goes_elsewhere_still_does(target, tmp_path, capfd):
    with open(tmp_path / "out", "wb") as out:
        outcome = Session([target, "-c", "print('ready now')"], Plan(until=Until("line", "ready")), stdout=out.fileno()).run()
    assert parse_trace(outcome.trace).ready.label == "ready now"
    assert (tmp_path / "out").read_bytes() == b"ready now\n" and capfd.readouterr().out == ""


def test_each_byte_of_output_is_looked_at_once(monkeypatch):
    looked = []

    class Pattern:
        def search(self, text):
            looked.append(len(text))

    lines = line_search.LineSearch("ready")
    monkeypatch.setattr(lines, "_pattern", Pattern())
    for _ in range(100):
        lines.hear(b"x" * watch.BLOCK)
        lines.look()
    assert looked == [] and len(lines._line) == line_search.LONGEST_LINE
    lines.hear(b"\nshort\n" + b"y" * watch.BLOCK)
    lines.look()
    assert looked == [line_search.LONGEST_LINE, 5]


def test_a_pattern_that_takes_for_ever_holds_nothing_up(record, target):
    code = "for n in range(3): print('a' * 60 + 'b', flush=True)\nimport sys\nsys.exit(3)"
    got = record([target, "-c", code], "--until", "line:(a+)+$")
    assert (got.code, got.out) == (3, (b"a" * 60 + b"b\n") * 3)
    assert got.err.count(b"no line is looked for any more") == 1
    assert reached(got.trace) == "its end (exit code 3); its output was not looked through, for the pattern of --until takes too long"


def test_more_output_than_is_kept_waits_for_the_search_and_is_all_passed_on(record, target):
    code = "import sys\nfor _ in range(200000): print('x' * 99)\nprint('ready now')"
    got = record([target, "-c", code], "--until", "line:ready")
    assert len(got.out) == 200000 * 100 + len("ready now\n") and got.trace.ready.label == "ready now"


def test_a_grandchild_may_write_after_the_programs_end(plain, write, target, tmp_path):
    program = write("main.py", (
        "import os, subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1); print(\"late words\")'])\nprint('ready now')\n"))
    got = plain([*FIRSTSTEP, "record", "--until", "line:ready", "-o", str(tmp_path / "a"), "--", target, program])
    assert got.stdout == b"ready now\nlate words\n"


def test_a_last_line_without_an_end_is_a_line(record, target):
    got = record([target, "-c", "import sys; print('first'); sys.stdout.write('ready> ')"], "--until", "line:^ready> $")
    assert (got.code, got.out, got.trace.ready.kind, got.trace.ready.label) == (0, b"first\nready> ", "line", "ready> ")
    none = record([target, "-c", "print('first')"], "--until", "line:^$")
    assert none.trace.ready is None


def test_a_terminal_stays_one_with_its_size(write, target, tmp_path):
    import fcntl
    import struct
    import termios

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 77, 0, 0))
    child = subprocess.Popen([*FIRSTSTEP, "record", "--until", "line:ready", "-o", str(tmp_path / "a"), "--", target, "-c",
                              "import os; print(os.isatty(1), os.get_terminal_size(1)); print('ready')"],
                             stdout=theirs, stderr=subprocess.DEVNULL)
    os.close(theirs)
    assert child.wait(60) == 0
    assert os.read(ours, 1000) == b"True os.terminal_size(columns=77, lines=33)\r\nready\r\n"
    os.close(ours)


def test_stop_ends_the_program_at_ready_and_is_no_failure(record, target, port):
    got = record([target, "-c", f"import socket, time; s = socket.create_server(('localhost', {port})); time.sleep(600)"],
                 "--until", f"port:{port}", "--stop")
    assert (got.code, got.trace.ready.kind, got.trace.header["exit_code"]) == (0, "port", 128 + signal.SIGTERM)


def test_who_answers_in_another_language_than_http_is_not_ready():
    with socket.create_server(("localhost", 0)) as server:
        def answer():
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"\x00\x00\x12\x04 no http\n\n")

        speaks = threading.Thread(target=answer)
        speaks.start()
        seen = watch.watch_for(Until("http", f"http://localhost:{server.getsockname()[1]}/")).look()
        speaks.join()
    assert seen is None


@pytest.mark.parametrize(("status", "ready"), [(200, True), (302, True), (404, False), (503, False)])
def test_an_answer_without_an_error_is_ready_and_nobody_else_is_asked(status, ready):
    asked = []

    class Answers(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(status)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *words):
            pass

    with http.server.HTTPServer(("localhost", 0), Answers) as server:
        serves = threading.Thread(target=server.handle_request)
        serves.start()
        seen = watch.watch_for(Until("http", f"http://localhost:{server.server_port}/health")).look()
        serves.join()
    assert bool(seen) == ready and asked == ["/health"]


def test_what_a_stopped_program_has_started_ends_with_it(record, write, target, port, tmp_path):
    """A launcher waits for a server: nothing listens on its port afterwards."""
    write("serve.py", f"""
import socket, subprocess, sys, time
if sys.argv[1:] == ["deep"]:
    s = socket.create_server(("localhost", {port}))
    time.sleep(600)
subprocess.run([sys.executable, "serve.py", "deep" if sys.argv[1:] else "below"])
""")
    got = record([target, "serve.py"], "--until", f"port:{port}", "--stop", cwd=tmp_path)
    assert (got.code, got.trace.ready.kind) == (0, "port")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("localhost", port))


def test_what_does_not_end_when_asked_is_killed(target):
    below = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
    code = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {below!r}]); time.sleep(600)"
    with subprocess.Popen([target, "-c", code], stdout=subprocess.PIPE) as program:
        assert program.stdout.readline() == b"up\n"
        started = Started(program.pid)
        program.kill()
        program.wait()
        started.end(0.3)
        assert program.stdout.read() == b""  # nobody holds it open any more
