"""The agent gets into every kind of program, and the program cannot tell."""

import os
import stat
from pathlib import Path

import pytest
from programs import FIRSTSTEP, interpreters

SHOW = """
import os, sys, json
print(json.dumps([sys.argv, sys.path, sorted(os.environ.items()), __name__]))
sys.stderr.write("to stderr\\n")
sys.exit(3)
"""


def check_same(plain, record, command, **options):
    """The program prints the same, ends the same, and was recorded."""
    expected = plain(command, **options)
    got = record(command, **options)
    assert got.out == expected.stdout
    assert got.err.startswith(expected.stderr)
    assert got.code == expected.returncode
    assert got.trace is not None and got.trace.processes, got.err
    return got


def test_a_script(plain, record, write, target):
    got = check_same(plain, record, [target, write("show.py", SHOW), "a", "--stop", "b"])
    assert got.code == 3


def test_a_module(plain, record, write, target):
    write("package/__init__.py", "")
    write("package/__main__.py", SHOW)
    check_same(plain, record, [target, "-m", "package", "x"])


def test_a_string(plain, record, target):
    check_same(plain, record, [target, "-c", SHOW, "x"])


def test_a_script_with_a_shebang(plain, record, write, target, tmp_path):
    (tmp_path / "python").symlink_to(target)  # whose path has no blanks, as a first line needs
    path = write("tool", f"#!{tmp_path}/python\n{SHOW}")
    os.chmod(path, 0o755)
    check_same(plain, record, [path, "x"])


def test_an_existing_pythonpath_stays(plain, record, write, target):
    environment = {**os.environ, "PYTHONPATH": "/nowhere:/elsewhere"}
    check_same(plain, record, [target, write("show.py", SHOW)], env=environment)


def test_an_empty_pythonpath_stays(plain, record, write, target):
    check_same(plain, record, [target, write("show.py", SHOW)], env={**os.environ, "PYTHONPATH": ""})


def test_stdin_is_the_programs(plain, record, target):
    code = "import sys; print(sys.stdin.read()[::-1])"
    check_same(plain, record, [target, "-c", code], input=b"stream")


def version(plain, python):
    done = plain([python, "-c", "import sys; print(sys.version_info[0] * 100 + sys.version_info[1])"])
    return int(done.stdout) if done.returncode == 0 else pytest.skip(f"{python} does not run")


@pytest.mark.parametrize("python", interpreters().values())
def test_any_interpreter_that_does_not_have_firststep(plain, record, write, python):
    supported = version(plain, python) >= 309
    program = write("show.py", "import sys; sys.stdout.write(repr((sys.argv, sys.path))); sys.exit(4)")
    expected, got = plain([python, program]), record([python, program])
    assert (got.out, got.code) == (expected.stdout, 4)
    assert got.err.startswith(expected.stderr) and b"Traceback" not in got.err and b"sitecustomize' failed" not in got.err
    assert bool(got.trace.processes) == supported


def test_a_sitecustomize_of_its_own_still_runs(plain, record, write, target):
    write("site/sitecustomize.py", "import sys; sys.customised = __file__")
    environment = {**os.environ, "PYTHONPATH": str(Path(write("site/x", "")).parent)}
    code = "import sys, sitecustomize; print(sys.customised, sitecustomize.__file__, sys.path)"
    check_same(plain, record, [target, "-c", code], env=environment)


def test_a_sitecustomize_that_fails_says_what_it_said(plain, record, write, target):
    write("site/sitecustomize.py", "import a_module_that_is_missing")
    environment = {**os.environ, "PYTHONPATH": str(Path(write("site/x", "")).parent)}
    check_same(plain, record, [target, "-c", "print(1)"], env=environment)


@pytest.mark.parametrize("code", [
    "import a_module_that_is_missing",
    "import broken_module",
    "import package_of_broken.inner",
    "def f(:\n",
    "raise SystemExit('bye')",
    "1/0",
], ids=["missing", "broken", "broken-inside", "syntax", "message", "division"])
def test_tracebacks_are_the_plain_ones(plain, record, write, target, code):
    write("broken_module.py", "x = 1\ny = undefined_name\n")
    write("package_of_broken/__init__.py", "")
    write("package_of_broken/inner.py", "import broken_module\n")
    expected = plain([target, write("main.py", code)])
    got = record([target, write("main.py", code)])
    assert expected.stderr in got.err
    assert got.code == expected.returncode


