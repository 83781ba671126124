"""The details that causes need: why modules are compiled, libraries that did not load, lines of waits, what the machine gave."""

import os
import textwrap

from programs import TARGET

from firststep.launch.session import Session
from firststep.model.plan import Plan, Until
from firststep.model.read_trace import parse_trace


def watched(tmp_path, program, observe, environment=None):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(program))
    ended = Session([TARGET, str(path)], Plan(until=Until("exit"), observe=observe), timeout_s=900,
                    environment={**os.environ, **(environment or {})}).run()
    process = parse_trace(ended.trace).processes[0]
    assert (ended.exit_code, process.errors) == (0, ())
    return process


def reasons(process, name):
    return [span.labels["why"] for span in process.spans if span.kind == "compile-source" and span.name.endswith(name)]


def test_why_a_module_is_compiled(tmp_path):
    module = tmp_path / "mine.py"
    module.write_text("VALUE = 1\n")
    keeps = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": ""}
    assert reasons(watched(tmp_path, "import mine\n", ("imports",), keeps), "mine.py") == ["missing"]
    assert reasons(watched(tmp_path, "import mine\n", ("imports",), keeps), "mine.py") == []
    module.write_text("VALUE = 12345\n")
    assert reasons(watched(tmp_path, "import mine\n", ("imports",), keeps), "mine.py") == ["stale"]
    (tmp_path / "other.py").write_text("VALUE = 1\n")
    kept_off = watched(tmp_path, "import other\n", ("imports",), {"PYTHONDONTWRITEBYTECODE": "1"})
    assert reasons(kept_off, "other.py") == ["unwritable"]


def test_a_library_that_does_not_load_is_told_from_one_that_does(tmp_path):
    process = watched(tmp_path, """
        import ctypes, ctypes.util
        try:
            ctypes.CDLL("libnothing-of-this-name.so.7")
        except OSError:
            pass
        ctypes.CDLL(None)
    """, ("native-libraries",))
    failed = {span.name: bool(span.labels.get("failed")) for span in process.spans if span.labels.get("by") == "ctypes"}
    assert failed == {"libnothing-of-this-name.so.7": True, "None": False}


def test_a_wait_knows_the_line_that_asked(tmp_path):
    process = watched(tmp_path, """
        import socket, threading, time
        server = socket.create_server(("127.0.0.1", 0))
        def serve():
            peer, _ = server.accept()
            time.sleep(0.2)
            peer.sendall(b"x")
        threading.Thread(target=serve, daemon=True).start()
        client = socket.create_connection(server.getsockname())
        client.recv(1)
    """, ("network",))
    (wait,) = [span for span in process.spans if span.labels.get("what") == "receive"]
    assert wait.labels["line"].endswith("program.py:10")


def test_a_wait_on_a_connection_that_the_program_has_accepted_is_told_from_others(tmp_path):
    process = watched(tmp_path, """
        import socket, threading, time
        server = socket.create_server(("", 0))
        def ask():
            with socket.create_connection(("127.0.0.1", server.getsockname()[1])) as client:
                time.sleep(0.1)
                client.sendall(b"x")
                client.recv(1)
        threading.Thread(target=ask, daemon=True).start()
        peer, _ = server.accept()
        peer.recv(1)
        time.sleep(0.1)
        peer.sendall(b"y")
        time.sleep(0.1)
    """, ("network",))
    served = [bool(span.labels.get("served")) for span in process.spans if span.labels.get("what") == "receive"]
    assert sorted(served) == [False, True]


def test_threads_that_python_has_started_are_counted(tmp_path):
    worker = "import threading, time\none = threading.Thread(target=time.sleep, args=(0.3,))\none.start()\none.join()\n"
    assert watched(tmp_path, worker, ("samples",)).counters["python_threads"] == 2
    assert watched(tmp_path, "import threading, time\ntime.sleep(0.1)\n", ("samples",)).counters["python_threads"] == 1


def test_what_the_machine_gave_is_counted(tmp_path):
    given = watched(tmp_path, "data = bytearray(30_000_000)\n", ("machine",)).counters["machine"]
    assert given["peak_rss"] > 30_000_000
    assert given["minor_faults"] > 0
    assert given["swap"] >= 0


def test_who_holds_a_module_is_told(tmp_path):
    """It is loaded once, by the first who asks; who else has asked shows in what they hold. Python's own modules are nobody's."""
    packages = tmp_path / "lib" / "site-packages"
    for name, text in {"tables": "def read(): pass\nclass Frame: pass\nVALUE = 1\n", "plots": "import tables, json\n",
                       "lazy": "VALUE = 1\n",
                       "reads": "from tables import read as r\n", "frames": "from tables import Frame\nfrom tables import VALUE\n"}.items():
        packages.mkdir(parents=True, exist_ok=True)
        (packages / f"{name}.py").write_text(text)
    (tmp_path / "mine.py").write_text("import frames, os\n")
    process = watched(tmp_path, """
        import tables, plots, reads, mine, lazy
        del lazy
    """, ("imports",), {"PYTHONPATH": str(packages)})
    told, = [mark.labels["holders"] for mark in process.marks if mark.name == "held-modules"]
    assert "files" not in process.marks[0].labels  # without a framework nobody asks for them
    assert told == [["frames", [""]], ["plots", [""]], ["reads", [""]], ["tables", ["", "frames", "plots", "reads"]]]


def test_the_files_of_the_program_are_told_where_a_framework_is_loaded(tmp_path):
    packages = tmp_path / "lib" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "keras.py").write_text("VALUE = 1\n")
    (tmp_path / "mine.py").write_text("import json\n")
    process = watched(tmp_path, "import keras, mine\n", ("imports",), {"PYTHONPATH": str(packages)})
    told, = [mark.labels["files"] for mark in process.marks if mark.name == "held-modules"]
    assert told == [str(tmp_path / "mine.py"), str(tmp_path / "program.py")]


def test_the_loop_around_a_line_is_told_from_its_source(tmp_path):
    from firststep_agent.observe.labels.loops import loop_around

    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent("""\
        for epoch in range(3):
            def cell(x):
                y = x + 1
                return tanh(
                    y)
            while True:
                # a remark

                if epoch:
                    x = cell(
                        epoch
                    )
            x = [cell(1) for n in range(9)]
        x = cell(2)
    """))
    assert [loop_around(str(file), line) for line in (3, 5, 6, 10, 11, 12, 13, 14)] == [None, None, 6, 6, 6, 6, 13, None]
    assert loop_around(str(tmp_path / "nowhere.py"), 3) is None
