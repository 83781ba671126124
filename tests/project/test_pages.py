"""The pages for users: each command in them is one that firststep takes, and is run here, or a reason says why not."""

import gzip
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml
from profiles.made import MS, export
from programs import FIRSTSTEP

from firststep.cli._root import root

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHELL = ("", "console", "bash")  # languages of blocks
PROGRAMS = ("firststep", "pipx", "uv", "pip", "nsys", "srun", "docker", "make")
ELSEWHERE = {  # what is not run here: how it begins, and why
    "firststep prove": "it takes many runs of a real program; tests/prove runs it",
    "firststep boost": "a program of TensorFlow; tests/boost and tests/function_cache run it",
    "firststep cache why": "of what boost kept of functions; tests/boost/test_cache.py runs it",
    "firststep cache functions": "of what boost kept of functions; tests/function_cache runs it",
    "firststep check --merge-base": "a repository with a branch; tests/check runs it",
    "firststep check --strict": "its exit code is the noise's; tests/check runs it",
    "firststep record -- python zoo": "half a minute of TensorFlow; `make demo` runs it",
    "firststep check --self-test": "100 gates of 24 runs; tests/check runs it",
    "firststep record --until port": "a free port of that number; tests/launch runs it",
    "firststep record --until exit -- python -m nbconvert": "a kernel of Jupyter; tests/plugins runs it",
    "firststep record -- jupyter": "a kernel of Jupyter; tests/plugins runs it",
    "firststep record -o /traces": "a folder of a container",
    "firststep report /traces": "a folder of a container",
    "firststep report --format NAME": "a pattern: tests/report writes every format",
    "firststep report --format otlp -o grpc": "a collector that listens; tests/report has one",
    "firststep report --format otlp -o https": "a collector that listens; tests/report has one",
    "pipx": "test_wheel.py runs it, in a home folder of its own",
    "uv": "test_wheel.py runs it, in a home folder of its own",
    "pip install .": "test_wheel.py installs it so",
    "nsys": "Nsight Systems, which only runs where a driver of NVIDIA is",
    "srun": "a cluster of SLURM",
    "make": "what these tests are run by",
}
FINDS = {"firststep lint zoo/v1_reinitialise.py": (1,)}  # exit codes of lines that are shown for what they find
COMPARES = re.compile(r"firststep check\b")  # exits with 1 where a start is slower than another: a busy machine decides that


def lines_of_blocks(text):
    """The lines inside blocks for a shell, and those that are indented as code."""
    language = None
    for line in text.splitlines():
        if line.startswith("```"):
            language = None if language is not None else line[3:]
        elif language in SHELL or language is None and line.startswith("    "):
            yield line.strip()


def commands():
    """Every command line of a block: without its comment, and without what is optional in it."""
    for page in PAGES:
        for line in lines_of_blocks(page.read_text()):
            words = re.sub(r"\s+#.*|\s*\[[A-Z\d -]*(?:FILE|TRACE|CAUSE)\]", "", line.removeprefix("$ ")).strip()
            first = re.sub(r"^(?:[A-Z_]+=\S+ )+", "", words).split(" ")[0]
            if first in PROGRAMS and not re.match(r"firststep (?: |itself|boost would)", words):
                yield page.name, words


ALL = sorted(set(commands()))
LINES = sorted({line for _, line in ALL})
FIRSTSTEPS = [line for line in LINES if re.match(r"(?:[A-Z_]+=\S+ )*firststep\b", line)]


def why_not(line):
    return next((why for begins, why in ELSEWHERE.items() if " ".join(line.split()).startswith(begins)), None)


RUN = [line for line in LINES if not why_not(line)]


@pytest.mark.parametrize("line", FIRSTSTEPS)
def test_every_option_in_the_pages_exists(line):
    words = shlex.split(re.sub(r"^(?:[A-Z_]+=\S+ )+| >.*$", "", line))[1:]
    if words[:1] in (["--version"], []):
        return
    context = root.make_context("firststep", list(words), resilient_parsing=True)
    while isinstance(context.command, click.Group):
        name = words[0]
        assert name in context.command.list_commands(context), line
        command = context.command.get_command(context, name)
        words = words[1:]
        if isinstance(command, click.Group):
            context = command.make_context(name, list(words), parent=context, resilient_parsing=True)
        elif "NAME" in words:
            return
        else:
            command.make_context(name, list(words), parent=context)  # raises UsageError for what it does not know
            return


def said_in_sentences():
    """(page, verb, options) of `firststep verb --option …` wherever a page names it."""
    for page in PAGES:
        for words in re.findall(r"`firststep ([a-z][^`]*)`", page.read_text()):
            verb, *rest = words.split()
            ours = " ".join(rest).partition(" -- ")[0].split()
            yield page.name, verb, tuple(word for word in ours if word.startswith("--") and word != "--")


