"""`firststep check` on small real programs, none of which knows TensorFlow, and on recorded starts of some that do."""

import gzip
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from programs import FIRSTSTEP

from firststep.check import baseline
from firststep.check.judge import Judged
from firststep.check.report import as_junit, as_markdown
from firststep.check.verdict import Check, GateVerdict, exit_code

TRACES = Path(__file__).parents[1] / "traces"
PATIENCE = 900
SLOW = "import time; time.sleep(3)\n"


@pytest.fixture
def project(tmp_path):
    """project(settings, program) -> a folder with both; `{python}` is the interpreter."""
    def make(settings, program="pass\n"):
        (tmp_path / "prog.py").write_text(program)
        text = settings if "command" in settings else f"[programs.small]\ncommand = ['{sys.executable}', 'prog.py']\nruns = 3\n{settings}"
        (tmp_path / "firststep.toml").write_text(text)
        return tmp_path

    return make


def check(folder, *words):
    done = subprocess.run([*FIRSTSTEP, "check", *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    assert "Traceback" not in done.stderr
    return done


def verdicts(folder, *words):
    """(exit code, {check: verdict}) of a check."""
    done = check(folder, "--json", "-", *words)
    document = json.loads(done.stdout)
    assert document["exit_code"] == done.returncode
    checks = [one for program in document["programs"] for one in program["checks"]]
    return done.returncode, {f"{one['kind']} {one['name']}": one["verdict"] for one in checks}


def test_a_program_that_ends_before_its_first_step_is_not_within_its_budget(project):
    """It is soon done: the gate must not be the greener for it."""
    folder = project('time = { total = "5 min" }', "import sys; sys.exit(0)\n")
    code, found = verdicts(folder)
    assert (code, found["time total"], found["program small"]) == (0, "neutral", "inconclusive")
    done = check(folder, "--strict")
    assert done.returncode == 2 and 'until = "exit"' in done.stdout


def test_within_its_budget(project):
    folder = project('until = "exit"\ntime = { total = "5 min", imports = "5 min" }\ncounts = { modules = 5000, traces = 0 }')
    code, found = verdicts(folder, "--junit", "junit.xml", "--markdown", "summary.md")
    assert code == 0
    assert {name: verdict for name, verdict in found.items() if not name.startswith("finding")} == {
        "time total": "neutral", "time imports": "neutral", "count modules": "neutral", "count traces": "neutral"}
    suite = ElementTree.parse(folder / "junit.xml").getroot()[0]
    assert (suite.get("name"), suite.get("failures"), suite.get("errors")) == ("small", "0", "0")
    assert (folder / "summary.md").read_text().startswith("### firststep check `small`: neutral")
    assert (folder / "junit.xml").stat().st_mode & 0o777 == 0o600


def test_over_a_budget_of_time_and_of_a_count(project):
    folder = project('time = { total = "100 ms" }\ncounts = { modules = 1 }', "import json\n" + SLOW)
    code, found = verdicts(folder, "--junit", "junit.xml")
    assert code == 1
    assert (found["time total"], found["count modules"]) == ("regressed", "regressed")
    assert ElementTree.parse(folder / "junit.xml").getroot()[0].get("failures") == "2"
    assert check(folder).returncode == 1


def test_a_known_delay_against_a_stored_baseline_and_an_identical_control(project):
    folder = project("counts = { modules = 'baseline' }")
    assert check(folder, "--save-baseline").returncode == 0
    code, found = verdicts(folder)
    assert code == 0 and found["change total"] != "regressed" and found["count modules"] == "neutral"
    (folder / "prog.py").write_text("import this_is_new\n" + SLOW)
    (folder / "this_is_new.py").write_text("")
    code, found = verdicts(folder)
    assert code == 1 and (found["change total"], found["count modules"]) == ("regressed", "regressed")
    kept = json.loads((folder / "firststep-baseline.json").read_text())["programs"]["small"]
    assert len(kept["sessions"]) == 1


@pytest.mark.parametrize("runs", [pytest.param(1, marks=pytest.mark.suite), 2])
def test_fewer_than_three_runs_are_not_told_from_a_stored_baseline(project, runs):
    folder, path = saved(project)
    (folder / "prog.py").write_text(SLOW)
    done = check(folder, "--runs", runs)
    assert done.returncode == 0 and "small: inconclusive" in done.stdout
    assert f" in {runs} run" in done.stdout and "3 runs are the least" in done.stdout
    assert check(folder, "--runs", runs, "--strict").returncode == 2
    document = json.loads(path.read_text())
    for session in document["programs"]["small"]["sessions"]:
        session["times"] = {name: times[:runs] for name, times in session["times"].items()}
    path.write_text(json.dumps(document))
    done = check(folder, "--runs", 3)
    assert done.returncode == 0 and f"the baseline has {runs} run" in done.stdout


def test_one_recorded_start_is_not_told_from_a_stored_baseline(project):
    folder, _ = saved(project)
    (folder / "prog.py").write_text(SLOW)
    command = [*FIRSTSTEP, "record", "--stop", "-o", "slow.trace", "--", sys.executable, "prog.py"]
    assert subprocess.run(command, cwd=folder, capture_output=True).returncode == 0
    code, found = verdicts(folder, "--from", "slow.trace")
    assert code == 0 and found["change total"] == "inconclusive"
    code, found = verdicts(folder, *["--from", "slow.trace"] * 3)
    assert code == 1 and found["change total"] == "regressed"


def git(folder, *words):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(project):
    """A repository whose main branch has the quick program, with a branch checked out."""
    folder = project("")
    git(folder, "init", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "quick")
    git(folder, "checkout", "-b", "branch")
    return folder


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_a_known_delay_against_the_merge_base_and_an_identical_control(repository):
    code, found = verdicts(repository, "--merge-base", "main")
    assert code == 0 and found["change total"] != "regressed"
    (repository / "prog.py").write_text(SLOW)
    code, found = verdicts(repository, "--merge-base", "main")
    assert code == 1 and found["change total"] == "regressed"
    assert subprocess.run(["git", "worktree", "list"], cwd=repository, capture_output=True, text=True).stdout.count("\n") == 1


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_a_merge_base_that_runs_the_working_tree_is_no_base(repository):
    there = repository / "firststep.toml"
    there.write_text(there.read_text().replace("'prog.py'", f"'{repository}/prog.py'"))
    (repository / "prog.py").write_text(SLOW)
    done = check(repository, "--merge-base", "main")
    assert done.returncode == 2 and "of the working tree" in done.stdout


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_no_such_merge_base_is_said(repository):
    done = check(repository, "--merge-base", "nowhere")
    assert done.returncode == 2 and "cannot be checked out" in done.stderr
    hostile = check(repository, "--merge-base", "--upload-pack=x")
    assert hostile.returncode == 2


def test_a_program_that_fails_or_is_not_there_cannot_be_judged(project):
    folder = project("", "import sys; sys.exit('out of luck')")
    done = check(folder, "--junit", "junit.xml")
    assert done.returncode == 2 and "out of luck" in done.stdout and "exit code 1" in done.stdout
    assert ElementTree.parse(folder / "junit.xml").getroot()[0].get("errors") == "1"
    gone = project("[programs.gone]\ncommand = 'no-such-program-here'")
    assert check(gone).returncode == 2
    assert check(gone, "--save-baseline").returncode == 2 and not (gone / "firststep-baseline.json").exists()


def saved(project):
    folder = project("counts = { modules = 'baseline' }")
    assert check(folder, "--save-baseline").returncode == 0
    return folder, folder / "firststep-baseline.json"


def test_what_another_check_has_saved_meanwhile_stays(project):
    folder, path = saved(project)
    kept = folder / "kept.json"
    kept.write_text(path.read_text().replace('"small"', '"other"'))
    (folder / "prog.py").write_text(f"import shutil; shutil.copy({str(kept)!r}, {str(path)!r})")
    assert check(folder, "--save-baseline").returncode == 0
    assert set(baseline.read(path)) == {"small", "other"}


def test_baselines_that_cannot_be_used(project):
    folder, path = saved(project)
    good = json.loads(path.read_text())

    def says(document, words):
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        done = check(folder)
        assert done.returncode == 2 and words in done.stderr, done.stderr

    says({**good, "schema": 2}, "schema 2")
    says({**good, "magic": "x"}, "no baseline")
    says(path.read_text()[:-40], "not JSON")
    says("[" * 100_000, "not JSON")
    for name, bad in (("at", None), ("times", {"total": [float("nan")]}), ("times", {"total": [-1]}), ("times", {"total": ["1"]}),
                      ("times", 3), ("reference", [1e400])):
        broken = json.loads(json.dumps(good))
        broken["programs"]["small"]["sessions"][0][name] = bad
        says(broken, "damaged")


def test_a_baseline_from_the_future_or_another_machine_is_not_compared_in_time(project):
    folder, path = saved(project)
    good = path.read_text()

    def changed(change):
        document = json.loads(good)
        change(document["programs"]["small"])
        path.write_text(json.dumps(document))
        return verdicts(folder)

    code, found = changed(lambda one: one["sessions"][0].update(at=time.time() + 1e7))
    assert code == 2 and found["change total"] == "incomparable"
    code, found = changed(lambda one: one["identity"].update(cpu="Other", cpus=96))
    assert code == 2 and (found["change total"], found["count modules"]) == ("incomparable", "neutral")
    code, found = changed(lambda one: one["identity"].update(python="3.1.0"))
    assert (found["change total"], found["count modules"]) == ("incomparable", "incomparable")
    assert baseline.read(folder / "nothing.json") == {}


def test_sessions_add_up_and_are_bounded(project, monkeypatch):
    _, path = saved(project)
    known = baseline.read(path)["small"]
    sample = type("S", (), {"identity": known.identity, "times": {"total": 1.0}, "counts": {}})
    for _ in range(baseline.KEPT + 5):
        known = baseline.with_session(known, [sample], [0.1])
    assert len(known.sessions) == baseline.KEPT
    assert baseline.read(path)["small"].identity == known.identity


def test_starts_that_were_recorded_elsewhere(project):
    traces = [TRACES / "keras_mlp.trace.gz"] * 3
    words = [word for trace in traces for word in ("--from", trace)]
    folder = project('[programs.mlp]\ncommand = "x"\ntime = { total = "10 min" }\n'
                     'counts = { traces = 7, ops = 900 }\nfindings = { double-trace = "error", default = "off" }')
    code, found = verdicts(folder, *words)
    assert code == 1
    assert found == {"time total": "neutral", "count traces": "neutral", "count ops": "regressed", "finding double-trace": "regressed"}


@pytest.mark.parametrize(("settings", "says"), [
    ('command = "python ../train.py"', "a trace is of keras_mlp.py, not of ../train.py"),
    ('command = "python zoo/keras_mlp.py"\nuntil = "step:5"', "a trace waited for first-step, not for step:5"),
])
def test_a_start_of_something_else_is_not_judged(project, settings, says):
    recorded = (TRACES / "keras_mlp.trace.gz").read_bytes()
    text = gzip.decompress(recorded).decode()
    folder = project(f'[programs.mlp]\n{settings}\ntime = {{ total = "10 min" }}')
    header, rest = text.split("\n", 1)
    header = {**json.loads(header), "command": ["/usr/bin/python3", "keras_mlp.py"]}
    (folder / "a.trace").write_text(f"{json.dumps(header)}\n{rest}")
    done = check(folder, "--from", "a.trace")
    assert done.returncode == 2 and "incomparable  program mlp\n" in done.stdout and says in done.stdout


def test_a_trace_that_breaks_off_is_not_judged(project):
    text = gzip.decompress((TRACES / "keras_mlp.trace.gz").read_bytes())
    folder = project('[programs.mlp]\ncommand = "x"\ntime = { total = "10 min" }')
    (folder / "a.trace").write_bytes(text[:len(text) // 2])
    done = check(folder, "--from", "a.trace")
    assert done.returncode == 2 and "its trace breaks off" in done.stdout


def test_the_self_test_runs_and_says_how_often_it_is_wrong(project):
    done = check(project(""), "--self-test")
    assert done.returncode in (0, 1) and "of 100 gates drawn from 24 runs" in done.stdout


@pytest.mark.parametrize(("words", "says"), [
    (["--save-baseline", "--self-test"], "exclude each other"), (["nobody"], "no program is called nobody"),
    (["--from", "nothing.trace"], "cannot read"), (["--baseline", "nothing.json"], "there is no baseline nothing.json"),
    (["--json", "no/such/folder.json"], "there is no folder no/such"),
    (["--junit", "no/such/junit.xml"], "there is no folder no/such"), (["--markdown", "no/such/summary.md"], "there is no folder no/such"),
    (["--save-baseline", "--baseline", "no/such/baseline.json"], "there is no folder no/such"),
])
def test_a_command_line_that_is_wrong(project, words, says):
    done = check(project(""), *words)
    assert done.returncode == 2 and says in done.stderr


@pytest.mark.parametrize(("found", "strict", "code"), [
    ([], False, 0), ([GateVerdict.NEUTRAL, GateVerdict.IMPROVED], True, 0), ([GateVerdict.REGRESSED, GateVerdict.INCOMPARABLE], False, 1),
    ([GateVerdict.INCOMPARABLE, GateVerdict.NEUTRAL], False, 2), ([GateVerdict.INCONCLUSIVE], False, 0),
    ([GateVerdict.INCONCLUSIVE], True, 2),
])
def test_exit_codes(found, strict, code):
    assert exit_code(found, strict) == code


def test_names_are_anybodys():
    hostile = "\x1b[31m<b>\x00`|]]>\ufffe\ud800\n## x"
    judged = [Judged(hostile, (Check("time", hostile, GateVerdict.REGRESSED, hostile, hostile, hostile),
                               Check("program", hostile, GateVerdict.INCOMPARABLE, "", "", hostile)), (hostile,), 1)]
    suite = ElementTree.fromstring(as_junit(judged).encode())[0]
    assert suite.get("failures") == "1" and "<b>" in suite.get("name")
    markdown = as_markdown(judged)
    assert "\x1b" not in markdown and not any(line.startswith("## x") for line in markdown.splitlines())


def test_what_cannot_be_carried_out_is_said(project):
    folder = project('time = { total = "5 min" }')
    done = check(folder, "--config", "/nowhere.toml")
    assert done.returncode == 2 and "there is no /nowhere.toml" in done.stderr and "next:" in done.stderr
    done = check(folder, "--from", "firststep.toml", "--runs", "2")
    assert done.returncode == 2 and "--from judges those that were made" in done.stderr
