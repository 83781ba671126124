"""A TensorFlow that nobody has tried: remedies that rest on its inside refuse, a line says what was not done or not seen, and the
program runs as it would plainly."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from circumstances import packages_of
from programs import TARGET, tensorflow_version

pytestmark = pytest.mark.tensorflow

BOUND = ("run-operations-directly", "prebuild-variables", "cache-functions", "defer-source-lines", "memoise-signatures",
         "presize-data-stack")
IN_PART = ("memoise-signatures", "presize-data-stack")  # the rest of them rests on Python alone
PROGRAM = """
import tensorflow as tf
from tensorflow.python.framework import versions
w = tf.Variable([1.0, 2.0])
optimizer = tf.keras.optimizers.Adam()

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * x - 1.0) ** 2)
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss

for _ in range(3):
    print(step(tf.ones([2])).numpy(), w.numpy())
print(versions.__version__)
raise SystemExit(3)
"""
UNKNOWN = "TensorFlow 2.99 is not known: it was tried on 2.15 to 2.21"
LACKING = "tensorflow.python.saved_model.function_deserialization.load_function_def_library"


def links(real, made):
    """A folder like `real`, of symbolic links; what is compiled for it is its own."""
    made.mkdir(parents=True)
    for entry in os.scandir(real):
        if entry.name != "__pycache__":
            (made / entry.name).symlink_to(entry.path)


def edit(made, path, more):
    """Makes the file `path` of a folder of links the folder's own, with `more` at its end."""
    for folder in reversed(Path(path).parents[:-1]):
        if (made / folder).is_symlink():
            real = (made / folder).readlink()
            (made / folder).unlink()
            links(real, made / folder)
    text = (made / path).read_text()
    (made / path).unlink()
    (made / path).write_text(text + more)


@pytest.fixture
def pretend(tmp_path):
    """pretend(metadata, own): the environment of a TensorFlow that says that it is 2.99, in its metadata, of itself, or both."""
    folder = tmp_path / "pretended"

    def make(metadata=True, own=True):
        links(packages_of(TARGET) / "tensorflow", folder / "tensorflow")
        told = "2.99.0" if metadata else ".".join(map(str, tensorflow_version())) + ".0"
        (folder / f"tensorflow-{told}.dist-info").mkdir()
        (folder / f"tensorflow-{told}.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tensorflow\nVersion: {told}\n")
        if own:
            edit(folder / "tensorflow", "python/framework/versions.py", "\n__version__ = '2.99.0'\n")
        return {**os.environ, "PYTHONPATH": str(folder), "FIRSTSTEP_CACHE": str(tmp_path / "cache"),
                "TF_CPP_MIN_LOG_LEVEL": "3", "XDG_STATE_HOME": str(tmp_path / "state")}

    return make


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return str(path)


def run(environment, *command):
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def firststep(environment, *words):
    return run(environment, sys.executable, "-m", "firststep.cli", *words)


TOLD = [(True, True), *(pytest.param(*one, marks=pytest.mark.suite) for one in ((True, False), (False, True)))]


@pytest.mark.parametrize("metadata,own", TOLD)
def test_remedies_refuse_and_the_program_runs(program, pretend, metadata, own):
    environment = pretend(metadata, own)
    plain = run(environment, TARGET, program)
    assert plain.returncode == 3 and ("2.99" in plain.stdout) is own, plain.stderr

    def boost(*options):
        ran = firststep(environment, "boost", "--explain", *options, "--", TARGET, program)
        assert (ran.returncode, ran.stdout) == (3, plain.stdout), ran.stderr
        return ran.stderr

    said = boost()
    (line,) = [line for line in said.splitlines() if line.startswith("firststep: TensorFlow 2.99 is not known")]
    assert line == f"firststep: {UNKNOWN}; {len(BOUND)} remedies are off ({', '.join(named(line))}; `--untested-versions` allows them)"
    assert sorted(named(line)) == sorted(f"{remedy} in part" if remedy in IN_PART else remedy for remedy in BOUND)
    for remedy in BOUND:
        told = said.partition(f"\n  {remedy}: ")[2].splitlines()[1:4]
        assert any("refused: TensorFlow 2.99 is not known" in one for one in told), (remedy, told)
    assert "TensorFlow 2.99 is not known" in firststep(environment, "doctor", "--", TARGET).stdout
    if metadata and own:
        allowed = boost("--untested-versions")
        assert "is not known" not in allowed
        assert "live (registrations" in allowed


