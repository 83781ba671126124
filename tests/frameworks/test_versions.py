"""A TensorFlow that nobody has tried: remedies that rest on its inside refuse, say so, and the program runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import TARGET, tensorflow_version

pytestmark = pytest.mark.tensorflow

BOUND = ("run-operations-directly", "prebuild-variables", "cache-functions", "defer-source-lines", "memoise-signatures")
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
"""


def site_packages():
    ask = "import sysconfig; print(sysconfig.get_path('platlib'))"
    return Path(subprocess.run([TARGET, "-c", ask], capture_output=True, text=True, check=True).stdout.strip())


def links(real, made, deeper=()):
    """A folder like `real`, of symbolic links; its subfolder deeper[0] again a folder of links, and so on."""
    made.mkdir(parents=True)
    for entry in os.scandir(real):
        if not deeper or entry.name != deeper[0]:
            (made / entry.name).symlink_to(entry.path)
    if deeper:
        links(real / deeper[0], made / deeper[0], deeper[1:])


@pytest.fixture
def pretend(tmp_path):
    """pretend(metadata, own): a folder for PYTHONPATH, whose TensorFlow says that it is 2.99."""

    def make(metadata, own):
        real, folder = site_packages(), tmp_path / "pretended"
        links(real / "tensorflow", folder / "tensorflow", ("python", "framework"))
        told = "2.99.0" if metadata else ".".join(map(str, tensorflow_version())) + ".0"
        (folder / f"tensorflow-{told}.dist-info").mkdir()
        (folder / f"tensorflow-{told}.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tensorflow\nVersion: {told}\n")
        if own:
            versions = folder / "tensorflow" / "python" / "framework" / "versions.py"
            text = versions.read_text()
            versions.unlink()
            versions.write_text(text + "\n__version__ = '2.99.0'\n")
        return str(folder)

    return make


@pytest.mark.parametrize("metadata,own", [(True, True), (True, False), (False, True)])
def test_remedies_refuse_and_the_program_runs(tmp_path, pretend, metadata, own):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    environment = {**os.environ, "PYTHONPATH": pretend(metadata, own), "FIRSTSTEP_CACHE": str(tmp_path / "cache"),
                   "TF_CPP_MIN_LOG_LEVEL": "3", "XDG_STATE_HOME": str(tmp_path / "state")}
    plain = subprocess.run([TARGET, str(program)], env=environment, capture_output=True, text=True, check=True)
    assert ("2.99" in plain.stdout) is own

    def boost(*options):
        command = [sys.executable, "-m", "firststep.cli", "boost", "--explain", *options, "--", TARGET, str(program)]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert ran.stdout == plain.stdout
        return ran.stderr

    said = boost()
    (line,) = [line for line in said.splitlines() if line.startswith("firststep: TensorFlow 2.99 is not known")]
    assert line.endswith(f"it was tried on 2.15 to 2.21; {len(BOUND)} remedies are off ({', '.join(named(line))}; "
                         "`--untested-versions` allows them)")
    assert sorted(named(line)) == sorted(BOUND)
    for remedy in BOUND:
        told = said.partition(f"\n  {remedy}: ")[2].splitlines()[1:4]
        assert any("refused: TensorFlow 2.99 is not known" in one for one in told), (remedy, told)
    doctor = [sys.executable, "-m", "firststep.cli", "doctor", "--", TARGET]
    assert "TensorFlow 2.99 is not known" in subprocess.run(doctor, env=environment, capture_output=True, text=True).stdout
    if metadata and own:
        allowed = boost("--untested-versions")
        assert "is not known" not in allowed
        assert "live (registrations" in allowed


def named(line):
    """The remedies that a line names."""
    return line.partition("(")[2].partition(";")[0].split(", ")
