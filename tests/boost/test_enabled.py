"""An enabled environment boosts every run of it, visibly, and is plain again after `disable`."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest


@pytest.fixture
def environment(box):
    """A virtual environment without packages, and a program with modules to learn."""
    path = box.folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(path)], check=True)
    box.package("pack")
    box.write("program.py", "import importlib.machinery, sys\n"
              "print([importlib.import_module(f'pack.m{n}').VALUE for n in range(12)])\n"
              "if 'show' in sys.argv: print(importlib.machinery.SourceFileLoader.get_code.__code__.co_freevars)\n")
    box.plain("program.py", python=str(path / "bin/python"))
    time.sleep(0.3)
    return path


def tool(box, verb, path):
    return box.plain("-m", "firststep.cli", verb, str(path))


def test_boosts_every_run_until_disabled(box, environment):
    python = str(environment / "bin/python")
    plain = box.plain("program.py", "show", python=python).out
    assert "firststep-boost.pth" in tool(box, "enable", environment).out
    for _ in range(2):
        assert box.plain("program.py", python=python).said == ""
    assert list(box.cache.glob("import-image/*.entry"))
    assert box.plain("program.py", "show", python=python).out != plain  # Python's own function is replaced
    box.environment["FIRSTSTEP"] = "off"
    assert box.plain("program.py", "show", python=python).out == plain
    del box.environment["FIRSTSTEP"]
    tool(box, "disable", environment)
    assert not list(environment.glob("lib/*/site-packages/*firststep*"))
    assert box.plain("program.py", "show", python=python).out == plain


def test_old_parts_of_traces_go_and_nothing_else(box, environment):
    tool(box, "enable", environment)
    (folder,) = box.cache.glob("enabled/*/parts")
    ours = [folder / f"{number}-{number}.part" for number in range(1, 260)]
    theirs = [folder / name for name in ("chapter.part", "1-1.part.bak", "-.part", "notes", *(f"{number}.txt" for number in range(250)))]
    for path in (*ours, *theirs):
        path.write_text("x")
        os.utime(path, (1, 1))
    box.plain("program.py", python=str(environment / "bin/python"))
    assert all(path.exists() for path in theirs)
    assert 0 < sum(path.exists() for path in ours) < 200


@pytest.mark.parametrize("way", ["disable", "clear"])
def test_command_lines_go_with_the_cache_and_with_the_environment(box, environment, way):
    tool(box, "enable", environment)
    box.plain("program.py", "--password=hunter2", python=str(environment / "bin/python"))
    (folder,) = box.cache.glob("enabled/*/parts")
    (folder / "chapter.part").write_text("theirs")
    assert any(b"hunter2" in path.read_bytes() for path in folder.iterdir())
    if way == "disable":
        tool(box, "disable", environment)
    else:
        box.plain("-m", "firststep.cli", "cache", "clear")
    assert [path.name for path in folder.iterdir()] == ["chapter.part"]
    if way == "disable":
        assert not (folder.parent / "plan.json").exists()


@pytest.mark.parametrize("options", [("-X", "dev", "-X", "warn_default_encoding"), ("-W", "error", "-X", "warn_default_encoding")])
def test_nothing_is_warned_of(box, environment, options):
    tool(box, "enable", environment)
    ran = box.plain(*options, "-c", "import sys; print('firststep_agent' in sys.modules)", python=str(environment / "bin/python"))
    assert (ran.code, ran.out, ran.said) == (0, "True\n", "")


def test_a_way_in_that_cannot_be_read_is_none(box, environment):
    tool(box, "enable", environment)
    (path,) = environment.glob("lib/*/site-packages/firststep-boost.pth")
    path.write_text(path.read_text().replace("way_in.py", "\\u00e9"))
    ran = box.plain("-c", "print(1)", python=str(environment / "bin/python"))
    assert path.read_text().isascii() and (ran.code, ran.out, ran.said) == (0, "1\n", "")


def test_under_the_tool_the_tools_plan_counts(box, environment):
    tool(box, "enable", environment)
    box.boost("program.py", python=str(environment / "bin/python"))
    ran = box.boost("program.py", python=str(environment / "bin/python"), options=("--only", "import-image"))
    assert ran.code == 0 and ran.live("import-image") and not ran.live("pause-garbage-collection")


def test_an_environment_of_an_older_python_is_refused(box):
    (box.folder / "old/lib/python3.8/site-packages").mkdir(parents=True)
    ran = tool(box, "enable", box.folder / "old")
    assert ran.code == 2 and "3.9 is the oldest" in ran.said


def test_without_a_cache_nothing_is_enabled(box, environment):
    box.environment["FIRSTSTEP_CACHE"] = str(box.write("file", "") / "cache")
    ran = tool(box, "enable", environment)
    assert ran.code == 74 and "cannot be opened" in ran.said and "Traceback" not in ran.said
    assert not list(environment.glob("lib/*/site-packages/*firststep*"))


def test_disabling_what_is_not_enabled_says_so(box, environment):
    ran = tool(box, "disable", environment)
    assert (ran.code, ran.out) == (0, "firststep: it was not enabled\n")
