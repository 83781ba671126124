"""What starts, replaces and ends processes answers as it does plainly, however it is called, on every Python there is."""

from __future__ import annotations

import subprocess
import sys

import pytest
from faked_run import Run
from programs import supported_interpreters

from firststep_agent.observe import processes

FOUND = supported_interpreters() or {sys.version_info[:2]: sys.executable}
INTERPRETERS = [pytest.param(path, id=f"{version[0]}.{version[1]}") for version, path in FOUND.items()]

CALLS = """
import errno, os, subprocess, sys, traceback, warnings, _posixsubprocess
warnings.simplefilter("error")
class Odd(dict):
    def keys(self): raise RuntimeError("odd")
    __iter__ = keys
TRUE, environments = "/bin/true", [None, {}, {"A": "b"}, {b"A": b"b"}, {"A": 1}, {1: "a"}, [("a", "b")], 5, {"A=B": "c"}, {"": "x"},
                                   {"A": "b\\0"}, os.environ, os.environb, Odd(a="b")]
argvs = [["true"], ("true",), [b"true"], [], (), None, "true", [1], [""], ["true", "a\\0b"]]
paths = [TRUE, TRUE.encode(), "/nonexistent", "", "/", None, 3.5, "/bin/tr\\0ue"]
calls = []
for name in ("posix_spawn", "posix_spawnp"):
    spawn = getattr(os, name)
    calls += [(spawn, (TRUE, ["true"], one), {}) for one in environments]
    calls += [(spawn, (TRUE, one, {}), {}) for one in argvs]
    calls += [(spawn, (one, ["true"], {}), {}) for one in paths]
    calls += [(spawn, (TRUE, ["true"], {}), options) for options in (
        {"setpgroup": 0}, {"resetids": True}, {"setsigmask": [10]}, {"setsigdef": [10]}, {"file_actions": [(os.POSIX_SPAWN_CLOSE, 0)]},
        {"file_actions": None}, {"nonsense": 1}, {"setsid": "x"}, {"env": {}}, {"file_actions": [(9, 9)]})]
    calls += [(spawn, (), {}), (spawn, (TRUE,), {}), (spawn, (TRUE, ["true"]), {}), (spawn, (TRUE, ["true"], {}, 1), {}),
              (spawn, (), {"path": TRUE, "argv": ["true"], "env": {}})]
missing = "/nonexistent"
for name in ("execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle"):
    call = getattr(os, name)
    takes = name.endswith(("ve", "pe"))
    calls += [(call, (missing, ["x"], one) if takes else (missing, ["x"]), {}) for one in environments]
    calls += [(call, (missing, one), {}) for one in argvs]
    calls += [(call, (one, ["x"], {}), {}) for one in paths if one not in (TRUE, b"/bin/true")]
    calls += [(call, (), {}), (call, (missing,), {}), (call, (missing, ["x"], {}, 4), {}), (call, (), {"path": missing, "argv": ["x"]}),
              (call, (), {"path": missing, "argv": ["x"], "env": {}}), (call, (missing,), {"argv": ["x"], "env": {"A": "b"}})]
calls += [(subprocess.Popen, (one,), {}) for one in (["/nonexistent"], ["/"], [], "", [1], ["true", "a\\0"], None)]
calls += [(subprocess.run, (["true"],), options) for options in (
    {"env": {"A": 1}}, {"env": {}}, {"env": {"A=": "b"}}, {"cwd": "/nonexistent"}, {"preexec_fn": lambda: None}, {"preexec_fn": 5},
    {"preexec_fn": lambda: 1 / 0}, {"start_new_session": True}, {"user": "nobody-here"}, {"pass_fds": [99]}, {"close_fds": False},
    {"executable": "/nonexistent"}, {"shell": True}, {"restore_signals": False}, {"umask": "x"})]
calls += [(_posixsubprocess.fork_exec, one, {}) for one in ((), (1,), tuple(range(5)), tuple(range(21)), tuple(range(23)))]
calls += [(os.fork, (1,), {}), (os.forkpty, (1,), {}), (os._exit, (), {}), (os._exit, ("x",), {}), (os._exit, (1, 2), {}),
          (os._exit, (), {"nonsense": 1})]

def said(call, positional, options):
    try:
        result = call(*positional, **options)
    except BaseException as error:
        lines = traceback.format_exc().splitlines() if sys.version_info >= (3, 11) else []
        lines = [line for line in lines if " at 0x" not in line]
        return type(error).__name__, str(error).split(" at 0x")[0], getattr(error, "filename", None), lines
    if isinstance(result, int):
        return os.waitpid(result, 0)[1]
    return getattr(result, "returncode", None)

for number, call in enumerate(calls):
    print(number, getattr(call[0], "__name__", "?"), said(*call))
for name in ("execve", "execv", "posix_spawn", "fork", "_exit"):
    one = getattr(os, name)
    print(one.__name__, one.__module__, one.__qualname__, one.__doc__)
print(sorted(name for name in os.environ if "FIRSTSTEP" in name), os.getenv("PYTHONPATH"))
"""


