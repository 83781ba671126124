"""Budgets as people write them, and as they should not."""

import pytest

from firststep.check.settings import Budget, chosen, settings
from firststep.errors import FirststepError
from firststep.exit_codes import USAGE

GOOD = """
baseline = "kept/base.json"
[programs.train]
command = "python 'my train.py' --small"
until = "step:3"
runs = 6
timeout = "2 min"
stop = false
time = { total = "4.5 s", "native-libraries" = "800 ms", imports = "baseline", tracing = 2 }
counts = { modules = 3000, traces = "baseline" }
findings = { default = "off", double-trace = "error", gc-during-startup = "warn" }
[programs.serve]
command = ["python", "serve.py"]
"""


def read(tmp_path, text, name="firststep.toml"):
    path = tmp_path / name
    path.write_text(text)
    return settings(path)


def test_everything_that_can_be_said(tmp_path):
    known = read(tmp_path, GOOD)
    train, serve = known.budgets
    assert train == Budget("train", ("python", "my train.py", "--small"), "step:3", 6, 120.0, False,
                           {"total": 4.5, "native libraries": 0.8, "imports": None, "tracing": 2.0}, {"modules": 3000, "traces": None},
                           {"default": "off", "double-trace": "error", "gc-during-startup": "warn"})
    assert (serve.level("anything"), train.level("anything"), train.level("double-trace")) == ("warn", "off", "error")
    assert known.baseline == tmp_path / "kept" / "base.json"
    assert chosen(known, ["serve"]) == (serve,) and chosen(known, []) == (train, serve)


def test_a_file_may_begin_with_the_mark_of_a_windows_editor(tmp_path):
    assert read(tmp_path, "\ufeff" + GOOD) == read(tmp_path, GOOD)


def test_pyproject_has_the_same_below_tool_firststep(tmp_path, monkeypatch):
    inside = tmp_path / "deep" / "inside"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    (tmp_path / "deep" / "pyproject.toml").write_text("[tool.firststep.lint]\nignore = []\n")  # has no budgets
    (tmp_path / "pyproject.toml").write_text('[tool.firststep.programs.a]\ncommand = "python a.py"\n[tool.firststep.lint]\nignore = []\n')
    assert settings(None).budgets[0].command == ("python", "a.py")
    (tmp_path / "deep" / "firststep.toml").write_text('[programs.b]\ncommand = "python b.py"\n')
    assert settings(None).budgets[0].name == "b"


def test_two_files_of_one_folder_that_set_budgets_are_refused(tmp_path, monkeypatch):
    """One would win, and what the other says be kept by nobody. Which, can be said."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "firststep.toml").write_text('[programs.b]\ncommand = "python b.py"\n')
    shared = tmp_path / "pyproject.toml"
    shared.write_text('[tool.firststep.programs.a]\ncommand = "python a.py"\n')
    with pytest.raises(FirststepError) as refused:
        settings(None)
    assert "firststep.toml and pyproject.toml" in refused.value.title and "--config firststep.toml" in refused.value.next_step
    assert settings(shared).budgets[0].name == "a"
    shared.write_text('[tool.firststep.lint]\nselect = []\n')
    assert settings(None).budgets[0].name == "b"


@pytest.mark.parametrize(("text", "says"), [
    ("[programs.a]\ncommand = 'x'\ntime = {totl = 3}", "did you mean total"),
    ("[programs.a]\ncommand = 'x'\ncounts = {module = 3}", "did you mean modules"),
    ("[programs.a]\ncommand = 'x'\nfindings = {double-traces = 'error'}", "did you mean double-trace"),
    ("[programs.a]\ncomand = 'x'", "did you mean command"),
    ("[program.a]\ncommand = 'x'", "no `programs`"),
    ("programs = {}", "is empty"),
    ("[programs.a]\ncommand = 'x'\ntime = {total = nan}", "no time: nan"),
    ("[programs.a]\ncommand = 'x'\ntime = {total = inf}", "no time: inf"),
    ("[programs.a]\ncommand = 'x'\ntime = {total = -1}", "no time: -1"),
    ("[programs.a]\ncommand = 'x'\ntime = {total = 0}", "no time: 0"),
    ("[programs.a]\ncommand = 'x'\ntime = {total = true}", "no time: True"),
    ("[programs.a]\ncommand = 'x'\ntime = {total = '4 parsecs'}", "no time: '4 parsecs'"),
    ("[programs.a]\ncommand = 'x'\ntime = {total = []}", "no time: []"),
    ("[programs.a]\ncommand = 'x'\ntime = 3", "is not a table"),
    ("[programs.a]\ncommand = 'x'\ncounts = {modules = 1.5}", "no count: 1.5"),
    ("[programs.a]\ncommand = 'x'\ncounts = {modules = -1}", "no count: -1"),
    ("[programs.a]\ncommand = 'x'\ncounts = {modules = nan}", "no count: nan"),
    ("[programs.a]\ncommand = 'x'\nfindings = {double-trace = 'fatal'}", "'fatal'"),
    ("[programs.a]\ncommand = 'x'\nfindings = {double-trace = []}", "double-trace"),
    ("[programs.a]\ncommand = ''", "is no command"),
    ("[programs.a]\ncommand = \"'\"", "command"),
    ("[programs.a]\ncommand = [1]", "is no command"),
    ("[programs.a]", "is no command"),
    ("[programs.a]\ncommand = 'x'\nruns = 0", "runs"),
    ("[programs.a]\ncommand = 'x'\nruns = 99999", "runs"),
    ("[programs.a]\ncommand = 'x'\nstop = 'no'", "stop"),
    ("[programs.a]\ncommand = 'x'\nuntil = 3", "until"),
    ("[programs.a]\ncommand = 'x'\nuntil = 'fist-step'", "`programs.a.until`: 'fist-step' is no moment"),
    ("", "next: [programs.train]"),
    ("programs = 3", "is not a table"),
    ("programs = [", "not TOML"),
    ("[programs.a]\ncommand = 'x'\nx = " + "[" * 5000, "TOML"),
    ("baseline = 3\n[programs.a]\ncommand = 'x'", "not a path"),
])
def test_what_is_wrong_is_said_with_its_place(tmp_path, text, says):
    with pytest.raises(FirststepError) as error:
        read(tmp_path, text)
    assert error.value.exit_code == USAGE
    message = error.value.message()
    assert says in message or says == "TOML" and "nested" in message


def test_a_file_that_is_not_there_or_huge(tmp_path):
    with pytest.raises(FirststepError, match="budgets"):
        settings(tmp_path / "nothing.toml")
    with pytest.raises(FirststepError) as error:
        read(tmp_path, "#" * (2 << 20))
    assert "larger" in error.value.reason


def test_no_budget_anywhere_says_how_to_write_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FirststepError) as error:
        settings(None)
    assert "[tool.firststep.programs.train]" in error.value.message()


def test_a_program_that_there_is_none_of(tmp_path):
    with pytest.raises(FirststepError) as error:
        chosen(read(tmp_path, GOOD), ["trian"])
    assert "train, serve" in error.value.message()