CODE = """
import inspect
import tensorflow as tf
from tensorflow.python.eager.polymorphic_function import tracing_compilation
print(inspect.unwrap(tracing_compilation._create_concrete_function).__code__.co_stacksize)
"""


def test_no_function_of_it_has_other_code(program, pretend):
    environment = pretend()
    Path(program).write_text(CODE)
    plain = run(environment, TARGET, program)
    for more in ((), ("--only", "presize-data-stack")):
        ran = firststep(environment, "boost", *more, "--", TARGET, program)
        assert ran.stdout == plain.stdout and "presize-data-stack" in ran.stderr, ran.stderr
    if sys.version_info >= (3, 11) and sys.executable == TARGET:
        allowed = firststep(environment, "boost", "--untested-versions", "--only", "presize-data-stack", "--", TARGET, program)
        assert int(allowed.stdout) > 30_000, allowed.stderr


@pytest.mark.parametrize("metadata,own", TOLD)
def test_record_and_report_say_what_may_have_been_overlooked(program, pretend, tmp_path, metadata, own):
    environment = pretend(metadata, own)
    plain = run(environment, TARGET, program)
    recorded = firststep(environment, "record", "-o", str(tmp_path / "a.trace"), "--", TARGET, program)
    assert (recorded.returncode, recorded.stdout) == (plain.returncode, plain.stdout), recorded.stderr
    reported = firststep(environment, "report", str(tmp_path / "a.trace"))
    assert reported.returncode == 0, reported.stderr
    for said in (recorded.stderr, reported.stdout):
        assert unbroken(said).count(unbroken(f"{UNKNOWN}; what it does in other places was not seen")) == 1, said
        assert "from start to the end of its first training step" in said  # and the start is told as always


def test_a_place_that_is_not_there_is_named(program, pretend, tmp_path):
    environment = pretend()
    name = LACKING.rpartition(".")[2]
    edit(tmp_path / "pretended/tensorflow", "python/saved_model/function_deserialization.py", f"\nmoved = {name}\ndel {name}\n")
    plain = run(environment, TARGET, program)
    recorded = firststep(environment, "record", "-o", str(tmp_path / "a.trace"), "--", TARGET, program)
    assert (recorded.returncode, recorded.stdout) == (plain.returncode, plain.stdout), recorded.stderr
    assert unbroken(f"was not seen; not watched, for it is not there: {LACKING}") in unbroken(recorded.stderr)


@pytest.mark.suite
def test_prove_compares_what_is_left_and_says_which_remedies_refused(program, pretend, tmp_path):
    environment = pretend()
    Path(program).write_text(PROGRAM.replace("raise SystemExit(3)", ""))
    proved = firststep(environment, "prove", "--runs", "1", "--markdown", str(tmp_path / "a.md"), "--", TARGET, program)
    said = (tmp_path / "a.md").read_text()
    (names,) = re.findall(rf"^- (.+) refused: {re.escape(UNKNOWN)}", said, re.M)
    assert sorted(names.split(", ")) == sorted(BOUND)
    assert "the same results" in proved.stdout and "different" not in said, proved.stdout


def unbroken(text):
    """A text without its line ends, which may stand within a long word, and without its blanks."""
    return "".join(text.split())


def named(line):
    """The remedies that a line names."""
    return line.partition("(")[2].partition(";")[0].split(", ")