def test_a_read_only_folder(record, write, target, tmp_path):
    path = write("folder/show.py", SHOW)
    os.chmod(Path(path).parent, stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert record([target, path], cwd=Path(path).parent).code == 3
    finally:
        os.chmod(Path(path).parent, 0o755)


@pytest.mark.parametrize("off", ["off", "OFF", "0", "false", "no"])
def test_off_wins(plain, target, tmp_path, off):
    """`record` then only runs the program, and what can do nothing but measure says that it cannot."""
    def run(verb, *words):
        return plain([*FIRSTSTEP, verb, *words, "--", target, "-c", "import os; print(len(os.listdir())); raise SystemExit(5)"],
                     env={**os.environ, "FIRSTSTEP": off})

    for got in (run("record", "-o", "a.trace"), run("boost")):
        assert (got.returncode, got.stdout, got.stderr) == (5, b"0\n", b"")
    got = run("prove", "--runs", "1")
    assert got.returncode == 2 and b"FIRSTSTEP=off is set" in got.stderr and b"Traceback" not in got.stderr
    (tmp_path / "firststep.toml").write_text(f"[programs.p]\ncommand = ['{target}', '-c', 'pass']\n")
    got = plain([*FIRSTSTEP, "check"], env={**os.environ, "FIRSTSTEP": off})
    assert got.returncode == 2 and b"FIRSTSTEP=off is set" in got.stderr


@pytest.mark.parametrize("flag", ["-I", "-E", "-S"])
def test_where_the_agent_cannot_get_in_the_program_still_runs(record, target, flag):
    got = record([target, flag, "-c", "print(1); raise SystemExit(5)"])
    assert (got.out, got.code) == (b"1\n", 5)
    assert not got.trace.processes
    assert flag.encode() in got.err, "the report names the process that was not watched, and why"


CHILDREN = {
    "subprocess": "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1)'], check=True)",
    "subprocess with its own environment": (
        "import subprocess, sys, os; "
        "subprocess.run([sys.executable, '-c', 'import os; print(dict(os.environ))'], env={'A': 'b'}, check=True)"),
    "multiprocessing spawn": (
        "import multiprocessing as m, os\n"
        "if __name__ == '__main__':\n"
        "    p = m.get_context('spawn').Process(target=print, args=(1,)); p.start(); p.join(); assert not p.exitcode"),
    "multiprocessing fork": (
        "import multiprocessing as m, os\n"
        "p = m.get_context('fork').Process(target=print, args=(1,)); p.start(); p.join(); assert not p.exitcode"),
    "fork": "import os\nif os.fork() == 0:\n    os._exit(0)\nos.wait()",
    "execv": "import os, sys; os.execv(sys.executable, [sys.executable, '-c', 'print(1)'])",
    "posix_spawn": (
        "import os, sys; p = os.posix_spawn(sys.executable, [sys.executable, '-c', 'print(1)'], os.environ); "
        "raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(p, 0)[1]))"),
}


@pytest.mark.parametrize("code", CHILDREN.values(), ids=CHILDREN)
def test_children_are_followed_and_cannot_tell(plain, record, write, target, code):
    got = check_same(plain, record, [target, write("main.py", code)])
    assert len(got.trace.processes) >= 2


def test_imports_in_threads_are_seen_on_their_threads(record, write, target):
    got = record([target, write("main.py", (
        "import threading\n"
        "def work():\n    import xml.dom.minidom\n"
        "t = threading.Thread(target=work); t.start(); t.join()\n"))])
    (process,) = got.trace.processes
    imported = {span.name: span.thread for span in process.spans if span.kind == "import"}
    assert imported["xml.dom.minidom"] != process.thread
    assert imported["threading"] == process.thread


@pytest.mark.parametrize(("ending", "code"), [
    ("raise SystemExit(3)", 3),
    ("import os; os._exit(4)", 4),
    ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -9),
    ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", -15),
    ("raise KeyboardInterrupt", -2),
    ("import ctypes; ctypes.string_at(0)", -11),
])
def test_however_it_ends_what_was_seen_is_kept(plain, record, write, target, ending, code):
    program = write("main.py", f"import json, time\ntime.sleep(0.6)\n{ending}\n")
    assert plain([target, program]).returncode == code
    got = record([target, program])
    assert got.code == code
    (process,) = got.trace.processes
    assert "json" in {span.name for span in process.spans}
    assert process.samples


def test_the_program_has_the_threads_it_had(plain, record, target):
    code = ("import threading, os, warnings; warnings.simplefilter('error'); "
            "print(len(threading.enumerate()), threading.active_count()); p = os.fork(); p or os._exit(0); os.wait(); print('ok')")
    check_same(plain, record, [target, "-c", code])
