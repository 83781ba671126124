"""Every run is kept, for its user alone, whatever happens to the file; and is found again."""

import json
import math
import os
import random
import sqlite3
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from analyse.traces import process, trace
from programs import FIRSTSTEP

from firststep.analyse.facts import Facts
from firststep.cli._root import run
from firststep.exit_codes import CANNOT_READ, USAGE
from firststep.history import store
from firststep.history.remember import run_of
from firststep.history.store import FILE, KEPT, PastRun, Unusable, add, clear, runs
from firststep.trend.as_text import lines, plot, plots
from firststep.trend.change_points import changes
from firststep.trend.page import page
from firststep.trend.series import series

DAY = 86_400.0


def a_run(seconds=3.0, at=1e9, program="train.py", **more):
    usual = {"verb": "record", "folder": "/home/me", "arguments": "", "python": "3.11.7", "frameworks": "tensorflow 2.21.0",
             "machine": "x, 2 CPUs", "ready": "train", "exit_code": 0, "boosted": False, "phases": {"imports": 1.5}, "trace": ""}
    return PastRun(at=at, program=program, seconds=seconds, **{**usual, **more})


@pytest.fixture
def file(tmp_path):
    return tmp_path / "state" / FILE


@pytest.fixture
def home(tmp_path):
    """The environment of a user whose history is kept below tmp_path."""
    environment = {name: value for name, value in os.environ.items() if name != store.VARIABLE}
    return {**environment, "XDG_STATE_HOME": str(tmp_path / "state"), "FIRSTSTEP_CACHE": str(tmp_path / "cache")}


