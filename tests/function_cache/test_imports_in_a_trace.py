"""Modules that a trace is the first to import, as `tf.summary` does TensorBoard."""

import pytest
from replay_harness import check_replayed, check_same, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow]

IMPORTS = """
import sys
import tensorflow as tf

w = tf.Variable(2.0)


@tf.function
def step(x):
    import colorsys
    from wsgiref import util
    return w * x * colorsys.ONE_THIRD + len(util.shift_path_info({"SCRIPT_NAME": "", "PATH_INFO": "/abc"}))


print("colorsys" in sys.modules, "wsgiref.util" in sys.modules)
print(float(step(tf.constant(3.0))))
print("colorsys" in sys.modules, "wsgiref.util" in sys.modules)
"""


@pytest.mark.suite
def test_modules_that_a_trace_imports_first_are_imported_before_an_answer(lab):  # noqa: F811
    ran = lab(IMPORTS)
    check_replayed(ran, ["step"])


@pytest.mark.suite
def test_a_module_that_cannot_be_imported_any_more_means_the_plain_way(lab):  # noqa: F811
    laboratory = lab(IMPORTS)
    for _ in range(2):
        laboratory.boost()
    program = laboratory.program.read_text()
    laboratory.program.write_text("import sys\nsys.modules['wsgiref.util'] = None\n" + program.replace(
        "print(float(step(tf.constant(3.0))))",
        "try:\n    step(tf.constant(3.0))\nexcept Exception as error:\n    print('cannot', type(error).__name__)"))
    plain, boosted = laboratory.plain(), laboratory.boost()
    assert boosted.out == plain.out and "cannot" in plain.out and boosted.functions("live") == []


PACKAGE = """
import os
LONGEST = max(map(len, os.environ))
class Once(type):
    def __init__(self, *words):
        self.process = os.getpid()
class Made(metaclass=Once):
    names = sorted(os.listdir(os.path.dirname(__file__)))[:1]
SCALE = 3.0
def scaled(x):
    return x * SCALE
"""

INSTALLED = """
import os, sys
import tensorflow as tf

site = os.path.join(os.path.dirname(os.path.abspath(__file__)), "site-packages")
sys.path.append(site)
w = tf.Variable(2.0)


@tf.function
def step(x):
    import other_library
    return other_library.scaled(x) * w


print(float(step(tf.constant(3.0))))
print("other_library" in sys.modules, sys.modules["other_library"].Made.process == os.getpid())
"""


def installed(laboratory, text):
    package = laboratory.program.parent / "site-packages" / "other_library"
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_text(text)


@pytest.mark.suite
def test_what_an_installed_module_asks_of_the_machine_it_asks_again(lab):  # noqa: F811
    laboratory = lab(INSTALLED)
    installed(laboratory, PACKAGE)
    check_replayed(laboratory, ["step"])
    installed(laboratory, PACKAGE.replace("3.0", "5.25"))
    plain, boosted = laboratory.plain(), laboratory.boost()
    assert boosted.out == plain.out and "31.5" in plain.out and boosted.functions("live") == []


OWN = """
import importlib, os, sys
import tensorflow as tf

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
w = tf.Variable(2.0)


@tf.function
def step(x):
    return load().scaled(x) * w


@tf.autograph.experimental.do_not_convert
def load():
    return importlib.import_module("settings_of_it")


print(float(step(tf.constant(3.0))))
"""


@pytest.mark.suite
def test_a_module_of_the_programs_own_is_none_of_an_answers(lab):  # noqa: F811
    """However it is imported."""
    laboratory = lab(OWN)
    (laboratory.program.parent / "settings_of_it.py").write_text("print('imported')\nSCALE = 3.0\ndef scaled(x):\n    return x * SCALE\n")
    ran = check_same(laboratory, [])
    assert "settings_of_it" in " ".join(map(str, ran.reasons("refused"))), ran.notes