def outputs(command, tmp_path):
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize("python", INTERPRETERS)
def test_every_way_to_call_them(tmp_path, python):
    (tmp_path / "program.py").write_text(CALLS)
    plain = outputs([python, "program.py"], tmp_path)
    recorded = outputs([sys.executable, "-m", "firststep.cli", "record", "-o", "a.trace", "--", python, "program.py"],
                       tmp_path)
    assert plain[0] == 0
    different = [(a, b) for a, b in zip(plain[1], recorded[1]) if a != b]
    assert not different and recorded[0] == 0, different[:5]


FORKS = """
import os, sys, warnings, subprocess, multiprocessing, pty
warnings.simplefilter("error")
for _ in range(10):
    pid = os.fork()
    if pid == 0:
        os._exit(3)
    assert os.waitpid(pid, 0)[1] == 768
pid, terminal = os.forkpty()
if pid == 0:
    os._exit(0)
os.waitpid(pid, 0)
subprocess.run(["true"], preexec_fn=lambda: None)
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(pool.map(abs, [-1]))
"""


@pytest.mark.parametrize("python", INTERPRETERS)
def test_forking_warns_of_no_thread(tmp_path, python):
    """From Python 3.12 on a process with threads that forks is warned, once the hooks of the fork have run."""
    (tmp_path / "program.py").write_text(FORKS)
    done = subprocess.run([sys.executable, "-m", "firststep.cli", "record", "-o", "a.trace", "--", python, "program.py"],
                          cwd=tmp_path, capture_output=True, text=True, timeout=300)
    plain = subprocess.run([python, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.returncode) == (plain.stdout, plain.returncode), done.stderr


CHILDREN = """
import os, subprocess, sys
INNER = "import os; print(os.environ.get('PYTHONPATH'), os.environ.get('FIRSTSTEP_PLAN'))"
with open("wrapper", "w") as file:
    file.write("#!/bin/sh\\necho wrapper ${PYTHONPATH-none} ${FIRSTSTEP_PLAN-none}\\n")
with open("python-script", "w") as file:
    file.write(f"#!{os.path.realpath(sys.executable)}\\n{INNER}\\n")
with open("by-env", "w") as file:
    file.write(f"#!/usr/bin/env -S PYTHONPATH=/nowhere {os.path.realpath(sys.executable)}\\n{INNER}\\n")
for name in ("wrapper", "python-script", "by-env"):
    os.chmod(name, 0o755)
SHOWS = "echo ${PYTHONPATH-none} ${FIRSTSTEP_PLAN-none}"
for command in (["sh", "-c", SHOWS], ["./wrapper"], ["env"], [sys.executable, "-I", "-c", INNER], [sys.executable, "-c", INNER],
                ["./python-script"], ["env", sys.executable, "-c", INNER],
                ["env", "-i", sys.executable, "-c", INNER], ["env", "PYTHONPATH=/nowhere", sys.executable, "-c", INNER],
                ["nice", "env", "-u", "PYTHONPATH", sys.executable, "-c", INNER], ["./by-env"], ["nice", "./wrapper", sys.executable],
                ["bash", "-c", f"{SHOWS}; '{sys.executable}' -c '{1}'"]):
    for options in ({}, {"env": {}}, {"env": {"PATH": os.environ["PATH"], "PYTHONPATH": "/nowhere"}}, {"close_fds": False}):
        out = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options).stdout
        print([line for line in out.splitlines() if "_=" not in line[:2]], flush=True)
with os.popen(SHOWS) as pipe:  # closed, and so waited for: else one of the waits below may meet that child
    print(subprocess.run(SHOWS, shell=True, stdout=subprocess.PIPE).stdout, pipe.read(), flush=True)
for spawn in (os.posix_spawn, os.posix_spawnp):
    for path, argv in (("/bin/sh", ["sh", "-c", SHOWS]), (os.path.abspath("wrapper"), ["python"]), (sys.executable, ["x", "-c", INNER])):
        os.waitpid(spawn(path, argv, os.environ), 0)
for call in (lambda: os.execv("/bin/sh", ["python", "-c", SHOWS]), lambda: os.execve("/bin/sh", ["sh", "-c", SHOWS], {}),
             lambda: os.execlp("sh", "sh", "-c", SHOWS), lambda: os.execv(sys.executable, ["sh", "-c", INNER])):
    if os.fork() == 0:
        call()
    os.wait()
"""


@pytest.mark.parametrize("python", INTERPRETERS[:1] + INTERPRETERS[-1:])
def test_no_child_sees_our_variables(tmp_path, python):
    """Neither one that is no Python, nor one that is: there they are taken out before the program runs."""
    (tmp_path / "program.py").write_text(CHILDREN)
    plain = outputs([python, "program.py"], tmp_path)
    for verb in (["record", "-o", "a.trace"], ["boost"]):
        got = outputs([sys.executable, "-m", "firststep.cli", *verb, "--", python, "program.py"], tmp_path)
        assert got[1][:len(plain[1])] == plain[1] and got[0] == plain[0] == 0


COUNTED = """
import collections, json, os, sys, time
done, parent = collections.Counter(), os.getpid()
def count(event, arguments):
    if event == "open":
        done[event] += 1
getattr(sys.addaudithook, "__wrapped__", sys.addaudithook)(count)  # Python's own: of it the agent hears nothing
def forks():
    done.clear()
    pid = os.fork()
    if pid == 0:
        os.write(1, ("child " + json.dumps(done) + "\\n").encode())
        os._exit(0)
    os.waitpid(pid, 0)
    print("parent", json.dumps(done), flush=True)
forks()
agent = sys.modules.get("firststep_agent.run")
if agent:
    agent.active().reach_ready(time.monotonic_ns(), "mark", "x")
forks()
"""


@pytest.mark.parametrize("verb", [["record", "-o", "a.trace"], ["boost"]], ids=lambda verb: verb[0])
@pytest.mark.parametrize("python", INTERPRETERS[:1] + INTERPRETERS[-1:])
def test_what_a_fork_costs(tmp_path, python, verb):
    """In files: nothing once it is ready, nor under boost; before, record watches the child as well."""
    (tmp_path / "program.py").write_text(COUNTED)
    _, out = outputs([sys.executable, "-m", "firststep.cli", *verb, "--", python, "program.py"], tmp_path)
    before, after = out[:2], out[2:4]
    assert after == ["child {}", "parent {}"]
    if verb[0] == "boost":
        assert before == after
        return
    assert before == ['child {"open": 3}', "parent {}"], "what the kernel says of the child's thread"


def test_a_program_that_is_killed_in_its_first_moments_was_there(record, target, write):
    ran = record([target, write("killed.py", "import os\nos.kill(os.getpid(), 9)\n")])
    (one,) = ran.trace.processes
    assert one.agent and one.end is None
    assert b"not watched" not in ran.out + ran.err and b"exit code 137" in ran.out + ran.err


@pytest.mark.parametrize("make", [processes._fork, processes._fork_exec])
def test_what_stood_still_for_a_fork_goes_on_where_it_fails(make):
    run, went_on = Run(follow=False), []
    run.on_forked(lambda: went_on.append(True))

    def fork(*arguments):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    with pytest.raises(BlockingIOError):
        processes._stand_in(fork, make(run))()
    assert went_on == [True]