def history(home, *words):
    done = subprocess.run([*FIRSTSTEP, "history", *map(str, words)], env=home, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    return done


def test_what_is_kept_is_found_again_and_private(file):
    old, new = a_run(at=1e9), a_run(at=2e9, program="serve.py", verb="boost", boosted=True, exit_code=None)
    add(new, file)
    add(old, file)
    assert runs(file) == [old, new]
    assert runs(file, program="serve") == [new] and runs(file, verb="record") == [old] and runs(file, since=1.5e9) == [new]
    assert runs(file, limit=1) == [new]
    assert file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700
    assert clear(file) == 2 and runs(file) == []


def test_it_is_bounded(file):
    add(a_run(), file)
    with sqlite3.connect(file) as database:
        database.executemany("INSERT INTO runs (at, seconds) VALUES (?, ?)", [(float(at), 1.0) for at in range(KEPT + 500)])
    database.close()
    add(a_run(frameworks="x" * 100_000), file)
    with sqlite3.connect(file) as database:
        count, longest = database.execute("SELECT count(*), max(length(frameworks)) FROM runs").fetchone()
    assert (count, longest) == (KEPT, store.LONGEST)


def write_at_once(file, times):
    """Six processes, each of which adds a run so many times."""
    writer = ("import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2]); from history.test_history import a_run\n"
              f"from firststep.history.store import add\nfor _ in range({times}): add(a_run(), Path(sys.argv[1]))")
    tests = os.path.dirname(os.path.dirname(__file__))
    started = [subprocess.Popen([sys.executable, "-c", writer, str(file), tests]) for _ in range(6)]
    assert [one.wait() for one in started] == [0] * 6


def test_writers_wait_for_each_other(file):
    write_at_once(file, 10)
    assert len(runs(file)) == 60


@pytest.mark.parametrize("damage", ["cut", "garbage", "empty", "flipped"])
def test_a_damaged_file_is_put_aside_and_a_new_one_begun(file, damage):
    for _ in range(50):
        add(a_run(), file)
    data = file.read_bytes()
    broken = {"cut": data[: len(data) // 2 + 7], "garbage": b"x" * 5000, "empty": b"",
              "flipped": data[:100] + bytes(byte ^ 0xFF for byte in data[100:])}[damage]
    file.write_bytes(broken)
    try:
        runs(file)
    except Unusable as why:
        assert "cannot be read" in str(why)
    add(a_run(at=3e9), file)
    assert runs(file)[-1].at == 3e9
    assert damage == "empty" or file.with_name(f"{FILE}.damaged").read_bytes()[:100] == broken[:100]


def test_many_who_find_it_damaged_begin_one_new_file(file):
    add(a_run(), file)
    file.write_bytes(b"x" * 5000)
    write_at_once(file, 1)
    assert len(runs(file)) == 6


def test_what_is_not_ours_is_left_alone(file, tmp_path):
    add(a_run(), file)
    other = tmp_path / "other.sqlite"
    os.rename(file, other)
    file.symlink_to(other)
    before = other.read_bytes()
    with pytest.raises(Unusable):
        add(a_run(), file)
    assert other.read_bytes() == before
    file.unlink()
    os.rename(other, file)
    file.parent.chmod(0o777)
    with pytest.raises(Unusable, match="written by others"):
        add(a_run(), file)
    file.parent.chmod(0o700)
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA user_version = 7")
    database.close()
    with pytest.raises(Unusable, match="schema 7"):
        add(a_run(), file)
    with pytest.raises(Unusable, match="schema 7"):
        runs(file)


def test_what_is_in_its_place_is_said_with_what_helps(home, tmp_path):
    kept = tmp_path / "state/firststep"
    kept.mkdir(parents=True)
    (kept / FILE).symlink_to(tmp_path / "nowhere")
    done = history(home)
    assert done.returncode == CANNOT_READ and "is not a file of yours" in done.stderr and f"next: mv {kept / FILE}" in done.stderr
    (kept / FILE).unlink()
    add(a_run(), kept / FILE)
    kept.chmod(0o777)
    done = history(home)
    assert done.returncode == CANNOT_READ and f"next: chmod go-w {kept}" in done.stderr
    kept.chmod(0o700)
    assert history(home).returncode == 0


def test_a_place_that_cannot_be_used_is_said(home, tmp_path):
    (tmp_path / "file").write_text("")
    for folder in ("/proc/nope", tmp_path / "file", tmp_path / "file" / "below"):
        done = history({**home, "XDG_STATE_HOME": str(folder)})
        assert done.returncode == CANNOT_READ and f"{folder}/firststep cannot be written to" in done.stderr
        assert "next: set XDG_STATE_HOME" in done.stderr
        assert history({**home, "XDG_STATE_HOME": str(folder), store.VARIABLE: "off"}).returncode == 0


def test_that_nothing_is_kept_yet_is_said_and_no_folder_made(home, tmp_path):
    done = history(home)
    assert done.returncode == 0 and "no run is kept yet" in done.stderr and not (tmp_path / "state").exists()
    add(a_run(), tmp_path / "state/firststep" / FILE)
    done = history(home, "--program", "serve")
    assert done.returncode == 0 and "no such run is in" in done.stderr
    assert history(home, "--clear").returncode == 0 and "no run is kept yet" in history(home).stderr


def test_a_run_that_was_stopped_at_ready_did_not_fail():
    def kept(**more):
        return run_of(Facts(trace(process(), exit_code=143)), "check", **more).exit_code

    assert kept() == 143 and kept(stopped=True) is None


def test_what_else_was_waited_for_is_another_moment():
    def kept(*until):
        return run_of(Facts(trace(process(ready=500), until=until)), "record")

    first, eighth, never = kept("first-step", None), kept("step", 8), run_of(Facts(trace(process(), until=["exit", None])), "record")
    assert (first.ready, eighth.ready, never.ready) == ("train", "step:8", "")
    assert sorted(len(one.runs) for one in series([first, eighth, eighth])) == [1, 2]


def test_a_run_that_prove_boosted_is_told_from_a_plain_one():
    plain, boosted = lines([a_run(verb="prove"), a_run(verb="prove", boosted=True)])
    assert boosted == f"{plain}  boosted"


def test_strange_rows_are_said(file):
    add(a_run(), file)
    with sqlite3.connect(file) as database:
        database.execute("UPDATE runs SET phases = 'no json'")
    database.close()
    with pytest.raises(Unusable):
        runs(file)


def test_record_and_boost_are_remembered_unless_nobody_wants_it(home, tmp_path):
    program = tmp_path / "prog.py"
    program.write_text("import sys; sys.exit(3)")
    command = [sys.executable, str(program), "--size", "4"]
    quiet = {**home, store.VARIABLE: "off"}
    for environment in (quiet, home):
        assert subprocess.run([*FIRSTSTEP, "record", "--", *command], env=environment, capture_output=True, cwd=tmp_path).returncode == 3
    subprocess.run([*FIRSTSTEP, "boost", "--", *command], env=home, capture_output=True, cwd=tmp_path)
    patience = time.monotonic() + 120
    found = []
    while len(found) < 2 and time.monotonic() < patience:  # boost's is written beside the program, and after it
        found = json.loads(history(home, "--json", "-").stdout)["runs"]
    assert [(one["verb"], one["program"], one["arguments"]) for one in found] == [("record", "prog.py", "--size 4"),
                                                                               ("boost", "prog.py", "--size 4")]
    assert found[0]["exit_code"] == 3 and os.path.exists(found[0]["trace"]) and found[0]["phases"]["imports"] > 0
    assert history(home).stdout.count("prog.py") == 2 and "exit code 3" in history(home).stdout


def test_a_history_that_cannot_be_written_is_nobodys_trouble(home, tmp_path):
    (tmp_path / "state").write_text("a file where the folder should be")
    done = subprocess.run([*FIRSTSTEP, "record", "-o", str(tmp_path / "a.trace"), "--", sys.executable, "-c", "print('ran')"], env=home,
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "ran\n") and "Traceback" not in done.stderr


def test_a_full_disk_is_said(home, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv(store.VARIABLE, raising=False)
    assert store.room_left() is None
    monkeypatch.setattr(os, "statvfs", lambda folder: SimpleNamespace(f_bavail=3, f_frsize=4096))
    assert run(["history"]) == 0
    said = capsys.readouterr().err
    assert "no run is kept yet" in said
    assert f"no run is kept at present: the disk of {tmp_path}/state/firststep is full (12 kB free)" in said


def test_ten_thousand_runs_are_listed(home, tmp_path):
    path = tmp_path / "state" / "firststep" / FILE
    add(a_run(folder=""), path)
    with sqlite3.connect(path) as database:
        database.executemany("INSERT INTO runs (at, verb, program, folder, arguments, python, frameworks, machine, seconds, ready, "
                             "boosted, phases, trace) VALUES (?, 'record', 'train.py', '', '', '', '', '', ?, 'train', 0, '{}', '')",
                             [(1e9 + number, 3.0) for number in range(KEPT - 1)])
    database.close()
    assert len(history(home, "--all").stdout.splitlines()) == KEPT
    assert len(history(home).stdout.splitlines()) == 20
    assert "10000 runs" in history(home, "--plot").stdout


@pytest.mark.parametrize(("words", "code", "says"), [
    (["--since", "yesterday"], USAGE, "no moment"), (["--limit", "0"], USAGE, "limit"), (["--verb", "x"], USAGE, "verb"),
])
def test_a_command_line_that_is_wrong(home, words, code, says):
    done = history(home, *words)
    assert done.returncode == code and says in done.stderr


def test_an_empty_history_and_a_damaged_one_say_so(home, tmp_path):
    assert "no run is kept yet" in history(home).stderr
    assert "no history is kept" in history({**home, store.VARIABLE: "off"}).stderr
    path = tmp_path / "state" / "firststep" / FILE
    path.parent.mkdir(parents=True, mode=0o700)
    path.write_bytes(b"x" * 5000)
    done = history(home)
    assert done.returncode == CANNOT_READ and "--clear" in done.stderr
    assert history(home, "--clear").returncode == 0 and history(home).returncode == 0


def some(seed, *levels, each=20, scatter=0.03):
    choose = random.Random(seed)
    return [level * math.exp(choose.gauss(0, scatter)) * (3 if choose.random() < 0.03 else 1) for level in levels for _ in range(each)]


@pytest.mark.parametrize("seed", range(10))
def test_changes_are_found_where_they_are(seed):
    found = changes(some(seed, 4.0, 6.0, 5.0))
    assert [round(one.index / 20) for one in found] == [1, 2]
    assert [one.ratio for one in found] == pytest.approx([6 / 4, 5 / 6], rel=0.05)  # each of the stretch before it


MADE = 200  # histories


@pytest.mark.parametrize("runs_", [12, 40, 300])
@pytest.mark.parametrize("scatter", [0.02, 0.10])
def test_where_nothing_changed_nothing_is_found(runs_, scatter):
    assert sum(bool(changes(some(seed, 4.0, each=runs_, scatter=scatter))) for seed in range(MADE)) <= 0.05 * MADE


def test_spells_in_which_a_machine_is_slower_are_seldom_taken_for_a_change():
    """Neighbouring runs are alike: each has a third of what the one before it was off by."""
    def drifting(seed):
        choose, off = random.Random(seed), 0.0
        return [4.0 * math.exp(off := off / 3 + choose.gauss(0, 0.03)) for _ in range(60)]

    assert sum(bool(changes(drifting(seed))) for seed in range(MADE)) <= 0.05 * MADE


@pytest.mark.parametrize("after", [4.4, 4.0 / 1.1], ids=["slower", "faster"])
def test_a_step_of_ten_percent_is_found_with_its_size(after):
    found = [changes(some(seed, 4.0, after, scatter=0.02)) for seed in range(MADE)]
    right = [one for one in found if len(one) == 1 and abs(one[0].index - 20) <= 2 and one[0].ratio == pytest.approx(after / 4, rel=0.03)]
    assert len(right) >= 0.9 * MADE


@pytest.mark.parametrize("runs_", [0, 5, 9, 50])
def test_where_there_are_too_few_or_all_are_alike_there_is_no_change(runs_):
    assert changes([1.0] * runs_) == changes([1.0, 2.0, 3.0, 4.0, 5.0][:runs_]) == []


def test_one_programs_runs_are_one_series():
    found = series([a_run(at=1), a_run(at=2, arguments="--big"), a_run(at=3, boosted=True), a_run(at=4), a_run(at=5, seconds=0.0)])
    assert [(one.title, len(one.runs)) for one in found] == [("train.py", 2), ("train.py (boosted)", 1), ("train.py --big", 1)]


def test_programs_of_one_name_in_two_folders_are_two_series():
    found = series([a_run(at=1), a_run(at=2, folder="/other")])
    assert [one.title for one in found] == ["train.py in /other", "train.py in /home/me"]


def test_what_failed_or_was_never_ready_is_not_compared_with_what_was():
    """Else a program that fails at once is told as one that has become faster."""
    runs_ = [a_run(seconds, at=number) for number, seconds in enumerate(some(1, 4.0, 4.0))]
    failed = [a_run(0.1, at=100 + number, ready="", exit_code=1) for number in range(10)]
    ended = [a_run(9.0, at=200 + number, ready="", exit_code=0) for number in range(10)]
    found = series([*runs_, *failed, *ended])
    assert [(one.title, len(one.runs), one.changes) for one in found] == [("train.py (to its end)", 10, ()), ("train.py", len(runs_), ())]


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 1000])
def test_a_plot_has_a_point_in_each_column(count):
    seconds = [1.0 + number for number in range(count)]
    drawn = list(plot(seconds, [count // 2] if count > 10 else []))
    assert sum(line.count("*") for line in drawn) == min(count, 64)
    assert len(drawn) <= 8 and ("|" in "".join(drawn)) is (count > 10)


def test_one_slow_run_does_not_hide_a_change():
    drawn = list(plot([*[4.0] * 10, 40.0, *[5.0] * 10], [11]))
    assert drawn[0].startswith("      5.00 s") and drawn[0].count("^") == 1 and drawn[0].count("*") == 10
    assert drawn[-1].count("*") == 10
    assert "^" not in "".join(plot([4.0, 40.0, 4.0], [])) + "".join(plot([4.0] * 20, []))


def test_one_run_is_no_plot_and_that_is_said():
    said, = plots(series([a_run(4.0, at=1)]))
    assert "no program has two runs" in said
    assert list(plots([])) == []


HOSTILE = "\x1b[31m<script>alert(1)</script>\n\u202e\"'"


def test_names_are_anybodys():
    found = [a_run(seconds, at=number, program=HOSTILE, frameworks=HOSTILE, arguments=HOSTILE)
             for number, seconds in enumerate(some(1, 4.0, 6.0))]
    listed = list(lines(found))
    drawn = "\n".join(plots(series(found)))
    document = page(series(found))
    assert all("\n" not in line and "\x1b" not in line for line in listed) and "\x1b" not in drawn + document
    assert "<script" not in document and "\u202e" not in document and 'class="change"' in document
    assert "default-src 'none'" in document and "http" not in document.replace("http-equiv", "")


def test_the_page_is_written_for_its_user(home, tmp_path):
    path = tmp_path / "state" / "firststep" / FILE
    for number, seconds in enumerate(some(1, 4.0, 6.0)):
        add(a_run(seconds, at=1e9 + number * DAY), path)
    done = history(home, "--html", tmp_path / "history.html")
    assert done.returncode == 0 and (tmp_path / "history.html").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "history.html").read_text().count("<circle") == 40
    plotted = history(home, "--plot").stdout
    assert "slower" in plotted and "since 20" in plotted


def test_a_file_in_which_nothing_was_ever_kept_is_empty(tmp_path):
    """A full disk stopped the first run."""
    file = tmp_path / "history.sqlite"
    file.touch(mode=0o600)
    tmp_path.chmod(0o700)
    assert runs(file) == [] and clear(file) == 0


def test_clear_forgets_what_was_put_aside_as_damaged(file):
    aside = file.with_name(f"{FILE}.damaged")
    add(a_run(), file)
    for damaged_again in (False, True):
        file.write_bytes(b"x" * 5000)
        add(a_run(), file)
        assert aside.exists()
        if damaged_again:
            file.write_bytes(b"x" * 5000)
        assert clear(file) == (0 if damaged_again else 1) and not aside.exists()
    aside.write_bytes(b"x")
    file.unlink(missing_ok=True)
    assert clear(file) == 0 and not aside.exists()


def test_clear_where_there_can_be_no_history_is_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    assert clear(tmp_path / "file/firststep" / FILE) == clear(tmp_path / "none" / FILE) == 0


def test_clear_goes_with_nothing_else(home):
    done = history(home, "--clear", "--program", "train")
    assert done.returncode == 2 and "goes with nothing else" in done.stderr
