"""A program that traces, profiles or monitors itself, or is measured by coverage, sees what it sees plainly: nothing of ours."""

from __future__ import annotations

import ast
import json
import os
import sqlite3
import subprocess
import sys

import pytest
from programs import FIRSTSTEP, supported_interpreters

from firststep.model.read_trace import parse_trace

WORK = """
import collections, json, os, re, subprocess, sys
def work():
    import dataclasses, decimal, email.message, fractions, helper, socket, typing
    re.compile("a+b|c"), collections.namedtuple("Name", "a b"), decimal.Decimal(1) + 1
    for call in (lambda: re.compile("("), lambda: __import__("missing_one"), lambda: socket.socket().connect(5)):
        try:
            call()
        except Exception as error:
            pass
    if os.fork() == 0:
        os._exit(0)
    os.wait()
    subprocess.run(["true"])
    return helper.twice(4)
"""
OWN = """
seen = []
def see(frame, event, argument):
    seen.append((event, frame.f_code.co_filename.rpartition("/")[2], frame.f_code.co_name))
    return see
"""
WAYS = {
    "sys.settrace": OWN + "sys.settrace(see); work(); sys.settrace(None)\n",
    "sys.setprofile": OWN + "sys.setprofile(see); work(); sys.setprofile(None)\n",
    "threading": OWN + ("import threading\nthreading.settrace(see); threading.setprofile(see)\n"
                        "t = threading.Thread(target=work); t.start(); t.join()\n"),
    "settrace of all threads": OWN + ("import threading\nif hasattr(threading, 'settrace_all_threads'):\n"
                                      "    threading.settrace_all_threads(see); work(); threading.settrace_all_threads(None)\n"),
    "setprofile of all threads": OWN + ("import threading\nif hasattr(threading, 'setprofile_all_threads'):\n"
                                        "    threading.setprofile_all_threads(see); work(); threading.setprofile_all_threads(None)\n"),
    "cProfile": ("import cProfile, pstats\nprofile = cProfile.Profile(); profile.enable(); work(); profile.disable()\n"
                 "calls = pstats.Stats(profile).stats.items()\n"
                 "seen = sorted((file.rpartition('/')[2], name, count[0]) for (file, _, name), count in calls)\n"
                 "seen = [one for one in seen if ' at 0x' not in one[1]]\n"),
    "sys.monitoring": (
        "seen = []\nif hasattr(sys, 'monitoring'):\n    m = sys.monitoring; m.use_tool_id(3, 'own')\n"
        "    def see(code, _):\n        seen.append((code.co_filename.rpartition('/')[2], code.co_name))\n"
        "    m.register_callback(3, m.events.PY_START, see); m.set_events(3, m.events.PY_START); work(); m.set_events(3, 0)\n"),
    "sys.monitoring of lines": (
        "seen = []\nif hasattr(sys, 'monitoring'):\n    m = sys.monitoring; m.use_tool_id(3, 'own')\n"
        "    def see(code, line):\n        seen.append((code.co_filename.rpartition('/')[2], line, code.co_name))\n"
        "    m.register_callback(3, m.events.LINE, see); m.set_events(3, m.events.LINE); work(); m.set_events(3, 0)\n"),
    "trace": ("import trace\nfinder = trace.Trace(count=1, trace=0); finder.runfunc(work)\n"
              "seen = sorted((file.rpartition('/')[2], line, n) for (file, line), n in finder.results().counts.items())\n"),
    "an audit hook": ("seen, names = [], []\n"
                      "def hear(event, arguments):\n"
                      "    if event in ('open', 'import', 'os.fork', 'os.listdir', 'exec', 'ctypes.dlopen', 'gc.get_objects'):\n"
                      "        one = event, str(arguments[:1]).rpartition('/')[2].partition(' at 0x')[0]\n"
                      "        if sys.version_info >= (3, 10) or seen[-1:] != [one]:\n            seen.append(one)\n"
                      "sys.addaudithook(hear); work()\n"),
    "sys.settrace to the end": OWN + "import atexit\natexit.register(lambda: print(seen[-3:]))\nsys.settrace(see); work()\n",
}
# what stands in for sys.setprofile returns into a thread that is profiled already: one event
# Python 3.9 tells of an extension module twice, and once where it was loaded before in the process, by us
# Python 3.9 asks two lines more of `_init_module_attrs` where an extension module was loaded once before in the process, by us
SHOWS = ("import hashlib\nnot_told = {'setprofile', '_setprofileallthreads', *['_init_module_attrs'] * (sys.version_info < (3, 10))}\n"
         "for one in seen:\n"
         "    if one[-1] not in not_told:\n        print(one)\n")


