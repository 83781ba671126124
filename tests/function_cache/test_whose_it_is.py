"""Modules and classes of the program's that no imported module shows: loaded by a file's path alone, made by hand, under another's name."""

import pytest
from replay_harness import lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow]

PROGRAM = '''
import importlib.util, os, types
import tensorflow as tf

VALUE = 1
SOURCE = """
n, many = 0, []
class Holder:
    n = 0
    class Inner:
        n = 0
holder = Holder()
def bump():
    global n
    n += 1
def attributes(): pass
"""
path = os.path.join(os.path.dirname(__file__), "side.py")
with open(path, "w") as file:
    file.write(SOURCE)
spec = importlib.util.spec_from_file_location("side", path)
side = importlib.util.module_from_spec(spec)
spec.loader.exec_module(side)
by_hand = types.ModuleType("by_hand")
exec(SOURCE, by_hand.__dict__)
like_python = types.ModuleType("os")
exec(SOURCE, like_python.__dict__)
space = {}
exec(SOURCE, space)
InPythons, nameless = space["Holder"], space["holder"]
Gone = type("Gone", (), {"__module__": "gone", "n": 0})
LikePythons = type("LikePythons", (), {"__module__": "os", "n": 0})
LikeFrameworks = type("LikeFrameworks", (), {"__module__": "tensorflow.python.nowhere", "n": 0})
gone, like_pythons, like_frameworks = Gone(), LikePythons(), LikeFrameworks()
w = tf.Variable(2.0)


def a(x): ACT(side)
def b(x): ACT(side.holder)
def c(x): ACT(side.Holder)
def d(x): ACT(side.Holder.Inner)
def e(x): ACT(by_hand)
def f(x): ACT(by_hand.holder)
def g(x): ACT(by_hand.Holder)
def h(x): ACT(by_hand.Holder.Inner)
def i(x): ACT(like_python)
def j(x): ACT(like_python.Holder)
def k(x): ACT(nameless)
def l(x): ACT(InPythons)
def m(x): ACT(InPythons.Inner)
def n(x): ACT(Gone)
def o(x): ACT(gone)
def p(x): ACT(LikePythons)
def q(x): ACT(like_pythons)
def r(x): ACT(LikeFrameworks)
def s(x): ACT(like_frameworks)
MORE

def shown():
    owners = (side, by_hand, like_python, InPythons, nameless, Gone, gone, LikePythons, like_pythons, LikeFrameworks, like_frameworks)
    inner = [(one.Holder.n, one.holder.n, one.Holder.Inner.n, len(one.many), vars(one.attributes)) for one in (side, by_hand, like_python)]
    return [one.n for one in owners], inner, InPythons.Inner.n


for function in (FUNCTIONS):
    BEFORE
    print(function.__name__, float(tf.function(function)(tf.constant(1.0))), shown())
'''
CHANGES = PROGRAM.replace("BEFORE", "pass").replace("MORE", '''
def t(x): side.bump(); return x * w
def u(x): by_hand.bump(); return x * w
def v(x): side.many.append(1); return x * w
def x_(x): like_python.many.append(1); return x * w
def y(x): side.attributes.calls = 1; return x * w
def z(x): vars(side)["n"] = 70; return x * w
''')
READS = PROGRAM.replace("BEFORE", """
    for one in (side, by_hand, like_python, InPythons, Gone, LikePythons, LikeFrameworks):
        one.n = VALUE
    for one in (side, by_hand, like_python):
        one.Holder.n = one.Holder.Inner.n = one.holder.n = VALUE
    InPythons.Inner.n = VALUE
""").replace("MORE", "")


ALL = "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s"
MORE = "t, u, v, x_, y, z"


def _acts(program, functions, act):
    program = program.replace("FUNCTIONS", functions)
    lines = program.splitlines()
    return "\n".join(line.partition("ACT(")[0] + act.replace("IT", line.partition("ACT(")[2][:-1]) if "ACT(" in line else line for line in lines)


@pytest.mark.suite
@pytest.mark.parametrize("functions, act", [
    ("a, m, n, v", "IT.n += 1; return x * w"),
    (f"{ALL}, {MORE}", "IT.n += 1; return x * w"),
    (f"{ALL}, {MORE}", "setattr(IT, 'n', 9); return x * w"),
], ids=["some", "all", "all by setattr"])
def test_what_a_trace_changes_of_them_is_left_by_an_answer_too(lab, functions, act):  # noqa: F811
    laboratory = lab(_acts(CHANGES, functions, act))
    plain = laboratory.plain()
    starts = [laboratory.boost({"goes_on": True}) for _ in range(3)]
    assert [start.out for start in starts] == [plain.out] * 3
    assert not [note for start in starts for note in start.notes if note[0] in ("disproved", "error", "failed")]


@pytest.mark.suite
@pytest.mark.parametrize("functions", ["c, m, n", ALL], ids=["some", "all"])
def test_what_a_trace_reads_of_them_is_a_part_of_the_key(lab, functions):  # noqa: F811
    act = "return x * w * IT.n"
    laboratory = lab(_acts(READS, functions, act))
    starts = [laboratory.boost({"goes_on": True}) for _ in range(3)]
    assert starts[-1].functions("live") == functions.split(", "), starts[-1].notes
    laboratory.program.write_text(_acts(READS.replace("VALUE = 1", "VALUE = 3"), functions, act))
    plain, changed = laboratory.plain(), laboratory.boost({"goes_on": True})
    assert changed.out == plain.out and not changed.functions("disproved"), changed.notes
