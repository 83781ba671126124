"""The pages for users: each command in them is one that firststep takes, and what can be run here is run."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from programs import FIRSTSTEP

from firststep.cli._root import root

ROOT = Path(__file__).parents[2]
PAGES = ["install", "docker", "ci", "jupyter", "clusters", "gpu", "privacy", "diff", "check", "history", "marks"]
SHELL = ("", "console", "bash")  # languages of blocks
RUN = {  # those that need no more than a program and its traces, and do no harm
    "firststep --version", "firststep doctor -- python", "firststep record -- python train.py",
    "firststep report traces/0.trace --findings",
    "firststep diff --anyway traces/0.trace traces/1.trace", "firststep diff before.trace after.trace", "firststep diff before/ after/",
    "firststep diff --json - before.trace after.trace", "firststep diff --markdown - before.trace after.trace",
    "firststep explain kernels-compiled-from-ptx", "firststep explain gpu-not-used", "firststep cache list", "firststep cache clear",
    "firststep history", "firststep history --program train --since 7d --all", "firststep history --plot", "firststep history --json -",
    "firststep history --html history.html", "firststep history --clear", "firststep lint --format sarif .",
}


def lines_of_blocks(text):
    """The lines inside blocks for a shell."""
    language = None
    for line in text.splitlines():
        if line.startswith("```"):
            language = None if language is not None else line[3:]
        elif language in SHELL:
            yield line


def commands():
    """(page, command) of every line of a block that runs firststep."""
    for page in PAGES:
        for line in lines_of_blocks((ROOT / "docs" / f"{page}.md").read_text()):
            words = re.sub(r"\s+#.*", "", line).strip()
            words = re.sub(r"^(?:[A-Z_]+=\S+ )+", "", words)
            if re.match(r"(?:\S*/)?firststep\s", words) and "> ~" not in words:
                yield page, words


ALL = sorted(set(commands()))


@pytest.mark.parametrize(("page", "line"), ALL, ids=[f"{page}: {line}" for page, line in ALL])
def test_every_option_in_the_pages_exists(page, line):
    words = shlex.split(line)[1:]
    if words[:1] == ["--version"]:
        return
    context = root.make_context("firststep", list(words), resilient_parsing=True)
    while isinstance(context.command, click.Group):
        name = words[0]
        assert name in context.command.list_commands(context), line
        command = context.command.get_command(context, name)
        words = words[1:]
        if isinstance(command, click.Group):
            context = command.make_context(name, list(words), parent=context, resilient_parsing=True)
        else:
            command.make_context(name, list(words), parent=context)  # raises UsageError for what it does not know
            return


def test_there_are_enough_of_them():
    assert len(ALL) > 40 and RUN.issubset(line for _, line in ALL)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a program and traces, as the pages have them."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "train.py").write_text("import json; print('trained')\n")
    for name in ("before", "after", "traces"):
        (folder / name).mkdir()
    recorded = ROOT / "tests" / "traces" / "keras_mlp.trace.gz"
    for name in ("before.trace", "after.trace", "traces/0.trace", "traces/1.trace", "before/1.trace", "after/1.trace"):
        (folder / name).write_bytes(recorded.read_bytes())
    return folder


@pytest.mark.parametrize("line", sorted(RUN))
def test_what_can_be_run_runs(place, line):
    words = [sys.executable if word == "python" else word for word in shlex.split(line)[1:]]
    environment = {**os.environ, "XDG_STATE_HOME": str(place / "state"), "FIRSTSTEP_CACHE": str(place / "cache"), "FIRSTSTEP_HISTORY": "on"}
    done = subprocess.run([*FIRSTSTEP, *words], cwd=place, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_the_shells_completions_are_written():
    for shell in ("bash", "zsh", "fish"):
        done = subprocess.run(FIRSTSTEP, env={**os.environ, "_FIRSTSTEP_COMPLETE": f"{shell}_source"}, capture_output=True, text=True)
        assert done.returncode == 0 and "firststep" in done.stdout


def test_the_actions_steps_do_what_they_say(tmp_path):
    """The shell of action.yml, with a firststep in place of the installed one."""
    text = (ROOT / "action.yml").read_text()
    script = text.split("      run: |\n")[2]
    (tmp_path / "firststep" / "bin").mkdir(parents=True)
    (tmp_path / "firststep" / "bin" / "firststep").symlink_to(FIRSTSTEP[0])
    budget = f"[programs.small]\ncommand = ['{sys.executable}', 'p.py']\nruns = 3\ncounts = {{ modules = 0 }}\n"
    (tmp_path / "firststep.toml").write_text(budget)
    (tmp_path / "p.py").write_text("pass")
    environment = {**os.environ, "RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
                   "GITHUB_OUTPUT": str(tmp_path / "output"), "PROGRAMS": "small", "MERGE_BASE": "", "ARGUMENTS": "--strict",
                   "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert (tmp_path / "output").read_text() == "verdict=regressed\n"
    assert (tmp_path / "summary").read_text().startswith("### firststep check `small`: regressed")
    assert (tmp_path / "firststep-junit.xml").exists()
