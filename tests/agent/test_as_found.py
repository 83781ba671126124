"""The agent calls Python's own functions, and none that the program has put in their places."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from programs import supported_interpreters

FOUND = supported_interpreters() or {sys.version_info[:2]: sys.executable}
SOURCE = Path(__file__).parents[2] / "src"
AGENT = SOURCE / "firststep_agent"
# Which modules have Python's themselves, and why.
WITH_PYTHONS = {
    "as_found.py": "copies them",
    "clock.py": "has two functions of them, by name",
    "bootstrap/sitecustomize.py": "runs before anybody could replace one",
    "boost/way_in.py": "is run where the agent is not yet",
    "observe/processes.py": "stands in their places itself",
    "boost/cache_functions/proof/endings.py": "stands in their places itself",
    "boost/cache_functions/reads/watch/environment.py": "watches what the program has there",
}


def of_python(tree):
    """Which of the modules it imports, and whether it calls `open` where that is Python's."""
    own = {alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
           and node.module == "firststep_agent.as_found" for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in ("os", "time"))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open" and "open" not in own:
            yield "open"


def test_no_module_of_the_agent_takes_them_from_where_a_program_may_put_others():
    found = {str(path.relative_to(AGENT)): names for path in sorted(AGENT.rglob("*.py"))
             if (names := set(of_python(ast.parse(path.read_text()))))}
    assert {name: names for name, names in found.items() if name not in WITH_PYTHONS} == {}
    assert all((AGENT / name).exists() for name in WITH_PYTHONS)


REPLACED = f"""
import builtins, sys, time as plain_time, os as plain
sys.path.insert(0, {str(SOURCE)!r})
from firststep_agent.as_found import open, os, time

def replaced(*arguments, **options):
    raise SystemExit("called")

for module in (plain, plain.path, plain_time):
    for name, value in list(vars(module).items()):
        if callable(value) and not isinstance(value, type) and name[0] != "_":
            setattr(module, name, replaced)
builtins.open = replaced
assert os.path.exists("/") and os.path.realpath("/.") == os.path.abspath("/") == "/" and os.path.isdir("/") and os.path.getsize("/") >= 0
assert os.path.join(os.path.dirname("/a/b"), os.fsdecode(b"c")) == "/a/c" and list(os.walk("/proc/self/fdinfo")) and os.getcwd()
assert [place for place, *_ in os.fwalk("/proc/self/fdinfo")] and time.monotonic() > 0 and time.sleep(0) is None
with open("/proc/self/statm") as file:
    assert file.read()
kept = [each for module in (os, os.path) for each in vars(module).values() if getattr(each, "__globals__", None) is vars(plain)]
assert kept == [] and os.environ is plain.environ
"""


@pytest.mark.parametrize("python", FOUND.values(), ids=[f"{major}.{minor}" for major, minor in FOUND])
def test_its_copies_find_each_other(tmp_path, python):
    done = subprocess.run([python, "-c", REPLACED], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
