"""What the program's code changed while it was traced is seen, whatever way it took; where that cannot be, there is a doubt."""

import importlib.util
import sys

import pytest

from firststep_agent.boost.traces.unchanged import AsItWas

START = """
import array, atexit, collections, contextvars, ctypes, decimal, functools, io, itertools, math, operator, os, queue, random, struct, sys
import threading, types, typing, weakref
import numpy as np

class Some:
    pass

class Counted:
    def __init__(self):
        self.k = 0
    def __enter__(self):
        self.k += 1
    def __exit__(self, *error):
        pass

class Loop:
    def __init__(self):
        self.k = 0
    def __iter__(self):
        self.k += 1
        return iter([1])

class Adds(Loop):
    def __add__(self, other):
        self.k += 1
        return other

class Tells:
    def __get__(self, value, cls):
        value.__dict__["cnt"] = 1
        return 1.0

class Described:
    x = Tells()

@functools.lru_cache(None)
def cached(k):
    return k

def counts(n=[0]):
    n[0] += 1

def closed():
    n = 0
    def count():
        nonlocal n
        n += 1
    return count

S = Some()
"""
CHANGES = {  # what is there, what a function does with it
    "an alias is added to": ("S.h = []", "h = S.h; h += [1]"),
    "an array is": ("S.a = np.zeros(3)", "a = S.a; a += 1"),
    "an array's output": ("S.a = np.zeros(3)", "np.add(S.a, 1, out=S.a)"),
    "copied to": ("S.a = np.zeros(3)", "np.copyto(S.a, S.a + 1)"),
    "filled": ("S.a = np.zeros(3)", "S.a.fill(2)"),
    "an array in a list": ("S.a = [np.zeros(3)]", "np.add.at(S.a[0], 1, 1)"),
    "resized": ("S.a = np.zeros(3)", "S.a.resize(4, refcheck=False)"),
    "flat": ("S.a = np.zeros(3)", "S.a.flat[0] += 1"),
    "an iterator": ("S.i = iter([1, 2])", "for one in S.i: break"),
    "a generator": ("S.i = (i for i in range(9))", "sum(itertools.islice(S.i, 2))"),
    "unpacked": ("S.i = itertools.count()", "first, *rest = itertools.islice(S.i, 2)"),
    "a cycle": ("S.i = itertools.cycle([1, 2])", "1 in S.i"),
    "its own iterator": ("S.i = Loop()", "for one in S.i: pass"),
    "its own operator": ("S.i = Adds()", "S.i + 1"),
    "a deque": ("S.d = collections.deque([1, 2])", "S.d.rotate(1)"),
    "a counter": ("S.d = collections.Counter(a=1)", "S.d.subtract('a')"),
    "an order": ("S.d = collections.OrderedDict(a=1, b=2)", "S.d.move_to_end('a')"),
    "a default": ("S.d = collections.defaultdict(list)", "S.d[1]"),
    "a dictionary": ("S.d = {}", "d = S.d; d |= {1: 2}"),
    "a tuple in one": ("S.d = {'a': (1, 2)}", "d = S.d; d |= {'a': (1, 3)}"),
    "a set": ("S.d = set()", "d = S.d; d |= {1}"),
    "a semaphore": ("S.l = threading.Semaphore(3)", "S.l.acquire()"),
    "a lock": ("S.l = threading.Lock()", "S.l.acquire()"),
    "an event": ("S.l = threading.Event()", "S.l.set()"),
    "bytes": ("S.b = bytearray(4)", "struct.pack_into('i', S.b, 0, 1)"),
    "a view": ("S.b = bytearray(4)", "memoryview(S.b)[0:1].__setitem__(0, 1)"),
    "an array of Python's": ("S.b = array.array('i', [0])", "S.b.frombytes(bytes(4))"),
    "a number of C": ("S.b = ctypes.c_int(0)", "ctypes.memset(ctypes.addressof(S.b), 1, 1)"),
    "a stream": ("S.s = io.StringIO('abc')", "S.s.read(1)"),
    "a queue": ("S.q = queue.Queue()", "S.q.put_nowait(1)"),
    "a context variable": ("S.c = contextvars.ContextVar('c', default=0)", "S.c.set(1)"),
    "NumPy's generator": ("S.r = np.random.default_rng(0)", "S.r.normal()"),
    "NumPy's old generator": ("S.r = np.random.RandomState(0)", "S.r.rand()"),
    "Python's generator": ("S.r = random.Random(0)", "S.r.random()"),
    "an operator on an item": ("S.h = [0]", "operator.setitem(S.h, 0, 1)"),
    "an operator in place": ("S.h = [0]", "functools.reduce(operator.iadd, [[1]], S.h)"),
    "bound before": ("S.h = []; S.f = S.h.append", "S.f(1)"),
    "partly called": ("S.h = []; S.f = functools.partial(S.h.append, 1)", "S.f()"),
    "by a name that is made": ("S.h = []", "operator.methodcaller('app' + 'end', 1)(S.h)"),
    "by map": ("S.h = []", "any(map(S.h.append, [1]))"),
    "made anew": ("S.n = types.SimpleNamespace(n=1)", "S.n.__init__(n=2)"),
    "by a descriptor": ("S.p = Described()", "S.p.x"),
    "by a context": ("S.p = Counted()", "with S.p: pass"),
    "a cache": ("", "cached(1)"),
    "a default argument": ("", "counts()"),
    "a closure": ("S.f = closed()", "S.f()"),
    "a class": ("", "type.__setattr__(Some, 'z', 1)"),
    "a weak set": ("S.w = weakref.WeakSet()", "S.w.add(Some)"),
    "the interpreter": ("", "sys.setrecursionlimit(sys.getrecursionlimit() + 1)"),
    "the path": ("", "sys.path += ['nowhere']"),
    "the environment": ("", "os.environ.setdefault('FS_UNCHANGED', '1')"),
    "decimals": ("", "decimal.getcontext().prec += 1"),
    "what is done at exit": ("", "atexit.register(len, 'a')"),
    "a thread": ("", "threading.Thread(target=len, args=('a',)).start()"),
    "NumPy's errors": ("", "np.seterr(over='ignore' if np.geterr()['over'] == 'warn' else 'warn')"),
    "what is printed": ("", "print(end='')"),
    "a number of the object": ("S.n = 0", "vars(S).update(n=1)"),
    "an enumeration's neighbour": ("S.n = {'a': [1]}", "x = S.n['a']; x *= 2"),
}
HARMLESS = {
    "arithmetic": ("S.rate = 0.5", "y = S.rate * 2 + math.sqrt(4.0); return y"),
    "lists of its own": ("S.sizes = [1, 2]", "found = [n * 2 for n in S.sizes]; found += [3]; return tuple(found)"),
    "other objects": ("S.inner = Some(); S.inner.table = {'a': (1, [2])}", "return len(S.inner.table['a'][1])"),
    "an iterator of its own": ("S.sizes = [1, 2]", "return sum(iter(S.sizes)) + max(zip(S.sizes, S.sizes))[0]"),
    "arrays": ("S.mask = np.eye(3)", "return np.prod(S.mask.shape) + np.float32(1)"),
    "a generator that stands still": ("S.r = np.random.default_rng(0)", "return S.r is None"),
    "a function of its own": ("S.f = lambda x: x + 1", "return S.f(1)"),
    "types": ("", "return isinstance(S, Some) and typing.cast(int, 1)"),
}


