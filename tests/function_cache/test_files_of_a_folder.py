"""Starts in folders of their own, each with its settings: a file that is named as seen from there is this start's."""

import pytest
from replay_harness import lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow]

READS = """
import json, os
import tensorflow as tf

with open("where") as named:
    os.chdir(named.read())
del named


@tf.function
def step(x):
    with open("settings.json") as file:
        return x * json.load(file)["scale"]


print(float(step(tf.constant(2.))))
"""


@pytest.mark.suite
def test_the_file_of_another_folder_is_another_file(lab):  # noqa: F811
    laboratory = lab(READS)

    def started_in(run, scale):
        folder = laboratory.program.parent / run
        folder.mkdir(exist_ok=True)
        (folder / "settings.json").write_text(f'{{"scale": {scale}}}')
        (laboratory.program.parent / "where").write_text(run)
        ran = laboratory.boost()
        assert ran.out == f"{2 * scale}\n", ran.notes
        return ran

    started_in("one", 3.0)
    started_in("two", 3.0)
    assert started_in("three", 3.0).functions("live") == ["step"]
    assert started_in("four", 5.0).functions("live") == []
