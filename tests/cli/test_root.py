"""What every verb has: -v, -q, --no-color, and a guess at what was meant."""

import os
import pty
import subprocess
import sys

import pytest
from programs import FIRSTSTEP

from firststep.causes import all_causes
from firststep.exit_codes import USAGE
from firststep.remedies import all_remedies


def firststep(*words, **options):
    return subprocess.run([*FIRSTSTEP, *words], capture_output=True, text=True, **options)


@pytest.mark.parametrize(("typed", "meant"), [("recrod", "record"), ("bost", "boost"), ("Check", "check"), ("histroy", "history")])
def test_a_verb_that_there_is_none_of_is_guessed(typed, meant):
    done = firststep(typed, "--", "python")
    assert done.returncode == USAGE
    assert f"did you mean {meant}?" in done.stderr and f"firststep {meant} --help" in done.stderr


def test_where_nothing_is_near_the_verbs_are_named():
    done = firststep("xyzzy\x1b[31m")
    assert done.returncode == USAGE and "record" in done.stderr and "\x1b" not in done.stderr


@pytest.mark.parametrize("remedy", all_remedies(), ids=lambda remedy: remedy.id)
def test_a_remedy_that_is_taken_for_a_cause_is_explained(remedy):
    done = firststep("explain", remedy.id)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{remedy.id}, a remedy of firststep boost\n\n")
    assert " ".join(remedy.explanation.split()) in " ".join(done.stdout.split())  # on lines of their own
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert remedy.id not in {cause.id for cause in all_causes()}


def test_all_remedies_are_explained_within_a_terminals_width():
    done = firststep("boost", "--explain")
    assert done.returncode == 0 and max(map(len, done.stdout.splitlines())) <= 80
    assert all(" ".join(remedy.explanation.split()) in " ".join(done.stdout.split()) for remedy in all_remedies())


def test_a_remedy_is_guessed():
    done = firststep("explain", "import_imag")
    assert done.returncode == USAGE and "meant is perhaps import-image" in done.stderr


@pytest.mark.parametrize(("option", "verb"), [("-q", "record"), ("--verbose", "report"), ("--no-color", "cache list")])
def test_an_option_of_every_verb_is_shown_its_place(option, verb):
    done = firststep(*verb.split(), option)
    assert done.returncode == USAGE
    assert f"{option} is said before the verb" in done.stderr and f"next: firststep {option} {verb}" in done.stderr


@pytest.mark.parametrize(("verb", "option"), [("record", "-o"), ("record", "--json"), ("prove", "--json"), ("prove", "--markdown"),
                                              ("check", "--junit"), ("history", "--html"), ("bug", "-o"),
                                              ("report", "--html"), ("report", "-o")])
def test_two_hyphens_are_the_name_of_no_file(tmp_path, verb, option):
    done = firststep(verb, option, "--", "train.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert option in done.stderr and "the name of the file is missing before --" in done.stderr
    assert not list(tmp_path.iterdir())


def test_quiet_says_nothing_but_errors(tmp_path):
    trace = tmp_path / "a.trace"
    done = firststep("-q", "record", "-o", str(trace), "--", sys.executable, "-c", "print('ran')")
    assert (done.stdout, done.stderr) == ("ran\n", "") and trace.exists()
    done = firststep("-q", "boost", "--", sys.executable, "-c", "print('ran')", env={**os.environ, "FIRSTSTEP_CACHE": str(tmp_path / "c")})
    assert (done.stdout, done.stderr) == ("ran\n", "")
    assert "cannot read" in firststep("-q", "report", str(tmp_path / "none.trace")).stderr
    assert firststep("-q", "-v", "report").returncode == USAGE


def on_a_terminal(words, environment):
    """What a terminal is shown."""
    shown = b""
    own, other = pty.openpty()
    with subprocess.Popen([*FIRSTSTEP, *words], stdout=other, stderr=other, env=environment):
        os.close(other)
        while True:
            try:
                part = os.read(own, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
    os.close(own)
    return shown


def test_no_color_prints_no_colours(tmp_path):
    trace = tmp_path / "a.trace"
    firststep("record", "-o", str(trace), "--", sys.executable, "-c", "import json")
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    environment["TERM"] = "xterm-256color"
    coloured = on_a_terminal(["report", str(trace)], environment)
    plain = on_a_terminal(["--no-color", "report", str(trace)], environment)
    assert any(f"\x1b[{style}{code}m".encode() in coloured for style in ("", "1;") for code in range(31, 37))
    assert not any(f"{code}m".encode() in plain.replace(b"\x1b[1m", b"").replace(b"\x1b[2m", b"").replace(b"\x1b[0m", b"")
                   for code in (f"[{number}" for number in range(31, 37)))


def test_verbose_tells_why_a_run_is_not_in_the_history(tmp_path):
    (tmp_path / "state").write_text("no folder")
    environment = {name: value for name, value in os.environ.items() if name != "FIRSTSTEP_HISTORY"}
    environment["XDG_STATE_HOME"] = str(tmp_path / "state")
    words = ("record", "-o", str(tmp_path / "a.trace"), "--", sys.executable, "-c", "pass")
    assert "the history does not have this run" in firststep("-v", *words, env=environment).stderr
    assert "the history" not in firststep(*words, env=environment).stderr
