"""A trace that tries to make a file and goes another way where that fails: what a child may not do shows nothing of what the trace could."""

import pytest

from replay_harness import lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

PROGRAM = """
import os, shutil, sqlite3, tempfile, zipfile
import tensorflow as tf
from pathlib import Path

def held():
    with tempfile.NamedTemporaryFile(dir="place"):
        pass


TRIES = {
    "held": held,
    "with_no_conversion": tf.autograph.experimental.do_not_convert(held),
    "temporary": lambda: tempfile.NamedTemporaryFile(dir="place"),
    "temporary_folder": lambda: tempfile.mkdtemp(dir="place"),
    "mkstemp": lambda: os.close(tempfile.mkstemp(dir="place")[0]),
    "opened": lambda: open("place/file", "w"),
    "written": lambda: Path("place/text").write_text("a"),
    "touched": lambda: Path("place/touched").touch(),
    "folder": lambda: os.mkdir("place/folder"),
    "linked": lambda: os.symlink("x", "place/link"),
    "database": lambda: sqlite3.connect("place/base").execute("create table if not exists a (b)"),
    "zipped": lambda: zipfile.ZipFile("place/zip", "w").close(),
    "records": lambda: tf.io.TFRecordWriter("place/records").close(),
    "descriptor": lambda: os.close(os.open("place/raw", os.O_CREAT | os.O_WRONLY)),
}


def function(attempt):
    def step(x):
        try:
            attempt()
            return x * 7.0
        except (OSError, sqlite3.Error, tf.errors.OpError):
            return x
    return tf.function(step)


for name, attempt in TRIES.items():
    print(name, float(function(attempt)(tf.ones(()))))
shutil.rmtree("place", ignore_errors=True)
"""


@pytest.mark.suite
def test_a_file_that_could_be_made_this_time(lab):  # noqa: F811
    laboratory = lab(PROGRAM)
    without = laboratory.plain()
    for _ in range(3):
        assert laboratory.boost().out == without.out
    place = laboratory.program.parent / "place"
    place.mkdir()
    plain = laboratory.plain()
    assert plain.out != without.out
    place.mkdir()
    assert laboratory.boost().out == plain.out


READS = """
import tensorflow as tf
import own_inspect

@tf.function
def step(x):
    return x * own_inspect.scale()

print(float(step(tf.ones(()))))
"""


@pytest.mark.suite
def test_a_module_of_the_programs_whose_name_ends_as_one_of_pythons(lab):  # noqa: F811
    laboratory = lab(READS)
    folder = laboratory.program.parent
    (folder / "own_inspect.py").write_text("def scale():\n    return float(open('scale.txt').read())\n")
    scale = folder / "scale.txt"
    scale.write_text("2.0")
    for _ in range(3):
        assert laboratory.boost().out == "2.0\n"
    scale.write_text("3.0")
    assert laboratory.boost().out == "3.0\n"
