"""Fixes: real programs compute the same after them, with less work; comments and formatting stay."""

import ast
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from firststep.lint.check import check_text
from firststep.lint.fix import fixed
from firststep.lint.rules import all_rules
from firststep.lint.run import LintedFile, diff
from lint.ordinary_programs import ORDINARY
from lint.programs_to_fix import PROGRAMS

HERE = Path(__file__).parent
RULES = {rule.id: rule for rule in all_rules()}
MAKE_WEIGHTS = '''
import keras
for seed, name in ((1, "imagenet"), (2, "mine")):
    keras.utils.set_random_seed(seed)
    keras.applications.MobileNetV2(input_shape=(32, 32, 3), alpha=0.35, include_top=False, weights=None).save_weights(name + ".weights.h5")
'''

QUIET_STEP = '''
import numpy as np
import tensorflow as tf
class Block(tf.keras.layers.Layer):
    def __init__(self, n):
        super().__init__()
        self.dense = tf.keras.layers.Dense(n, activation="relu")
    def call(self, x, training=False):
        y = self.dense(x)
        return tf.nn.dropout(y, 0.1) if training else y
model = tf.keras.Sequential([tf.keras.Input((4,)), Block(3), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.MeanSquaredError()
metric = tf.keras.metrics.Mean()
def compute(x, y):
    parts = []
    parts.append(loss_fn(y, model(x, training=True)))
    return tf.add_n(parts)
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = compute(x, y)
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    metric.update_state(loss)
    return loss
for x, y in data:
    step(x, y)
'''


def fix(rule, text, unsafe=False):
    return fixed(text, lambda source: check_text("program.py", source, [RULES[rule]]), unsafe)


def test_a_trace_of_operations_and_layers_alone_may_be_left_out():
    assert fix("double-trace", QUIET_STEP).applied


@pytest.mark.parametrize("rule", PROGRAMS)
def test_an_unsafe_fix_is_made_only_when_asked_for(rule):
    safe, _, text = PROGRAMS[rule]
    assert bool(fix(rule, text).applied) is safe
    assert fix(rule, text, unsafe=True).applied
    assert all(finding.fix is None for finding in fix(rule, text, unsafe=True).checked.findings)


@pytest.mark.parametrize(("rule", "text"), [
    pytest.param(rule, text, id=f"{rule} {number}") for number, (rule, _, text) in enumerate(ORDINARY)
])
def test_what_is_safe_of_one_program_is_safe_of_ordinary_ones(rule, text):
    safe = rule in PROGRAMS and PROGRAMS[rule][0]
    assert bool(fix(rule, text).applied) is safe
    assert fix(rule, text, unsafe=True).applied


@pytest.mark.tensorflow
@pytest.mark.parametrize("cases", [
    pytest.param([(rule, counted, text) for rule, (_, counted, text) in PROGRAMS.items()], id="one of each rule"),
    pytest.param(ORDINARY, id="ordinary ones", marks=pytest.mark.suite),
])
def test_programs_compute_the_same_after_each_fix_with_less_work(tmp_path, cases):
    programs = [MAKE_WEIGHTS]
    for rule, _, text in cases:
        programs += [text, fix(rule, text, unsafe=True).text]
    done = subprocess.run([sys.executable, str(HERE / "runner.py")], input=json.dumps(programs), capture_output=True, text=True,
                          cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    results = json.loads(done.stdout)[1:]
    for (rule, counted, text), before, after in zip(cases, results[::2], results[1::2]):
        assert before["printed"] == after["printed"] != "", (rule, text)
        if counted:
            assert after[counted] < before[counted], (rule, text, before, after)


IMPORTS = '''"""Words and numbers, without tensorflow."""
import scipy.stats  # the heavy one


def rare(values):
    """What nobody asks for at first."""
    return scipy.stats.skew(values)


def often(value):
    return value ** 0.5


if __name__ == "__main__":
    print(often(16.0))
'''
LOADED = "import sys; print('scipy.stats' in sys.modules)\n"
ASKED = "print(round(float(rare([1.0, 2.0, 9.0])), 6))\n"


def test_an_import_moves_into_the_function_that_uses_it(tmp_path):
    after = fix("unused-heavy-import", IMPORTS).text
    assert after == IMPORTS.replace("import scipy.stats  # the heavy one\n", "").replace(
        'first."""\n', 'first."""\n    import scipy.stats  # the heavy one\n')
    programs = [source + LOADED + ASKED for source in (IMPORTS, after)]
    outputs = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True).stdout
               for program in programs]
    assert outputs[0].splitlines()[:2] == ["4.0", "True"]
    assert outputs[1] == outputs[0].replace("True", "False")


