"""What docs/ci.md says to paste, run as GitHub, GitLab and pre-commit run it: step by step, from the files that users get."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from project.test_pages import ROOT, blocks

pytestmark = pytest.mark.suite
SLOW = "import time; time.sleep(2)\n"


def run(*words, cwd, env=None, **options):
    return subprocess.run([str(word) for word in words], cwd=cwd, env=env, capture_output=True, text=True, timeout=900, **options)


def git(folder, *words):
    done = run("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def environment(tmp_path):
    """That of a runner, which has a Python of its own and a home folder."""
    made = run(sys.executable, "-m", "venv", tmp_path / "python", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    (tmp_path / "temporary").mkdir()
    ours = ("FIRSTSTEP", "VIRTUAL_ENV", "PYTHON", "GITHUB", "CI")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "HOME": str(tmp_path), "PATH": f"{tmp_path}/python/bin:{os.environ['PATH']}", "RUNNER_TEMP": f"{tmp_path}/temporary",
            "XDG_STATE_HOME": f"{tmp_path}/state", "FIRSTSTEP_CACHE": f"{tmp_path}/cache"}


@pytest.fixture
def checkout(tmp_path):
    """A clone whose branch changes what main at `origin` starts: by its argument, `slow` or not at all."""
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()
    (origin / "prog.py").write_text("import json\n")
    (origin / "requirements.txt").write_text("")
    (origin / "firststep.toml").write_text("[programs.small]\ncommand = 'python prog.py'\nuntil = 'exit'\nruns = 3\n")
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "a start"]):
        git(origin, *words)
    git(tmp_path, "clone", "-q", origin, clone)
    git(clone, "switch", "-q", "-c", "branch")

    def change(program):
        (clone / "prog.py").write_text(program)
        git(clone, "commit", "-q", "-a", "-m", "a change")
        return clone

    return change


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """firststep's repository as others see it: what would be committed of this one."""
    folder = tmp_path_factory.mktemp("published")
    files = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).stdout.split("\0")
    for name in filter(None, files):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, folder / name)
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "as published"]):
        git(folder, *words)
    return folder


def filled(text, inputs, action_path):
    """A value of the action with its expressions filled in, as a runner does. Any other expression is an error here."""
    known = {**{f"inputs.{name}": value for name, value in inputs.items()}, "github.action_path": str(action_path)}
    return re.sub(r"\$\{\{ *([^}]*?) *\}\}", lambda found: known[found[1]], str(text))


def act(action_path, given, cwd, environment):
    """Runs the steps of a composite action in order, until one fails: (exit code, what was written to the output and to the summary)."""
    action = yaml.safe_load((action_path / "action.yml").read_text())
    assert set(given) <= set(action["inputs"])
    inputs = {name: filled(given.get(name, one["default"]), {}, action_path) for name, one in action["inputs"].items()}
    files = {"GITHUB_OUTPUT": cwd / "output", "GITHUB_STEP_SUMMARY": cwd / "summary"}
    for file in files.values():
        file.write_text("")
    code = 0
    for step in action["runs"]["steps"]:
        own = {name: filled(value, inputs, action_path) for name, value in step.get("env", {}).items()}
        script = cwd.parent / "step.sh"
        script.write_text(filled(step["run"], inputs, action_path))
        done = run("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script, cwd=cwd,
                   env={**environment, **own, **{name: str(file) for name, file in files.items()}})
        code = done.returncode
        if code:
            assert done.stdout + done.stderr
            break
    return code, files["GITHUB_OUTPUT"].read_text(), files["GITHUB_STEP_SUMMARY"].read_text()


@pytest.mark.parametrize(("program", "code", "verdicts"), [
    ("import json\n# the same\n", 0, {"neutral", "inconclusive", "improved"}), (SLOW, 1, {"regressed"})], ids=["the-same", "slower"])
