"""Every rule finds what it is for, at the line where it stands, and is silent on ordinary programs."""

import importlib
import time
from inspect import cleandoc

import pytest

from firststep.lint.check import check_text
from firststep.lint.rules import all_rules, ids

RULES = {rule.id: rule for rule in all_rules()}
PARTS = ("Symptom:", "Why:", "Confirmed by:", "Remedy:", "Source:", "Fix:")


def cases(kind):
    return list(all_cases(kind))


def all_cases(kind):
    for rule in ids():
        module = importlib.import_module("lint.cases." + rule.replace("-", "_"))
        yield from (pytest.param(rule, text.strip("\n") + "\n", id=f"{rule}: {name}") for name, text in getattr(module, kind).items())


def found_lines(rule, text):
    checked = check_text("program.py", text, [RULES[rule]])
    assert not checked.troubles
    return [finding.line for finding in checked.findings]


@pytest.mark.parametrize(("rule", "text"), cases("FOUND"))
def test_found(rule, text):
    assert found_lines(rule, text) == [number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# <-")]


@pytest.mark.parametrize(("rule", "text"), cases("SILENT"))
def test_silent(rule, text):
    assert found_lines(rule, text) == []


@pytest.mark.parametrize("rule", ids())
def test_each_rule_has_programs_and_says_what_users_need(rule):
    module = importlib.import_module("lint.cases." + rule.replace("-", "_"))
    assert len(module.FOUND) >= 2
    assert len(module.SILENT) >= 5
    assert cleandoc(RULES[rule].explanation) == RULES[rule].explanation
    for part in PARTS:
        assert part in RULES[rule].explanation


def test_numbers_stand_in_the_page_where_the_docstrings_name_them():
    assert "of at least 1,024 units" in RULES["expensive-initialiser"].explanation
    assert "with at\nleast 8 rounds" in RULES["unrolled-python-loop"].explanation


def test_a_rule_that_fails_is_one_line_and_the_others_go_on():
    class Failing:
        id = "failing"

        def concerns(self, text, setting):
            return True

        def check(self, program):
            raise ZeroDivisionError("by design")

    text = "import tensorflow as tf\nfor i in range(9):\n    tf.compat.v1.Session()\n"
    checked = check_text("program.py", text, [Failing(), RULES["session-churn"]])
    assert [finding.rule for finding in checked.findings] == ["session-churn"]
    assert ["by design" in trouble.message for trouble in checked.troubles] == [True]


def test_what_a_test_does_on_purpose_is_left_alone():
    from firststep.lint.program import Setting

    text = "import keras\nmodel.load_weights('old.keras')\n"
    rules = [RULES["slow-weight-format"]]
    assert len(check_text("program.py", text, rules).findings) == 1
    assert not check_text("test_program.py", text, rules, Setting(is_test=True)).findings


@pytest.mark.parametrize(("written", "number"), [
    ("range(9)", 9), ("range(2, 9)", 7), ("range(9, 2, -2)", 4), ("range(5, 2)", 0), ("range(1, 10, 0)", None), ("range(10**100)", None),
    ("range(-2**61, 2**61)", 2**62), ("[1, 2, 3]", 3), ("[*x]", None), ("enumerate(range(4))", 4), ("range(n)", 12), ("range(m)", None),
    ("range(2**10**9)", None), ("data", None), ("zip([1, 2], range(9))", 2), ("zip([1, 2], data)", None), ("enumerate(x, start=1)", 3),
    ("sorted({1, 2}, key=f)", 2), ("{1: 2, 3: 4}.items()", 2), ("{**x}", None), ("filled", None), ("[]", None), ("named", None),
])
def test_rounds_that_the_source_tells(written, number):
    from firststep.lint.program import Program
    from firststep.lint.program.values import rounds

    program = Program("n = 3 * 4\nm = 1\nm = 2\nx = [1, 2, 3]\nfilled = [1]\nfilled.append(2)\nnamed = {}\nnamed['a'] = 1\n"
                      f"for i in {written}:\n    pass\n")
    assert rounds(program, program.module.body[-1].iter) == number


@pytest.mark.parametrize(("written", "number"), [
    ("zip([1, 2], data)", 2), ("enumerate(zip(data, (1, 2)))", 2), ("zip(data, others)", None), ("map(f, [1, 2, 3])", 3), ("range(9)", 9),
])
def test_rounds_that_the_source_limits(written, number):
    from firststep.lint.program import Program
    from firststep.lint.program.values import at_most

    program = Program(f"for i in {written}:\n    pass\n")
    assert at_most(program, program.module.body[-1].iter) == number


@pytest.mark.parametrize("lines", [
    "    m{0} = keras.Sequential([keras.layers.Dense(1)])\n    m{0}.fit(y[x])\n",
    "    o{0} = keras.optimizers.Adam()\n    o{0}.apply_gradients(zip(g, v))\n",
    "    m.compile()\n    m.fit(x)\n",
    "    s.run(tf.add(x, {0}))\n",
])
def test_a_loop_of_many_lines_is_looked_through_once(lines):
    text = "import keras\nimport tensorflow.compat.v1 as tf\ns = tf.Session()\nm = keras.Sequential()\nfor x in data:\n"
    text += "".join(lines.format(number) for number in range(300))
    before = time.process_time()
    assert check_text("program.py", text, all_rules()).findings
    assert time.process_time() - before < 10  # half a second; minutes where each line looks through the loop


def test_data_made_of_each_other_are_not_followed_for_ever():
    text = "import keras\nfor rows in parts:\n    d0 = x[rows]\n" + "".join(f"    d{n + 1} = f(d{n}, d{n}, d{n})\n" for n in range(30))
    text += "    m = keras.Sequential()\n    m.fit(d30 + " + " + ".join(["d30"] * 2000) + ")\n"
    assert len(check_text("program.py", text, [RULES["model-made-in-loop"]]).findings) == 1


def test_iterables_within_each_other_are_not_followed_for_ever():
    text = "import keras\na = zip(b, b)\nb = zip(a, a)\nd0 = [1]\n" + "".join(f"d{n + 1} = zip(d{n}, d{n}, d{n})\n" for n in range(30))
    text += "for x in zip(a, d30):\n    m = keras.Sequential()\n    m.fit(y[x])\n"
    assert len(check_text("program.py", text, [RULES["model-made-in-loop"]]).findings) == 1


@pytest.mark.parametrize(("layer", "words"), [
    ("LSTM(1024)", "an orthogonal matrix of 1,024 × 4,096, by a QR decomposition, a second or more"),
    ("GRUCell(2048)", "an orthogonal matrix of 2,048 × 6,144, by a QR decomposition, a second or more"),
    ("SimpleRNN(1024)", "an orthogonal matrix of 1,024 × 1,024, by a QR decomposition"),
    ("Dense(4096, kernel_initializer='orthogonal')", "an orthogonal matrix for 4,096 units, by a QR decomposition"),
])
def test_a_time_is_said_where_the_size_of_the_matrix_makes_it_true(layer, words):
    (finding,) = check_text("program.py", f"import keras\nlayer = keras.layers.{layer}\n", [RULES["expensive-initialiser"]]).findings
    assert finding.message == "the initial value is " + words
