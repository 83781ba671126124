"""What ran while something was traced, and who called whom: the same on every Python that this machine has."""

import json
import random
import subprocess

import pytest
from programs import supported_interpreters

from function_cache.replay_harness import SOURCE

PYTHONS = supported_interpreters()
BEGIN = """
import json, sys
sys.path.insert(0, {source!r})
from firststep_agent.boost.cache_functions.reads import executed
seen = executed.Executed()
"""
END = """
names = {id(code): code.co_name for code in seen.codes}
calls = {names[each]: sorted({one if isinstance(one, str) else one.co_name for one in callees}) for each, callees in seen.calls.items()}
print(json.dumps([sorted(names.values()), calls]))
assert sys.getprofile() is None
"""
PROGRAM = """
import collections, os, re, threading, time, types, weakref

def work():
    time.sleep(0.02)  # the other thread's turn
    bound = types.MethodType(len, [1])  # of Python's own class, of a native function: as pybind11's methods are
    for _ in range(50):
        bound()
    early()
    with executed.suspended():
        hidden()
        with executed.suspended():
            hidden()
        hidden()
    os.getcwd()
    middle()
    for _ in range(50):
        pausing()
    time.monotonic()
    late()
    "a".upper(), [].append(1), collections.deque().clear(), re.compile("a").match("a"), object.__new__(object), dict.fromkeys("a")
    Made(1) + Made(2)
    of_a_class_of_its_own()

def pausing():
    seen.looks.pause()
    try:
        hidden()
    finally:
        seen.looks.go_on()

class Made:
    def __init__(self, number):
        self.number = number

    def __add__(self, other):
        return len(())

class Meta(type):
    def __hash__(cls): raise TypeError("code of the program's ran")
    __eq__ = __hash__

class Owned(list, metaclass=Meta):
    __slots__ = "__weakref__",
    def clear(self):
        super().clear()

def of_a_class_of_its_own():
    owned = Owned()
    owned.append(1)
    insert = owned.insert
    insert(0, 1)
    owned.clear()
    kept = weakref.ref(owned)
    del owned, insert
    assert kept() is None

def early(): os.getpid()
def middle(): return next(numbers())
def late(): last()
def last(): pass
def numbers(): yield abs(1)
def hidden(): os.getppid()
def elsewhere():
    other = types.MethodType(len, [1])
    while not ended:
        other(), inner()
def inner(): pass

ended = []
other = threading.Thread(target=elsewhere, daemon=True)
other.start()
with seen:
    work()
ended.append(1)
other.join()
if hasattr(sys, "monitoring"):
    assert sys.monitoring.get_tool(sys.monitoring.PROFILER_ID) is None
"""
RAN = {"work", "early", "middle", "late", "last", "numbers", "pausing", "__init__", "__add__", "of_a_class_of_its_own"}
CALLS = {
    "work": {"early", "middle", "late", "pausing", "__init__", "__add__", "of_a_class_of_its_own", "<built-in method posix.getcwd>",
             "<built-in method time.monotonic>", "<method 'upper' of 'str' objects>", "<method 'append' of 'list' objects>",
             "<method 'match' of 're.Pattern' objects>"},
    "early": {"<built-in method posix.getpid>"}, "late": {"last"}, "numbers": {"<built-in method builtins.abs>"},
    "middle": {"<built-in method builtins.next>"}, "__add__": {"<built-in method builtins.len>"},
    "of_a_class_of_its_own": {"clear", "<method 'append' of 'list' objects>", "<method 'insert' of 'list' objects>"},
}