def test_the_action_from_its_first_step_to_its_last(checkout, published, environment, program, code, verdicts):
    github, _, _ = map(yaml.safe_load, blocks("ci", "yaml"))
    given, = (step["with"] for step in github["jobs"]["start"]["steps"] if step.get("uses", "").startswith("./"))
    clone = checkout(program)
    got, output, summary = act(published, given, clone, environment)
    assert got == code and output.strip().partition("verdict=")[2] in verdicts
    assert summary.startswith("### firststep check `small`: ")
    assert ElementTree.parse(clone / "firststep-junit.xml").getroot()[0].get("failures") == str(code)


def test_the_action_fails_where_nothing_can_be_judged(checkout, published, environment):
    code, output, _ = act(published, {"arguments": "--strict", "programs": "small"}, checkout("import sys; sys.exit(3)\n"), environment)
    assert code == 2 and output == "verdict=incomparable\n"


def test_the_action_passes_words_that_a_shell_would_take_apart(checkout, published, environment):
    """What stands in an input is a word, never a command."""
    clone = checkout("import json\n# the same\n")
    code, _, _ = act(published, {"merge-base": "$(touch owned); touch owned", "programs": "small"}, clone, environment)
    assert code == 2 and not (clone / "owned").exists()


@pytest.mark.parametrize(("program", "code"), [("import json\n# the same\n", 0), (SLOW, 1)], ids=["the-same", "slower"])
def test_gitlabs_script(checkout, published, environment, tmp_path, program, code):
    _, gitlab, _ = map(yaml.safe_load, blocks("ci", "yaml"))
    job = gitlab["start"]
    clone = checkout(program)
    script = "set -eo pipefail\n" + "\n".join(job["script"]).replace("/opt/", f"{tmp_path}/opt/")
    done = run("bash", "-c", script, cwd=clone, env={**environment, **job["variables"], "FIRSTSTEP_REPOSITORY": f"file://{published}",
                                                     "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"})
    assert done.returncode == code, done.stderr
    assert ElementTree.parse(clone / job["artifacts"]["reports"]["junit"]).getroot()[0].get("failures") == str(code)


def test_pre_commit_installs_the_hook_and_runs_it(published, environment, tmp_path):
    installed = run(tmp_path / "python/bin/python", "-m", "pip", "install", "-q", "pre-commit", cwd=tmp_path)
    if installed.returncode:
        pytest.skip(f"pre-commit cannot be installed here: {installed.stderr.strip().splitlines()[-1:]}")
    project = tmp_path / "project"
    project.mkdir()
    hook = {"repo": f"file://{published}", "rev": git(published, "rev-parse", "HEAD"), "hooks": [{"id": "firststep-lint"}]}
    (project / ".pre-commit-config.yaml").write_text(json.dumps({"repos": [hook]}))
    (project / "good.py").write_text("import json\n")
    (project / "notes.md").write_text("no Python\n")
    git(project, "init", "-q")
    git(project, "add", ".")
    command = [tmp_path / "python/bin/pre-commit", "run", "firststep-lint", "--verbose"]
    good = run(*command, cwd=project, env=environment)
    assert good.returncode == 0, good.stdout + good.stderr
    slow = "import tensorflow as tf\nfor _ in range(3):\n    model = tf.keras.Sequential()\n    model.fit([1], [1])\n"
    (project / "bad.py").write_text(slow)
    git(project, "add", ".")
    bad = run(*command, cwd=project, env=environment)
    assert bad.returncode == 1 and "bad.py:3" in bad.stdout and "good.py:" not in bad.stdout


def test_the_local_hook_with_an_installed_firststep(environment, tmp_path):
    """The block of docs/ci.md, whose hook is a command of the system's."""
    _, _, hooks = map(yaml.safe_load, blocks("ci", "yaml"))
    shown, = hooks["repos"][0]["hooks"]
    (tmp_path / "good.py").write_text("import json\n")
    done = run(*shown["entry"].split(), "good.py", cwd=tmp_path,
               env={**environment, "PATH": f"{Path(sys.executable).parent}:{environment['PATH']}"})
    assert done.returncode == 0, done.stderr
