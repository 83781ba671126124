"""A whole model is loaded from HDF5.

Symptom: `load_model("….h5")` takes seconds before the first prediction.

Why: an `.h5` file of a whole model is Keras's legacy format. The model is rebuilt from its configuration, every
variable is initialised and then overwritten, array by array, by one thread, and training state is restored that a
prediction never needs.

Confirmed by: `firststep record`, which shows the bytes, the MB/s and what building, initialising and reading took. In
source, `load_model` of a path whose literal end is one of ENDINGS.

Remedy: save it once as `.keras` (`model.save("model.keras")`); for predictions only, load with `compile=False`, or load
the weights alone into a model that the program builds.

Source: Keras's guide "Serialization and saving", which calls HDF5 legacy; the document "Why does TensorFlow model
initialization take so long?".

Fix: none; the file has to be converted first.
"""

from __future__ import annotations

from collections.abc import Iterator

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program, Setting
from firststep.lint.program.values import argument, ending

WORDS = (".h5", ".hdf5", ".H5")
ENDINGS = (".h5", ".hdf5")
LEFT_ALONE = (".weights.h5",)  # weights alone, which is Keras 3's own format for them


def concerns(text: str, setting: Setting) -> bool:
    return not setting.is_test  # what is tested is that the format can be read


def check(program: Program) -> Iterator[LintFinding]:
    for call in program.calls("keras.models.load_model"):
        end = ending(program, argument(call, 0, "filepath")).lower()
        if end.endswith(ENDINGS) and not end.endswith(LEFT_ALONE):
            message = "`load_model` of HDF5, the legacy format: rebuilt, initialised and restored array by array"
            yield program.finding(__name__, call, message, "save it once as `.keras`; add `compile=False` where it only predicts")