def made(folder, kept, does):
    path = folder / "program_of_a_user.py"
    path.write_text(f"{START}{kept}\n\ndef f():\n" + "".join(f"    {line}\n" for line in does.split("; ")))
    spec = importlib.util.spec_from_file_location(f"program_of_a_user_{folder.name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.f


@pytest.mark.parametrize("how", CHANGES)
def test_no_change_goes_unseen(tmp_path, how):
    f = made(tmp_path, *CHANGES[how])
    before = AsItWas((f, (), ()))
    f()
    assert not before.is_unchanged()


@pytest.mark.parametrize("how", HARMLESS)
def test_ordinary_code_changes_nothing(tmp_path, how):
    f = made(tmp_path, *HARMLESS[how])
    before = AsItWas((f, (), ()))
    f()
    assert before._look.doubt is None and before.is_unchanged()


def test_what_a_function_is_given_counts(tmp_path):
    f = made(tmp_path, "", "pass")
    held = []
    before = AsItWas((f, (held,), ()))
    held.append(1)
    assert not before.is_unchanged()


def test_where_no_code_of_the_programs_is_there_is_nothing_to_look_at():
    held = [iter([])]
    before = AsItWas((held,))
    held.append(1)
    assert before.is_unchanged()


PROGRAM = """
import numpy as np, tensorflow as tf

noise, kept, turns = np.random.default_rng(0), np.zeros(2, "float32"), iter(range(9))

def draws(): return float(noise.normal())
def adds(): np.add(kept, 1, out=kept); return float(kept[0])
def turned():
    for turn in turns:
        return float(turn)

def made(effect):
    v, optimizer = tf.Variable([1.0, 2.0]), tf.keras.optimizers.Adam(0.1)

    @tf.function
    def step(x):
        x = x + effect()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * v * x)
        optimizer.apply_gradients([(tape.gradient(loss, v), v)])
        return loss

    return [float(step(tf.constant(1.0))) for _ in range(2)]

print([made(effect) for effect in (draws, adds, turned)], float(noise.normal()), kept, next(turns))
"""


@pytest.mark.tensorflow
@pytest.mark.parametrize("without", ["cache-functions", pytest.param("memoise-signatures", marks=pytest.mark.suite)])
def test_a_step_that_changes_something_runs_its_second_trace_as_plainly(box, tensorflow_python, without):
    box.write("program.py", PROGRAM)
    plain = box.plain("program.py", python=tensorflow_python)
    assert box.boost("program.py", python=tensorflow_python, options=("--without", without)).out == plain.out