def run(python, program):
    """(names of what ran, {name: what it called}) of a program that is seen."""
    ran = subprocess.run([python, "-c", BEGIN.format(source=str(SOURCE)) + program + END], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    names, calls = json.loads(ran.stdout)
    return set(names), {caller: set(callees) for caller, callees in calls.items()}


@pytest.mark.parametrize("version", PYTHONS)
def test_all_that_ran_is_seen_with_its_callers_and_nothing_else(version):
    names, calls = run(PYTHONS[version], PROGRAM)
    assert not RAN - names and not {"hidden", "elsewhere", "inner", "__hash__"} & names, names
    for caller, callees in CALLS.items():
        assert not callees - calls[caller], (caller, calls[caller])
    assert not any("getppid" in one for callees in calls.values() for one in callees), calls
    if version >= (3, 11):  # before, the interpreter tells nobody of a native function that is called as a method of Python's class
        assert "<built-in method builtins.len>" in calls["work"]


OF_LIBRARIES = """
import cProfile, os
def of(file):
    names = {}
    exec(compile("def caller(function):\\n return function()", "/lib/site-packages/tensorflow/python/" + file, "exec"), names)
    code = names["caller"].__code__
    names["caller"].__code__ = code.replace(co_name=file)
    return names["caller"]
callers = [of("ops/math_ops.py"), of("ops/gen_math_ops.py"), of("autograph/impl/api.py")]
for _ in range(2):  # the second time as the first
    seen = executed.Executed()
    with seen:
        for caller in callers:
            caller(os.getpid)
after = cProfile.Profile()
after.runcall(callers[0], os.getpid)
assert [entry for entry in after.getstats() if "getpid" in str(entry.code)], after.getstats()
"""


@pytest.mark.parametrize("version", PYTHONS)
def test_what_the_frameworks_call_for_others_is_seen_and_the_next_profiler_sees_all(version):
    names, calls = run(PYTHONS[version], OF_LIBRARIES)
    assert {"ops/math_ops.py", "ops/gen_math_ops.py", "autograph/impl/api.py"} <= names
    for file in ("ops/gen_math_ops.py", "autograph/impl/api.py"):
        assert "<built-in method posix.getpid>" in calls[file], calls


PROFILES_ITSELF = """
import cProfile, threading

def profiled():
    with cProfile.Profile() as profile:
        inner()
    return [entry for entry in profile.getstats() if "inner" in str(entry.code)]

def inner(): pass
def plainly(): pass
def elsewhere(): told.append(profiled())

told, seen_all = [], []
def in_a_thread():
    other = threading.Thread(target=elsewhere)
    other.start()
    other.join()

for work in (profiled, in_a_thread, plainly):
    seen = executed.Executed()
    with seen:
        told.append(work())
    seen_all.append(seen.saw_all)
assert told[0] and told[1], told
assert seen_all[::2] == [False, True], seen_all
seen = executed.Executed()
with seen:
    plainly()
"""


@pytest.mark.parametrize("version", PYTHONS)
def test_a_program_may_profile_what_is_watched_and_what_another_thread_does_meanwhile(version):
    """The first is not kept: an answer would leave nothing to profile."""
    assert "plainly" in run(PYTHONS[version], PROFILES_ITSELF)[0]


ABS = "<built-in method builtins.abs>"
ONE_AFTER_THE_OTHER = """
texts, told = json.load(sys.stdin), []
for text in texts:
    seen = executed.Executed()
    program = {"executed": executed}
    exec(text, program)
    with seen:
        for _ in program["f0"]() or ():
            pass
    of = {id(code): code.co_name for code in seen.codes if code.co_filename == "<string>"}
    told.append({name: [each if isinstance(each, str) else each.co_name for each in seen.calls.get(code, ())] for code, name in of.items()})
"""


class Written:
    """Functions that call each other at random, some of it while nobody looks, some of it with an error."""

    def __init__(self, seed):
        self._choose = random.Random(seed)
        self._calls = {f"f{number}": set() for number in range(7)}  # what is to be seen, where the function runs
        lines = []
        for number in range(7):
            end = self._choose.choice(("pass", "yield 1"))  # some are generators
            lines += [f"def f{number}():", *self._block(number, 1, True), f"    {end}"]
        self.text = "\n".join(lines)

    def _block(self, number, depth, seen):
        pad, lines = "    " * depth, []
        for _ in range(self._choose.randint(1, 3)):
            kind = self._choose.choice(("calls", "calls", "looks away", "fails") if depth < 4 else ("calls",))
            if kind == "calls":
                lines.append(pad + self._call(number, seen))
            elif kind == "looks away":
                lines += [f"{pad}with executed.suspended():", *self._block(number, depth + 1, False)]
            else:
                lines += [f"{pad}try:", *self._block(number, depth + 1, seen), f"{pad}    raise KeyError", f"{pad}except KeyError: pass"]
        return lines

    def _call(self, number, seen):
        called = f"f{self._choose.randint(number + 1, 7)}"
        if seen:
            self._calls[f"f{number}"].add(called if called in self._calls else ABS)
        return f"for _ in {called}() or (): pass" if called in self._calls else "abs(1)"

    def seen(self):
        """{function: what it calls} of what is reached where somebody looks."""
        found, todo = {}, ["f0"]
        while todo:
            caller = todo.pop()
            if caller in self._calls and caller not in found:
                found[caller] = self._calls[caller]
                todo += found[caller]
        return found


@pytest.mark.parametrize("version", PYTHONS)
def test_a_look_away_loses_no_caller(version):
    """Functions that are under way go on to call others; errors pass through, and generators go on."""
    written = [Written(seed) for seed in range(200)]
    assert sum("suspended" in each.text for each in written) > 100 and sum(len(each.seen()) > 4 for each in written) > 50
    program = BEGIN.format(source=str(SOURCE)) + ONE_AFTER_THE_OTHER + "print(json.dumps(told))"
    ran = subprocess.run([PYTHONS[version], "-c", program], input=json.dumps([each.text for each in written]), capture_output=True,
                         text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    for each, told in zip(written, json.loads(ran.stdout)):
        assert {name: {*callees} & {*each.seen(), ABS} for name, callees in told.items()} == each.seen(), each.text