def test_an_import_that_nothing_uses_is_taken_out_when_asked_for():
    text = "import os, torch.nn  # the heavy one\nimport torch\nimport keras\nprint(os.sep, keras)\n"
    assert not fix("unused-heavy-import", text).applied
    assert fix("unused-heavy-import", text, unsafe=True).text == "import os  # the heavy one\nimport keras\nprint(os.sep, keras)\n"


def test_comments_and_formatting_stay():
    _, _, text = PROGRAMS["shuffle-buffer-fill"]
    after = fix("shuffle-buffer-fill", text).text
    assert sorted(after.split()) == sorted(text.split())
    _, _, text = PROGRAMS["function-made-in-loop"]
    after = fix("function-made-in-loop", text).text
    assert after.index("# squares, and their sum") < after.index("@tf.function") < after.index("for number")


def commented(text):
    """The text with a comment above and one behind each of its statements."""
    lines = text.splitlines()
    above, behind = {}, {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
            above[first] = " " * node.col_offset
            behind.setdefault(node.end_lineno, None)
    out = []
    for number, line in enumerate(lines, 1):
        out += [f"{above[number]}# above {number}"] if number in above else []
        out.append(f"{line}  # behind {number}" if number in behind and "#" not in line else line)
    return "\n".join(out) + "\n"


@pytest.mark.parametrize("rule", PROGRAMS)
def test_no_comment_is_lost(rule):
    safe, _, text = PROGRAMS[rule]
    text = commented(text)
    found = fix(rule, text, unsafe=not safe)
    assert found.applied
    assert sorted(re.findall("#.*", found.text)) == sorted(re.findall("#.*", text))


COMPILED = """import keras
model.compile(
    optimizer="adam",  # quick
    # what it is to come near
    loss="mse",  # of pixels{}
)
"""


@pytest.mark.parametrize(("before", "after"), [
    (COMPILED.format("\n    run_eagerly=True,  # to look into it"), COMPILED.format("")),
    (COMPILED.format("\n    run_eagerly=True,\n    # no metrics"), COMPILED.format("\n    # no metrics")),
    (COMPILED.format("\n    run_eagerly=True").replace("\n)", ")"), COMPILED.format("").replace("\n)", "\n    )")),
    (COMPILED.format("\n    run_eagerly=True,").replace("  # of pixels", ""), COMPILED.format("").replace("  # of pixels", "")),
    ("import keras\nmodel.compile('adam', run_eagerly=True)  # all\n", "import keras\nmodel.compile('adam')  # all\n"),
    ("import keras\nmodel.compile(run_eagerly=True)\n", "import keras\nmodel.compile()\n"),
], ids=["its own comment goes", "a comment below", "closed at once", "no comment", "on one line", "alone"])
def test_the_comments_of_other_arguments_stay_where_they_are(before, after):
    assert fix("eager-where-graph-pays", before, unsafe=True).text == after


GROUP = """import os

# What others have made.
import torch
import torch.nn as nn  # layers
import keras

# Is it on?
import sys
print(os, sys, keras)
"""


def test_what_is_said_of_several_imports_stays_when_one_of_them_goes():
    assert fix("unused-heavy-import", GROUP, unsafe=True).text == GROUP.replace("import torch\nimport torch.nn as nn  # layers\n", "")
    switch = "import tensorflow as tf\n\n# Settings.\ntf.config.run_functions_eagerly(True)\nmodel.fit(x)\n"
    assert fix("eager-where-graph-pays", switch, unsafe=True).text == switch.replace("tf.config.run_functions_eagerly(True)\n", "")


def test_a_fix_that_could_not_be_made_is_not_offered_again():
    text = "import os; import torch\nimport keras\nprint(os, keras)\n"
    done = fix("unused-heavy-import", text, unsafe=True)
    assert (done.text, [one.fix for one in done.checked.findings]) == (text, [None])
    assert [one.fix is None for one in fix("unused-heavy-import", text).checked.findings] == [False]  # it was not tried


def test_what_is_said_of_an_import_alone_moves_with_it():
    text = IMPORTS.replace("import scipy", "import os\n\n# For the tails.\nimport scipy", 1)
    after = fix("unused-heavy-import", text).text
    assert after == IMPORTS.replace("import scipy.stats  # the heavy one\n", "import os\n").replace(
        'first."""\n', 'first."""\n    # For the tails.\n    import scipy.stats  # the heavy one\n')


CHAIN = """import tensorflow as tf
def decode(p):
    return tf.image.decode_jpeg(tf.io.read_file(p))
"""


@pytest.mark.parametrize(("before", "after"), [
    ("""
ds = (tf.data.Dataset.list_files("*.jpg")  # names
      # decoded
      .map(decode)     # images
      # mixed
      .shuffle(1000)   # a thousand
      .batch(3))       # batch
""", """
ds = (tf.data.Dataset.list_files("*.jpg")  # names
      # mixed
      .shuffle(1000)   # a thousand
      # decoded
      .map(decode)     # images
      .batch(3))       # batch
"""),
    ("""
ds = (tf.data.Dataset.list_files("*.jpg")
      .map(decode)  # images
      .shuffle(1000))
""", """
ds = (tf.data.Dataset.list_files("*.jpg")
      .shuffle(1000)
      .map(decode))  # images
"""),
    ("\nds = tf.data.Dataset.list_files('*.jpg').map(decode).shuffle(1000)  # all",
     "\nds = tf.data.Dataset.list_files('*.jpg').shuffle(1000).map(decode)  # all"),
    ("\nds = tf.data.Dataset.list_files('*.jpg').map(decode) \\\n    .shuffle(1000).batch(8)\n",
     "\nds = tf.data.Dataset.list_files('*.jpg') \\\n    .shuffle(1000).map(decode).batch(8)\n"),
], ids=["each on its line", "before a parenthesis", "on one line", "a backslash"])
def test_comments_move_with_their_calls(before, after):
    assert fix("shuffle-buffer-fill", CHAIN + before, unsafe=True).text == CHAIN + after


@pytest.mark.parametrize("chain", [
    "(tf.data.Dataset.list_files('*.jpg').map(decode)  # images\n      .shuffle(1000).batch(8))\n",
    "(tf.data.Dataset.list_files('*.jpg').map(decode)  # images\n      .shuffle(1000))  # all\n",
    "((tf.data.Dataset.list_files('*.jpg')  # names\n     ).map(decode).shuffle(1000))\n",
])
def test_a_chain_whose_comments_would_part_from_their_calls_stays(chain):
    assert not fix("shuffle-buffer-fill", CHAIN + "ds = " + chain, unsafe=True).applied


WITH_A_NUMBER = """import tensorflow as tf
@tf.function
def f(x, n):
    {body}
x = {x}
for n in {numbers}:
    f(x, n)
"""
TYPES = [  # body, x, numbers, whether `tf.constant(n)` computes the same
    ("return x + n", "tf.constant(1)", "range(9)", True),
    ("return x + n", "tf.constant(1.0)", "range(9)", False),
    ("return x + n", "tf.constant(1.0)", "[0.1, 0.2, 0.3, 0.4]", True),
    ("return x + n", "tf.constant(1.0, tf.float64)", "[0.1, 0.2, 0.3, 0.4]", False),
    ("return x + n", "load()", "range(9)", False),
    ("return x + 2 * n", "tf.constant(1.0)", "range(9)", False),
    ("return 0.5 * n", "tf.constant(1.0)", "range(9)", False),
    ("return n / 2", "tf.constant(1.0)", "range(9)", False),
    ("return x * tf.cast(n, x.dtype)", "tf.constant(1.0)", "range(9)", True),
    ("return tf.add(x, n)", "tf.constant(1.0)", "range(9)", False),
    ("return other(x, n)", "tf.constant(1.0)", "range(9)", False),
    ("return tf.reshape(x, [n])", "tf.constant(1.0)", "range(9)", False),
    ("n = n + 1; return x * n", "tf.constant(1.0)", "range(9)", False),
    ("x = tf.cast(x, tf.float32); return x * n", "tf.constant(1)", "range(9)", False),
    ("return x", "tf.constant(1.0)", "range(9)", True),
]


@pytest.mark.parametrize(("body", "x", "numbers", "agrees"), TYPES)
def test_a_tensor_is_advised_for_a_number_where_their_types_agree(body, x, numbers, agrees):
    text = WITH_A_NUMBER.format(body=body, x=x, numbers=numbers)
    done = fix("function-retracing", text, unsafe=True)
    assert bool(done.applied) is agrees
    assert agrees or "of the type that it is computed with" in done.checked.findings[0].remedy


@pytest.mark.parametrize("body", [
    "x * scale",  # a global that is bound again
    "tf.random.normal([3]) * x",
    "model(x)",
    "counter.append(1) or x",
    "tf.Variable(x)",
])
def test_what_may_compute_another_thing_is_not_safe(body):
    text = ("import tensorflow as tf\nscale = 1\nscale = 2\ncounter = []\nmodel = get()\nfor i in range(9):\n"
            f"    @tf.function\n    def f(x):\n        return {body}\n    print(f(tf.zeros([3])))\n")
    assert not fix("function-made-in-loop", text).applied


@pytest.mark.parametrize(("before", "after"), [
    ("", "log.append(g.experimental_get_tracing_count())"),
    ("", "g.tag = i"),
    ("", "print(g)"),
    ("", "log.append(id(g))"),
    ("", "g.get_concrete_function(x)"),
    ("begin = time.perf_counter()", "log.append(time.perf_counter() - begin)"),
    ("begin = now()", "log.append(now() - begin)"),
    ("print(timeit.timeit(lambda: 1))", ""),
    ("tf.summary.trace_on()", ""),
    ("watch = Stopwatch()", "log.append(watch.elapsed)"),
])
@pytest.mark.parametrize("made", ["g = tf.function(f)", "g = tf.function(lambda x: tf.nn.relu(x) * 2)"])
def test_nothing_is_moved_where_a_round_asks_of_the_function_or_measures_its_tracing(before, after, made):
    text = ("import time\nimport timeit\nimport tensorflow as tf\nfrom helpers import Stopwatch\ndef f(x):\n    return tf.nn.relu(x) * 2\n"
            f"def now():\n    return time.monotonic()\nlog = []\nfor i in range(3):\n    {{}}\n    {made}\n    print(g(x))\n    {{}}\n")
    assert fix("function-made-in-loop", text.format("log.append(i)", "log.append(i)")).applied
    assert not fix("function-made-in-loop", text.format(before or "pass", after or "pass"), unsafe=True).applied


def test_efficientnet_keeps_its_weights():
    text = 'import keras\nm = keras.applications.EfficientNetB0(weights="imagenet")\nm.load_weights(p)\n'
    assert not fix("discarded-initialisation", text, unsafe=True).applied


@pytest.mark.parametrize("head", [
    "class A(tf.keras.layers.Layer):\n    def call(self, x):\n",
    "class A:\n    @tf.function(autograph=False)\n    def call(self, x):\n",
])
def test_no_loop_over_a_tensor_where_none_is_converted(head):
    text = "import tensorflow as tf\n" + head + "        for _ in range(100):\n            x = tf.sin(x)\n        return x\n"
    done = fix("unrolled-python-loop", text, unsafe=True)
    assert [finding.fix for finding in done.checked.findings] == [None]
    assert "tf.while_loop" in done.checked.findings[0].remedy


@pytest.mark.parametrize("text", [
    'import tensorflow as tf\ns = 1; tf.config.run_functions_eagerly(True)\n',
    'import tensorflow as tf\nclass A: tf.config.run_functions_eagerly(True)\n',
])
def test_what_cannot_be_edited_stays(text):
    done = fix("eager-where-graph-pays", text, unsafe=True)
    assert done.text == text
    assert done.checked.findings


def test_memory_growth_is_not_set_in_every_round():
    loop = "import tensorflow as tf\nfor i in range(4):\n    with tf.device(f'/gpu:{i}'):\n        print(tf.ones([2]))\n"
    done = fix("memory-preallocated", loop, unsafe=True)
    assert [finding.fix for finding in done.checked.findings] == [None]
    assert fix("memory-preallocated", "import tensorflow as tf\nwith tf.device('/gpu:1'):\n    print(tf.ones([2]))\n", unsafe=True).applied


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(("newline", "head"), [("\r\n", b""), ("\n", MARK), ("\n", b"# coding: latin-1\n# \xe9\n"), ("\r\n", MARK)])
def test_files_keep_their_encoding_newlines_and_mode(tmp_path, newline, head):
    from firststep.lint.run import Wish, lint
    from firststep.lint.settings import LintSettings

    path = tmp_path / "program.py"
    text = PROGRAMS["function-made-in-loop"][2].lstrip()
    path.write_bytes(head + text.replace("\n", newline).encode())
    path.chmod(0o751)
    link = tmp_path / "link.py"
    link.symlink_to(path)
    (outcome,) = lint([str(link)], LintSettings(str(tmp_path)), Wish(edit=True, write=True))
    assert outcome.applied == 1
    assert link.is_symlink()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o751
    data = path.read_bytes()
    assert data.startswith(head)
    assert data.count(b"\r\n") == (data.count(b"\n") if newline == "\r\n" else 0)
    assert sorted(os.listdir(tmp_path)) == ["link.py", "program.py"]


@pytest.mark.parametrize("change", [
    lambda text: "\x0c" + text,
    lambda text: text.replace("\n", "\r"),
])
def test_what_an_edit_would_not_give_back_as_it_was_is_not_edited(change):
    text = change(PROGRAMS["function-made-in-loop"][2].lstrip())
    done = fix("function-made-in-loop", text)
    assert (done.text, len(done.checked.findings)) == (text, 1)


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("\n", "\r\n", 3),
    lambda text: text.rstrip("\n"),
    lambda text: text.replace("    ", "\t"),
    lambda text: text.replace("import tensorflow", "word = 'a\u2028b\x1c'\nimport tensorflow"),
])
def test_a_diff_is_the_fix(tmp_path, change):
    text = change(PROGRAMS["function-made-in-loop"][2].lstrip())
    shown = LintedFile(check_text("program.py", text, []), 1, text, fix("function-made-in-loop", text).text)
    (tmp_path / "program.py").write_bytes(text.encode())
    subprocess.run(["git", "apply", "-p0", "--whitespace=nowarn"], input=diff(shown).encode(), cwd=tmp_path, check=True)
    assert (tmp_path / "program.py").read_bytes() == shown.after.encode() != text.encode()


