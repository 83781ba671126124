"""The helper beside a boosted program."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from firststep.launch import beside


@pytest.mark.parametrize(("waits", "done"), [(1, ["look"]), (2, ["prepared", "look"]), (4, ["prepared", "look", "look", "look"])])
def test_what_the_end_needs_is_prepared_while_the_program_runs(waits, done):
    """Not before a moment has passed: a program that has ended by then has had the processor for itself."""
    seen, asked = [], []

    class Program:
        def wait(self, events, timeout):
            asked.append(timeout)
            return len(asked) == waits

    recording = SimpleNamespace(events=-1, seen_ready=False, look=lambda: seen.append("look"))
    beside._see_through(Program(), recording, lambda: seen.append("prepared"), looking=False)
    assert seen == done
    assert asked == [beside.POLL_S, *[None] * (waits - 1)]


# Made of these, the way to the program took 30 ms longer: some for a class, a constant or a path.
HEAVY = {"click", "dataclasses", "importlib.util", "inspect", "json", "pathlib", "pkgutil", "re", "rich", "subprocess", "typing"}
WAY = """
import sys
before = set(sys.modules)
from firststep.launch.become import plug
from firststep.boost import drive
from firststep.boost.compose import boost_plan
plan = boost_plan()
print(len(plan.boost), *sorted(set(sys.modules) - before))
"""


def test_a_boosted_start_waits_for_no_module_that_it_can_do_without(tmp_path, monkeypatch):
    monkeypatch.delenv("FIRSTSTEP_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    remedies, *modules = subprocess.run([sys.executable, "-I", "-c", WAY], capture_output=True, text=True, check=True).stdout.split()
    assert int(remedies) > 5 and "firststep.launch.beside" in modules
    assert HEAVY.intersection(modules) == set()
