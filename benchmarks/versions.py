"""Starts of each TensorFlow that is supported: beside the newest, and what boost makes of them.

The environments are those of `make test-matrix` (`.venv-2.18` and so on in the checkout); a version without one is not measured.
"""

import subprocess

from boost_table import PRINTED
from harness import PYTHON, ROOT, Row, Table, between, interleaved, program, ratio, wall
from proving import Case, compare, own_cache

OTHERS = ("2.18", "2.16", "2.15")
HEADING = ["Python, Keras", "import, it / the newest", "import, plain / boosted", "MLP fit, plain", "boosted", "plain / boosted", "results"]
ABOUT = ("*import*: `import tensorflow`, the whole process in the first column, until it is done in the second. *MLP fit*: from spawn to "
         "the end of the first step, judged by `firststep prove`.")
WHICH = "import keras, platform; print(platform.python_version() + ',', getattr(keras, '__version__', '?'))"


def of(version):
    """measure() of the row of a version, None: the newest."""

    def measure(pairs):
        python = str(ROOT / f".venv-{version}/bin/python") if version else PYTHON
        if not (ROOT / python).exists():
            return ["not installed", *["–"] * (len(HEADING) - 1)]
        said = subprocess.run([python, "-c", WHICH], capture_output=True, text=True, check=True).stdout.strip()
        with own_cache() as cache:
            imports = compare(Case([python, *program("import_tensorflow")[1:]], PRINTED), pairs, cache)
        with own_cache() as cache:
            fit = compare(Case([python, *program("keras_mlp")[1:]]), pairs, cache)
        ready = fit.effect("ready")
        return [said, between(_beside_the_newest(python, pairs)) if version else "1", between(imports.effect("ready").ratio),
                f"{ready.plain:.2f} s", f"{ready.treated:.2f} s", between(ready.ratio), fit.results()]

    return measure


def _beside_the_newest(python, pairs):
    def imported(by):
        return lambda: wall([by, "-c", "import tensorflow"])

    return ratio(*interleaved(imported(python), imported(PYTHON), pairs))


TABLE = Table("versions", "Other versions of TensorFlow", HEADING, {
    "2.21": Row(of(None), 6, 25, 14), **{version: Row(of(version), 6, 30, 20) for version in OTHERS},
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
