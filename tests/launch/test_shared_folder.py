"""The folder that the tool and the program share: taken away whole, and nothing else, whoever else can write where it lies."""

import os
import subprocess
import sys
import time

import comparisons
import pytest

from firststep.launch import shared_folder
from firststep.launch.environment import BOOTSTRAP
from firststep_agent import plan as plans


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    return place


@pytest.fixture
def victim(tmp_path):
    folder = tmp_path / "victim"
    (folder / "parts").mkdir(parents=True)
    (folder / "thesis.txt").write_text("precious")
    (folder / "parts" / "chapter.part").write_text("precious")
    return folder


def unharmed(folder):
    return (folder / "thesis.txt").read_text() == (folder / "parts" / "chapter.part").read_text() == "precious"


def test_it_goes_with_all_that_is_in_it(temporary):
    made = shared_folder.SharedFolder({})
    for name in ("parts/1-1.part", "parts/rubbish", "rubbish"):
        with open(os.path.join(made.path, name), "w"):
            pass
    made.remove()
    made.remove()
    assert os.listdir(temporary) == []


@pytest.mark.parametrize("swap", ["link", "folder", "parts"])
def test_what_others_put_in_its_place_stays(temporary, victim, swap):
    made = shared_folder.SharedFolder({})
    if swap == "parts":
        os.rename(os.path.join(made.path, "parts"), temporary / "moved")
        os.symlink(victim, os.path.join(made.path, "parts"))
    else:
        os.rename(made.path, temporary / "moved")
        (os.symlink if swap == "link" else os.rename)(victim, made.path)
    made.remove()
    assert unharmed(victim if victim.exists() else type(victim)(made.path))


def test_what_a_killed_tool_left_is_taken_away_and_what_is_in_use_or_anybodys_stays(temporary, victim):
    left, used = shared_folder.SharedFolder({}), shared_folder.SharedFolder({})
    os.close(left.lock)
    (victim / "events").write_text("a party")
    (victim / "stop-watching").write_text("television")
    os.rename(victim, temporary / "firststep-results")
    os.symlink(used.path, temporary / "firststep-link")
    shared_folder.sweep()
    assert sorted(os.listdir(temporary)) == sorted(["firststep-results", "firststep-link", os.path.basename(used.path)])
    assert unharmed(temporary / "firststep-results") and os.path.exists(used.plan)


@pytest.mark.parametrize(("name", "holds", "age_s", "goes"), [
    ("firststep-0123456789abcdef", [], 7200, True), ("firststep-0123456789abcdef", ["events", "parts"], 7200, True),
    ("firststep-0123456789abcdef", ["events"], 60, False), ("firststep-0123456789abcdef", ["notes"], 7200, False),
    ("firststep-results", [], 7200, False), ("firststep-0123456789abcdex", [], 7200, False)])
def test_what_a_killed_tool_had_half_made_goes_after_a_while(temporary, name, holds, age_s, goes):
    folder = temporary / name
    folder.mkdir()
    for inside in holds:
        (folder / inside).mkdir() if inside == "parts" else os.mkfifo(folder / inside)
    os.utime(folder, (time.time() - age_s,) * 2)
    shared_folder.sweep()
    assert folder.exists() != goes


def fifo(path):
    os.mkfifo(path)


def endless(path):
    path.symlink_to("/dev/zero")


def another_users(path):
    path.write_text('{"magic": "firststep-plan", "schema": 1}')
    os.chown(path, 12345, 12345)


@pytest.mark.parametrize("make", [fifo, endless, pytest.param(another_users, marks=pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can give a file away"))], ids=lambda make: make.__name__)
def test_a_plan_that_is_none_of_ours_is_not_read_and_not_waited_for(tmp_path, make):
    path = tmp_path / "plan.json"
    make(path)
    with pytest.raises((plans.UnknownPlan, OSError)):
        plans.read(str(path))
    environment = comparisons.environment(tmp_path, PYTHONPATH=BOOTSTRAP, FIRSTSTEP_PLAN=str(path))
    done = subprocess.run([sys.executable, "-c", "print('ran')"], env=environment, capture_output=True, timeout=comparisons.PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"ran\n", b"")
