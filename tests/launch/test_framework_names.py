"""Whether the source of a program names the framework that it imports."""

import json
import textwrap

import pytest

from firststep.launch.framework_names import framework_named, unnamed
from firststep.model.framework_named import NOWHERE, PERHAPS, USED

AT_ONCE = "import tensorflow as tf\n"


def named(folder, *more, **files):
    """What is told of these files; more: other paths."""
    paths = []
    for name, text in files.items():
        paths.append(folder / f"{name}.py")
        paths[-1].write_text(textwrap.dedent(text))
    mark = ["m", 5, "held-modules", {"holders": [], "files": [*map(str, paths), *more]}]
    return framework_named([json.dumps(mark, separators=(",", ":")) + "\n"])


@pytest.mark.parametrize("rest", [
    "with tf.io.TFRecordWriter('x') as out:\n    out.write(b'')\n",
    "for record in tf.compat.v1.io.tf_record_iterator('x'):\n    print(record)\n",
    "gfile = tf.io.gfile\n",
    "def main(): pass\nif True:\n    def other(): pass\n    other(tf)\n",
    "from keras.utils import to_categorical as one_hot\none_hot([1])\n",
    "print([tf.constant for _ in range(3)], lambda: 3)\n",
])
def test_what_runs_as_a_file_is_imported_is_a_use(tmp_path, rest):
    assert named(tmp_path, main=AT_ONCE + rest) == USED


@pytest.mark.parametrize("rest", [
    "def main():\n    tf.io.gfile.GFile('x').read()\nmain()\n",
    "def inner():\n    tf.io.gfile.GFile('x').read()\ndef outer():\n    inner()\nouter()\n",
    "class Writer:\n    def write(self):\n        tf.io.write_file('x', 'y')\nWriter()\n",
    "class Net(tf.Module): pass\n",
    "class Net:\n    kind = tf.float32\n",
    "def show(x: tf.Tensor): pass\n",
    "@command\ndef prepare():\n    tf.io.gfile.remove('x')\n",
    "def step(): tf.io.gfile.remove('x')\nglobals()['st' + 'ep']()\n",
    "exec('tf.io.gfile.remove(1)')\n",
    "from tensorflow import *\n",
    "def __getattr__(name): return tf\n",
])
def test_what_may_have_been_called_is_perhaps_one(tmp_path, rest):
    assert named(tmp_path, main=AT_ONCE + rest) == PERHAPS


@pytest.mark.parametrize("rest", [
    "print(1)\n",
    "def never():\n    return tf.abs(1)\ndef main(): return 3\nprint(main())\n",
    "class Never:\n    def write(self):\n        tf.io.write_file('x', 'y')\n",
    "tf = None\n",
    "print(getattr(print, 'x', 3))\n",
])
def test_what_nothing_calls_is_none(tmp_path, rest):
    assert named(tmp_path, main=AT_ONCE + rest) == NOWHERE
    assert named(tmp_path, main="\ufeff" + AT_ONCE + rest) == NOWHERE  # as editors on Windows write it


def test_names_go_from_file_to_file(tmp_path):
    helper = AT_ONCE + "def spectrum(x):\n    return tf.abs(x)\ndef mean(x):\n    return x\n"
    assert named(tmp_path, helper=helper, main="from helper import mean, spectrum\nmean(1)\n") == NOWHERE
    assert named(tmp_path, helper=helper, main="from helper import spectrum as s\ns(1)\n") == PERHAPS
    assert named(tmp_path, helper=helper, main="import helper\nhelper.spectrum(1)\n") == PERHAPS
    assert named(tmp_path, helper=helper, main="from helper import tf\ntf.io.gfile.remove('x')\n") == USED
    assert named(tmp_path, helper=helper, main="import helper\nhelper.tf.io.gfile.remove('x')\n") == USED


def test_what_cannot_be_read_may_name_it(tmp_path):
    (tmp_path / "mine.so").write_bytes(b"\x7fELF\0")
    for other in ("", str(tmp_path / "gone.py"), "relative.py", str(tmp_path), str(tmp_path / "mine.so"), "/dev/zero"):
        assert named(tmp_path, other, main=AT_ONCE) == PERHAPS
    assert named(tmp_path, main=AT_ONCE + "this is no Python\n") == PERHAPS
    assert named(tmp_path, "", main=AT_ONCE + "tf.io\n") == USED


@pytest.mark.parametrize("record", ['["m",5,"held-modules"', '["m",5,"held-modules",[1]]', '["m",5,"held-modules",{"files":3}]',
                                    '["m",5,"held-modules",{"holders":[]}]', "tools"])
def test_who_tells_no_files_is_not_looked_at(record):
    assert framework_named([record + "\n"]) is None


def test_of_a_process_at_work_with_a_framework_nothing_is_read(tmp_path):
    mark = json.dumps(["m", 5, "held-modules", {"files": [str(tmp_path / "a.py")]}], separators=(",", ":"))
    assert framework_named(['["s","runtime-init","x",1,2,1]\n', mark + "\n"]) is None


def test_frameworks_that_nothing_is_watched_of_are_told_by_the_source_alone(tmp_path):
    def told(text, *imported):
        (tmp_path / "main.py").write_text(text)
        mark = json.dumps(["m", 5, "held-modules", {"holders": [], "files": [str(tmp_path / "main.py")]}], separators=(",", ":"))
        return unnamed([*(f'["s","import","{one}",1,2,1]\n' for one in imported), '["s","runtime-init","x",1,2,1]\n', mark + "\n"])

    both = "import torch\nimport jax.numpy as jnp\nimport tensorflow as tf\ntf.ones(3)\n"
    assert told(both, "torch", "jax.numpy", "tensorflow") == ["torch", "jax"]
    assert told(both + "torch.ones(3)\n", "torch", "jax") == ["jax"]
    assert told(both + "def f(): return jnp.ones(3)\n", "torch", "jax") == ["torch", "jax"]
    assert told(both + "def f(): return jnp.ones(3)\nf()\n", "torch", "jax") == ["torch"]
    assert told("import tensorflow as tf\ntf.ones(3)\n", "tensorflow", "torchvision") == []
    assert unnamed(['["s","import","torch",1,2,1]\n']) == []
