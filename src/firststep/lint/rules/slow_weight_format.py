"""Weights are loaded out of a `.keras` file.

Symptom: `load_weights("….keras")` takes several times as long as `load_model` of the same file.

Why: a `.keras` file is a zip file with an HDF5 file of weights in it. `load_model` takes it out first; `load_weights` reads
it inside of the zip, which has to be unpacked from its beginning again for each place that is gone back to.

Confirmed by: `firststep record`, which shows the bytes and the MB/s. Measured with Keras 3.15: a ResNet50's weights in 4.7 s
out of `.keras`, in 1.1 s from `.weights.h5` with the making of the model; a `load_model` of the `.keras` file took 1.3 s,
of the same as `.h5` 1.1 s, so whole models in HDF5 are no finding. In source, `load_weights` of a path whose literal end is
`.keras`.

Remedy: save the weights alone once (`model.save_weights("model.weights.h5")`) and load those; or load the whole model.

Source: keras-team/keras#19793; docs/myths.md, on the format `.h5`.

Fix: none; the file has to be converted first.
"""

from __future__ import annotations

from collections.abc import Iterator

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program, Setting
from firststep.lint.program.values import argument, ending

WORDS = ("load_weights",)
ENDING = ".keras"


def concerns(text: str, setting: Setting) -> bool:
    return not setting.is_test  # what is tested is that the format can be read


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.method_calls("load_weights"):
        if ending(program, argument(call, 0, "filepath")).lower().endswith(ENDING):
            yield program.finding(__name__, call, "weights are read within a `.keras` file, which is unpacked again and again",
                                  "save them alone once (`.weights.h5`), or load the whole model")
