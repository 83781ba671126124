"""`firststep lint` as users call it: forms of output, settings, comments, files that are none, exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from programs import FIRSTSTEP

ROOT = Path(__file__).parents[2]
CHURN = "import tensorflow.compat.v1 as tf\nfor i in range(9):\n    with tf.Session() as sess:\n        sess.run(y)\n"
LOOP = "import tensorflow as tf\nfor i in range(9):\n    @tf.function\n    def f(x):\n        return tf.abs(x)\n    f(tf.ones([i]))\n"
CLEAN = "import tensorflow as tf\nprint(tf.constant(1))\n"


@pytest.fixture
def lint(tmp_path):
    def run(*words, **options):
        return subprocess.run([*FIRSTSTEP, "lint", *map(str, words)], capture_output=True, text=True, cwd=tmp_path, timeout=120, **options)

    return run


def test_exit_codes_and_text(lint, write):
    write("a.py", CHURN)
    write("b.py", CLEAN)
    assert (lint("b.py").returncode, lint("b.py").stdout) == (0, "nothing found\n")
    found = lint()
    assert found.returncode == 1
    assert found.stdout.startswith("a.py:3:10: session-churn a session is made in every round")
    assert found.stdout.endswith("1 finding in 1 file\n")
    missing = lint("a.py", "none.py")
    assert missing.returncode == 2
    assert missing.stderr == "firststep: none.py: No such file or directory\n"
    assert lint("--format", "xml").returncode == 2
    assert lint("--select", "nothing").returncode == 2


def test_fixable_is_what_a_fix_can_be_made_of(lint, write):
    """libcst does not parse what Python does, or would change more than is meant."""
    write("a.py", LOOP)
    write("b.py", "class A(B, metaclass=C, *D): pass\n" + LOOP)
    write("c.py", "\f" + LOOP)
    assert lint().stdout.splitlines()[-1] == "3 findings in 3 files, 1 fixable with --fix"
    assert [one["fix"] is None for one in json.loads(lint("--format", "json").stdout)["findings"]] == [False, True, True]
    assert lint("--fix").stdout.splitlines()[-1] == "1 fix made, 2 findings in 2 files"


def test_json(lint, write):
    write("a.py", CHURN)
    write("b.py", "import tensorflow as tf\ndef (\nfor x in range(9): tf.Session()\n")
    told = json.loads(lint("--format", "json").stdout)
    assert told["schema"] == 1
    (finding,) = told["findings"]
    assert (finding["rule"], finding["path"], finding["line"], finding["column"]) == ("session-churn", "a.py", 3, 10)
    assert (finding["end_line"], finding["end_column"], finding["fix"]) == (3, 22, None)
    (error,) = told["errors"]
    assert (error["path"], error["line"]) == ("b.py", 2)


def test_sarif(lint, write):
    write("a b.py", CHURN)
    write("c.py", "import tensorflow\nSession(\n")
    told = json.loads(lint("--format", "sarif").stdout)
    assert told["version"] == "2.1.0"
    (run,) = told["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "session-churn"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.py"
    assert place["region"]["startLine"] == 3
    assert run["invocations"][0]["executionSuccessful"] is False


def test_github(lint, write):
    write("a,b.py", CHURN)
    (line,) = lint("--format", "github").stdout.splitlines()
    assert line.startswith("::warning title=firststep (session-churn),file=a%2Cb.py,line=3,endLine=3,col=10,endColumn=22::a,b.py:3:10:")


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_every_form_of_nothing(lint, write, form):
    write("a.py", CLEAN)
    assert lint("--format", form).returncode == 0


def test_comments_silence(lint, write):
    place = "as sess:"
    write("all.py", CHURN.replace(place, place + "  # firststep: ignore"))
    write("returns.py", CHURN.replace(place, place + "  # firststep: ignore").replace("\n", "\r"))
    write("one.py", CHURN.replace(place, place + "  # why  # firststep: ignore[session-churn]"))
    write("file.py", CHURN + "# firststep: ignore-file[session-churn]\n")
    assert lint().stdout == "nothing found\n"
    write("other.py", CHURN.replace(place, place + "  # firststep: ignore[growing-graph]"))
    write("text.py", CHURN.replace("sess.run(y)", "print('# firststep: ignore')"))
    write("wrong.py", CHURN.replace(place, place + "  # firststep: ignore[sessions]"))
    write("verb.py", CHURN.replace(place, place + "  # firststep: skip"))
    write("empty.py", CHURN.replace(place, place + "  # firststep: ignore[]"))
    write("bare.py", CHURN.replace(place, place + "  # firststep: ignore session-churn"))
    write("open.py", CHURN.replace(place, place + "  # firststep: ignore[session-churn"))
    write("because.py", CHURN.replace(place, place + "  # firststep: ignore because it is a test"))
    told = lint()
    assert told.returncode == 1
    assert told.stdout.count("session-churn") == 6
    assert "open.py:3: `ignore[` has no `]`: it silences nothing" in told.stderr
    assert "empty.py:3: `ignore[]` names no rule" in told.stderr
    assert "bare.py:3: `ignore session-churn` silences every rule: `ignore[session-churn]` names one" in told.stderr
    assert "because.py" not in told.stderr
    assert "wrong.py:3: `ignore[sessions]` names no rule" in told.stderr
    assert "verb.py:3: `firststep: skip` is not known" in told.stderr


def test_settings(lint, write):
    write("a.py", CHURN)
    write("lib/b.py", LOOP)
    write("lib/third/c.py", LOOP)
    write("pyproject.toml", '[tool.firststep.lint]\nexclude = ["third"]\nper-file-ignores = {"a.py" = ["session-churn"]}\n')
    assert lint().stdout.count(": function-made-in-loop") == 1
    assert lint("lib/third/c.py").returncode == 0
    assert lint("--ignore", "function-made-in-loop").returncode == 0
    assert lint("--select", "session-churn,double-trace").returncode == 0
    assert lint("--exclude", "lib").returncode == 0
    assert "b.py" in lint("lib").stdout


@pytest.mark.parametrize(("text", "words"), [
    ("[tool.firststep.lint]\nselects = []\n", "`selects` is not a setting"),
    ("[tool.firststep.lint]\nselect = ['sessions']\n", "`sessions` (pyproject.toml: select) is no rule"),
    ("[tool.firststep.lint]\nexclude = 'x'\n", 'exclude = ["third_party"]'),
    ("[tool.firststep.lint]\nselect = 'session-churn'\n", "`select` is not a list of strings"),
    ("[tool.firststep.lint]\nper-file-ignores = {'tests/*' = 'x'}\n", """per-file-ignores."tests/*" = ["session-churn"]"""),
    ("[tool.firststep.lint]\nper-file-ignores = []\n", "`per-file-ignores` is not a table"),
    ("[tool.firststep.lint]\nper-file-ignores = {'a' = ['b']}\n", "`b` (pyproject.toml: per-file-ignores.a) is no rule"),
    ("[tool]\nfirststep = 1\n", "`firststep` is not a table"),
    ("[tool.firststep", "it is not TOML"),
])
def test_settings_that_are_wrong(lint, write, text, words):
    write("pyproject.toml", text)
    told = lint()
    assert told.returncode == 2
    assert words in told.stderr
    assert "Traceback" not in told.stderr


def test_stdin(lint):
    told = lint("-", "--stdin-filename", "train.py", input=CHURN)
    assert told.returncode == 1
    assert told.stdout.startswith("train.py:3:10:")
    fixed = lint("-", "--fix", input=LOOP)
    assert fixed.stdout.index("@tf.function") < fixed.stdout.index("for i")
    assert fixed.returncode == 0
    marked = lint("-", "--fix", input="\ufeff" + LOOP)
    assert marked.stdout == "\ufeff" + fixed.stdout
    assert lint("-", "--fix", "--exclude", "train.py", "--stdin-filename", "train.py", input=LOOP).stdout == LOOP
    assert lint("-", "a.py", input=CHURN).returncode == 2
    assert lint("--stdin-filename", "a.py").returncode == 2


@pytest.mark.parametrize("source", [
    LOOP.encode() + "print('é ☃')\n".encode(),
    b"# coding: latin-1\n" + LOOP.encode() + "print('\u00e9')\n".encode("latin-1"),
    LOOP.encode() + b"print('\xe9')\n",  # not valid: nothing can be fixed
    LOOP.encode() + b"\0\n",
])
def test_source_on_stdin_comes_back_in_its_own_encoding_whatever_the_terminals_is(source, tmp_path):
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    told = subprocess.run([*FIRSTSTEP, "lint", "-", "--fix"], input=source, capture_output=True, cwd=tmp_path, env=environment, timeout=120)
    assert told.stdout.splitlines()[-1] == source.splitlines()[-1], told
    assert b"Traceback" not in told.stderr


def test_fix_and_diff(lint, write, tmp_path):
    write("a.py", LOOP)
    shown = lint("--diff")
    assert shown.returncode == 1
    assert "+@tf.function" in shown.stdout
    assert (tmp_path / "a.py").read_text() == LOOP
    assert lint("--unsafe-fixes").returncode == 2
    done = lint("--fix")
    assert (done.returncode, done.stdout) == (0, "1 fix made, nothing left\n")
    assert (tmp_path / "a.py").read_text() != LOOP
    assert lint("--diff").returncode == 0


BAD = {
    "syntax.py": b"import tensorflow\nSession(\n",
    "python2.py": b"import tensorflow as tf\nfor i in range(9):\n    print tf.Session()\n",
    "null.py": b"import tensorflow\0\n",
    "latin.py": b"import tensorflow # \xe9\n",
    "utf16.py": "import tensorflow".encode("utf-16"),
    "coding.py": b"# coding: martian\nimport tensorflow\n",
    "rot.py": b"# coding: rot13\nimport tensorflow\n",
    "hex.py": b"# coding: hex\nimport tensorflow\n",
    "huge.py": b"import tensorflow\n" + b"x = 1\n" * 400_000,
    "deep.py": b"import tensorflow\nSession = " + b"(" * 50_000 + b")" * 50_000,
    "long.py": b"import tensorflow\nSession = " + b"1+" * 100_000 + b"1",
    "unary.py": b"import tensorflow\nSession = " + b"-" * 100_000 + b"1",
    "dots.py": b"import tensorflow as tf\nfor i in range(9):\n    tf.Session" + b".a" * 40_000 + b"()\n",
    "surrogate.py": b"import tensorflow\nSession = '\\ud800'\n\xed\xa0\x80\n",
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_told_in_a_line(lint, tmp_path, name):
    (tmp_path / name).write_bytes(BAD[name])
    (tmp_path / "good.py").write_text(CHURN)
    told = lint()
    assert told.returncode == 2
    assert len(told.stderr.splitlines()) == 1
    assert told.stderr.startswith(f"firststep: {name}")
    assert told.stdout.startswith("good.py:3:10:")


def test_strange_files(lint, tmp_path):
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "folder.py" / "a.py").write_text(CHURN)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "self.py").symlink_to(tmp_path / "self.py")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "note.ipynb").write_text("{}")
    for folder in (".git", ".venv", "build", "__pycache__", "mine"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "b.py").write_text(CHURN)
    (tmp_path / "mine" / "pyvenv.cfg").write_text("")
    told = lint()
    assert told.returncode == 2
    assert [line.split(":")[0] for line in told.stdout.splitlines()] == ["folder.py/a.py", "1 finding in 1 file"]
    assert sorted(line.split(":")[1].strip() for line in told.stderr.splitlines()) == [".", "gone.py", "pipe.py", "self.py"]
    assert lint(".venv").returncode == 1


def test_an_unreadable_file(lint, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    (tmp_path / "a.py").write_text(CHURN)
    (tmp_path / "a.py").chmod(0)
    assert "Permission denied" in lint().stderr


def test_names_with_control_sequences_are_cleaned(lint, tmp_path):
    (tmp_path / "\x1b[31mred\n.py").write_text(CHURN)
    (tmp_path / os.fsdecode(b"\xff.py")).write_text(CHURN)
    for form in ("text", "github"):
        told = lint("--format", form)
        assert told.returncode == 1
        assert "\x1b" not in told.stdout + told.stderr
        assert told.stdout.count("session-churn") >= 2
    assert len(json.loads(lint("--format", "json").stdout)["findings"]) == 2
    assert len(json.loads(lint("--format", "sarif").stdout)["runs"][0]["results"]) == 2


def test_the_source_line_and_an_arrow_on_a_terminal():
    from firststep.lint.check import check_text
    from firststep.lint.rules import all_rules
    from firststep.lint.run import LintedFile
    from firststep.lint.show.text import show

    text = CHURN.replace("    with tf.Session()", "\t\u4f60 = tf.Session()").replace(" as sess:", "  # \x1b[31m\u202e")
    text = text.replace("    ", "\t").replace("\t\tsess", "\tsess")
    lines = show([LintedFile(check_text("a.py", text, all_rules()))], terminal=True).splitlines()
    assert lines[1] == "  3 |     \u4f60 = tf.Session()  # \\x1b[31m\\u202e"
    assert lines[2] == "    |          ^^^^^^^^^^^^"


def test_the_readers_of_stdout_may_go(write, tmp_path):
    write("a.py", CHURN)
    done = subprocess.run(f"'{FIRSTSTEP[0]}' {' '.join(FIRSTSTEP[1:])} lint | true", shell=True, capture_output=True,
                          text=True, cwd=tmp_path)
    assert done.stderr == ""


def test_the_page_is_up_to_date():
    from firststep.lint.page import page

    assert (ROOT / "docs/lint.md").read_text() == page()


def test_the_example_of_the_page_is_what_is_printed():
    example = (ROOT / "docs/lint.md").read_text().partition("```\n$ firststep lint ")[2].partition("\n```")[0]
    path, *shown = example.splitlines()
    printed = subprocess.run([*FIRSTSTEP, "lint", path], capture_output=True, text=True, cwd=ROOT, timeout=120).stdout.splitlines()
    assert len(shown) == len(printed) and all(line.startswith(part.removesuffix("…")) for line, part in zip(printed, shown, strict=True))


def test_the_hook_runs_as_pre_commit_runs_it(write, tmp_path):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["id"] == "firststep-lint"
    verb, *words = hook["entry"].split()
    assert verb == "firststep"
    write("a.py", CHURN)
    write("b.py", CLEAN)
    for files, code in ((["a.py", "b.py"], 1), (["b.py"], 0)):
        done = subprocess.run([*FIRSTSTEP, *words, *hook.get("args", []), *files], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == code


def test_the_command_starts_without_lint():
    code = "import sys, firststep.cli\nprint([name for name in sys.modules if 'lint' in name or 'libcst' in name])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_libcst_is_loaded_where_there_is_something_to_fix_alone(write, tmp_path):
    code = ("import sys\nfrom firststep.lint.run import lint, Wish\nfrom firststep.lint.settings import LintSettings\n"
            "print(len(list(lint(['.'], LintSettings('.'), Wish()))), 'libcst' in sys.modules, 'tensorflow' in sys.modules)")
    for text, told in ((CLEAN, "1 False False\n"), (LOOP, "1 True False\n")):
        write("a.py", text)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
        assert done.stdout == told


def test_the_zoo_is_checked_without_trouble(lint):
    told = json.loads(lint("--format", "json", ROOT / "zoo").stdout)
    assert told["errors"] == []
    where = {(Path(finding["path"]).name, finding["rule"]) for finding in told["findings"]}
    assert {("v1_reinitialise.py", "session-churn"), ("retracing.py", "function-retracing"),
            ("shuffle_after_map.py", "shuffle-buffer-fill"),
            ("_measurements.py", "unused-heavy-import"), ("example1_inefficient.py", "repeated-initialisation")} <= where
    silent = {"keras_mlp.py", "resnet50.py", "text_transformer.py", "v1_session.py", "gan.py", "image_pipeline.py", "bidirectional_lstm.py"}
    assert not silent & {name for name, _ in where}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_fixed_file_keeps_its_owner_and_its_other_names(lint, write, tmp_path):
    text = "import tensorflow as tf\nmodel.compile(tf.keras.optimizers.Adam(), run_eagerly=True)\n"
    owned, linked = (Path(write(name, text)) for name in ("owned.py", "linked.py"))
    os.chown(owned, 12345, 12345)
    os.chmod(owned, 0o640)
    os.link(linked, tmp_path / "other name.py.txt")
    lint("--fix", "--unsafe-fixes", str(owned), str(linked))
    status = os.stat(owned)
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (12345, 12345, 0o640)
    assert "run_eagerly" not in owned.read_text()
    assert "run_eagerly" not in (tmp_path / "other name.py.txt").read_text() and os.stat(linked).st_nlink == 2
    assert sorted(each.name for each in tmp_path.iterdir() if each.name.startswith(".")) == []