@pytest.mark.parametrize("write", [False, True])
def test_what_is_told_of_a_comment_has_its_line_in_the_file_as_it_is(tmp_path, write):
    from firststep.lint.run import Wish, lint
    from firststep.lint.settings import LintSettings

    path = tmp_path / "program.py"
    loop = "for i in range(10):\n    @tf.function{}\n    def {}(x):\n        return x + 1\n    {}(tf.constant(1.0))\n"
    others = loop.format("", "g", "g") + loop.format("", "h", "h")
    path.write_text("import tensorflow as tf\n" + others + loop.format("  # firststep: ignore[no-such-thing]", "k", "k"))
    (outcome,) = lint([str(path)], LintSettings(str(tmp_path)), Wish(edit=True, write=write))
    (trouble,) = outcome.checked.troubles
    assert outcome.applied == 3
    lines = path.read_text().splitlines()
    assert "no-such-thing" in lines[trouble.line - 1]


def test_a_read_only_file_is_told_and_stays(tmp_path):
    from firststep.lint import fix as fixing
    from firststep.lint.read import UnreadableSource, read_file

    path = tmp_path / "program.py"
    path.write_text("a = 1\n")
    source = read_file(str(path))
    path.write_text("a = 2\n")
    with pytest.raises(UnreadableSource, match="changed meanwhile"):
        fixing.write(str(path), source, "a = 3\n")
    assert path.read_text() == "a = 2\n"
