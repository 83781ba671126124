"""A saved classifier's first answer by TensorFlow, against LiteRT's runtime in an environment of its own, without TensorFlow."""

import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

from before_after import EXIT, Remedied
from harness import PROGRAMS, PYTHON, ROOT, wall

LITE, FULL = str(PROGRAMS / "litert.py"), str(PROGRAMS / "lite.py")


@contextlib.contextmanager
def _start():
    sys.path.insert(0, str(ROOT / "zoo"))
    from make_models import model_path

    with tempfile.TemporaryDirectory() as folder:
        saved, converted, own = model_path("classifier_saved_model"), str(Path(folder, "model.tflite")), str(Path(folder, "env"))
        wall([PYTHON, FULL, "convert", f"{saved}:{converted}"])
        subprocess.run([PYTHON, "-m", "venv", own], check=True)
        subprocess.run([f"{own}/bin/python", "-m", "pip", "install", "-q", "ai-edge-litert"], check=True)
        commands = [PYTHON, FULL, "full", saved], [f"{own}/bin/python", LITE, converted]
        for command in commands:
            wall(command)
        yield tuple(lambda command=command: wall(command) for command in commands)


CASE = Remedied(("framework-larger-than-needed",), "benchmarks/programs/lite.py, a saved classifier of 13 MB,",
                "the converted model by ai-edge-litert", EXIT, _start, 4, 5)