def runs(folder, python, program):
    """What it prints plainly, and under each verb."""
    for prefix in ([], [*FIRSTSTEP, "record", "-o", str(folder / "a.trace"), "--"], *[[*FIRSTSTEP, "boost", "--"]] * 3):
        yield subprocess.run([*prefix, python, *program], cwd=folder, capture_output=True, text=True, timeout=600)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("FIRSTSTEP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "helper.py").write_text("import late\n\ndef twice(n):\n    if n > 5:\n        return 0\n    return n * late.TWO\n")
    (tmp_path / "late.py").write_text("TWO = 2\n")
    return tmp_path


OTHERS = [pytest.param(one, marks=pytest.mark.suite) for one in supported_interpreters().values()]


@pytest.mark.parametrize("python", [sys.executable, *OTHERS])
@pytest.mark.parametrize("way", WAYS)
def test_it_sees_what_it_sees_plainly(folder, python, way):
    (folder / "program.py").write_text(WORK + WAYS[way] + SHOWS)
    subprocess.run([python, "program.py"], cwd=folder, capture_output=True)  # writes bytecode
    plain, *others = runs(folder, python, ["program.py"])
    assert plain.returncode == 0, plain.stderr
    for other in others:
        assert other.returncode == 0, other.stderr
        lines, expected = other.stdout.splitlines(), plain.stdout.splitlines()
        assert [pair for pair in zip(lines, expected) if pair[0] != pair[1]][:3] == []
        assert len(lines) >= len(expected)
        assert "firststep_agent" not in other.stdout


@pytest.mark.parametrize("core", ["ctrace", "pytrace", "sysmon"])
def test_coverage_measures_what_it_measures_plainly(folder, core, monkeypatch):
    pytest.importorskip("coverage", reason="coverage is not installed")
    if core == "sysmon" and sys.version_info < (3, 12):
        pytest.skip("sys.monitoring is there from Python 3.12 on")
    monkeypatch.setenv("COVERAGE_CORE", core)
    (folder / "program.py").write_text(WORK + "work()\n")
    measured = []
    for done in runs(folder, sys.executable, ["-m", "coverage", "run", "--branch", "program.py"]):
        assert done.returncode == 0, done.stderr
        with sqlite3.connect(folder / ".coverage") as data:
            files = dict(data.execute("select id, path from file"))
            arcs = sorted((files[number], *arc) for number, *arc in data.execute("select file_id, fromno, tono from arc"))
        measured.append(json.dumps([sorted(files.values()), arcs]))
        (folder / ".coverage").unlink()
    assert "helper.py" in measured[0]
    assert set(measured) == {measured[0]}


TRIAL = """
import sys
def tried(frame, event, argument):
    return None
sys.settrace(tried)
sys.settrace(None)
"""


def test_who_only_tries_whether_tracing_works_is_watched_on(folder):
    """As a debugger does while it is imported, which every kernel of Jupyter imports; the moment at which it begins is another."""
    (folder / "_pydevd_bundle").mkdir()
    (folder / "_pydevd_bundle" / "pydevd_constants.py").write_text(TRIAL)
    (folder / "other.py").write_text(TRIAL)
    (folder / "program.py").write_text("import sys\nfrom _pydevd_bundle import pydevd_constants\n"
                                       "if sys.argv[1:]:\n    import other\nimport late\n")
    ends = []
    for words in ([], ["really"]):
        subprocess.run([*FIRSTSTEP, "record", "-o", "a.trace", "--", sys.executable, "program.py", *words], cwd=folder, check=True,
                       capture_output=True)
        ends.append(parse_trace((folder / "a.trace").read_text()).processes[0].end[1])
    assert ends == ["exit", "aside"]


OF_OURS = """
import sys
if hasattr(sys, "monitoring"):
    look = "m.use_tool_id(m.PROFILER_ID, 'a look'); m.free_tool_id(m.PROFILER_ID)"
    exec(compile(look, "a look of the agent's", "exec"), {"m": sys.monitoring, "__name__": sys.argv[1]})
"""


@pytest.mark.parametrize("python", supported_interpreters().values())
def test_a_look_of_our_own_ends_nothing(folder, python):
    """From Python 3.12 on it asks `sys.monitoring` for a place, as the program's own do."""
    (folder / "program.py").write_text(OF_OURS)
    ends = []
    for who in ("firststep_agent.boost.cache_functions.reads.by_monitoring", "the_programs_own"):
        command = [*FIRSTSTEP, "record", "-o", "a.trace", "--", python, "program.py", who]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        ends.append(parse_trace((folder / "a.trace").read_text()).processes[0].end[1])
    asks = subprocess.run([python, "-c", "import sys; sys.exit(not hasattr(sys, 'monitoring'))"]).returncode == 0
    assert ends == ["exit", "aside" if asks else "exit"]


FROM_ITS_START = {
    "sys.settrace": "sys.settrace(see)", "sys.setprofile": "sys.setprofile(see)",
    "sys.monitoring": "m = getattr(sys, 'monitoring', None)\nif m:\n    m.use_tool_id(3, 'own'), m.set_events(3, m.events.PY_START)\n"
                      "    m.register_callback(3, m.events.PY_START, lambda code, _: files.add(code.co_filename))",
}
WATCHER = """
import atexit, sys
files = set()
def see(frame, event, argument):
    files.add(frame.f_code.co_filename)
    return see
{begin}
atexit.register(lambda: print(sorted(file for file in files if "firststep" in file)))
"""


@pytest.fixture
def environment(folder):
    """environment(python, text) -> the interpreter of a virtual environment in which that text is run before all else."""
    def make(python, text):
        subprocess.run([python, "-m", "venv", "--without-pip", str(folder / "env")], check=True)
        (site,) = (folder / "env/lib").glob("python3.*/site-packages")
        (site / "begins_first.py").write_text(text)
        (site / "begins.pth").write_text("import begins_first\n")
        return str(folder / "env/bin/python")

    return make


@pytest.mark.parametrize("python", [sys.executable, *OTHERS])
@pytest.mark.parametrize("way", FROM_ITS_START)
def test_what_traces_from_the_start_sees_the_way_in_alone(folder, environment, python, way):
    """By a `.pth` file, as coverage does for children: it comes before us, so it sees the file that it meets, and no other."""
    python = environment(python, WATCHER.format(begin=FROM_ITS_START[way]))
    (folder / "program.py").write_text("import json, decimal\n")
    plain, *others = runs(folder, python, ["program.py"])
    assert (plain.returncode, plain.stdout) == (0, "[]\n"), plain.stderr
    for other in others:
        files = ast.literal_eval(other.stdout.splitlines()[0])
        assert [file for file in files if not file.endswith("bootstrap/sitecustomize.py")] == [], other.stderr


def test_coverage_of_children_measures_the_program(folder, environment, monkeypatch):
    coverage = pytest.importorskip("coverage", reason="coverage is not installed")
    (folder / "settings").write_text(f"[run]\nbranch = true\ndata_file = {folder}/data\n")
    monkeypatch.setenv("COVERAGE_PROCESS_START", str(folder / "settings"))
    packages = os.path.dirname(os.path.dirname(coverage.__file__))
    python = environment(sys.executable, f"import sys; sys.path.append({packages!r}); import coverage; coverage.process_startup()\n")
    (folder / "program.py").write_text(WORK + "work()\n")
    measured = []
    for done in runs(folder, python, ["program.py"]):
        assert done.returncode == 0, done.stderr
        with sqlite3.connect(folder / "data") as data:
            files = dict(data.execute("select id, path from file where path not like '%bootstrap/sitecustomize.py'"))
            arcs = data.execute("select file_id, fromno, tono from arc")
            arcs = sorted((files[number], *arc) for number, *arc in arcs if number in files)
        measured.append(json.dumps([sorted(files.values()), arcs]))
        (folder / "data").unlink()
    assert "helper.py" in measured[0]
    assert set(measured) == {measured[0]}