@pytest.mark.parametrize(("page", "verb", "options"), sorted(set(said_in_sentences())), ids=str)
def test_every_verb_and_option_that_a_sentence_names_exists(page, verb, options):
    context = root.make_context("firststep", [verb], resilient_parsing=True)
    command = root.get_command(context, verb)
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}
    assert {option.partition("=")[0] for option in options} <= known


def test_there_are_enough_of_them():
    assert len(ALL) > 60 and len(RUN) > 35


def test_every_reason_is_that_of_a_command():
    assert {begins for begins in ELSEWHERE if not any(" ".join(line.split()).startswith(begins) for line in LINES)} == set()


def test_no_page_has_a_name_to_fill_in():
    """But for those that stand for the reader's own files: commands are to be typed as they are."""
    assert [line for line in LINES if re.search(r"<[a-z]+[ -]?[a-z]*>", line)] == []
    for page in PAGES:
        assert not re.search(r"OWNER/|YOUR[-_]|example\.com", page.read_text()), page


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """(a folder with programs and traces as the pages have them, the environment to type in)"""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "train.py").write_text("import json; print('trained')\n")
    budget = "[programs.train]\ncommand = 'python train.py'\nuntil = 'exit'\nruns = 3\ncounts = { modules = 9000 }\n"
    (folder / "firststep.toml").write_text(budget)
    (folder / "zoo").symlink_to(ROOT / "zoo")
    for name in ("before", "after", "traces", ".config/fish/completions"):
        (folder / name).mkdir(parents=True)
    recorded = (ROOT / "tests" / "traces" / "keras_mlp.trace.gz").read_bytes()
    for name in ("before.trace", "after.trace", "before/1.trace", "after/1.trace", "A", "B", "TRACE",
                 "run.trace", *(f"{side}{number}.trace" for side in "ab" for number in (1, 2, 3))):
        (folder / name).write_bytes(recorded)
    spawned = json.loads(gzip.decompress(recorded).split(b"\n", 1)[0])["spawned"][0]
    for name in ("run.sqlite", "FILE"):
        export(folder / name, day=None, clock=spawned + 500 * MS)
    path = f"{Path(FIRSTSTEP[0]).parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    browsers = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME")
    environment = {key: value for key, value in os.environ.items() if key not in browsers}
    environment.update(HOME=str(folder), PATH=path, XDG_STATE_HOME=str(folder / "state"), FIRSTSTEP_CACHE=str(folder / "cache"),
                       FIRSTSTEP_HISTORY="on")
    for kept in ((), ("-o", "traces/0.trace"), ("-o", "traces/1.trace")):
        subprocess.run(["firststep", "record", "--until", "exit", *kept, "--", "python", "train.py"], cwd=folder, env=environment,
                       check=True, capture_output=True)
    return folder, environment


@pytest.mark.parametrize("line", RUN)
def test_what_stands_in_the_pages_can_be_typed(place, line):
    folder, environment = place
    done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode in FINDS.get(line, (0, 1) if COMPARES.match(line) else (0,)), done.stderr
    assert "Traceback" not in done.stderr


def test_the_shells_completions_are_taken_by_the_shell(place):
    folder, environment = place
    for shell in ("bash", "zsh", "fish"):
        done = subprocess.run(FIRSTSTEP, env={**os.environ, "_FIRSTSTEP_COMPLETE": f"{shell}_source"}, capture_output=True, text=True)
        assert done.returncode == 0 and "firststep" in done.stdout
    ask = ("eval \"$(_FIRSTSTEP_COMPLETE=bash_source firststep)\"; COMP_WORDS=(firststep rep); COMP_CWORD=1; "
           "_firststep_completion firststep; echo \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "-c", ask], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["report"], done.stderr


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / f"{page}.md").read_text(), re.DOTALL)


def test_the_workflow_uses_what_is_checked_out_and_inputs_that_the_action_has():
    github, gitlab, hooks = map(yaml.safe_load, blocks("ci", "yaml"))
    steps = github["jobs"]["start"]["steps"]
    used = next(step for step in steps if step.get("uses", "").startswith("./"))
    assert any(step.get("with", {}).get("path") == used["uses"].removeprefix("./") for step in steps)
    assert set(used["with"]) <= set(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])
    assert any("firststep check" in line for line in gitlab["start"]["script"])
    ours, = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    shown, = hooks["repos"][0]["hooks"]
    assert shown["entry"] == ours["entry"] and shown["id"] == ours["id"]


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
    (tmp_path / "firststep.toml").write_text("it is damaged")
    (tmp_path / "output").write_text("")
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 2 and "not understood" in done.stderr
    assert (tmp_path / "output").read_text() == "" and not (tmp_path / "firststep-junit.xml").exists()
