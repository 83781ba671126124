"""What a trace does to state that no attribute shows: inside native objects, and in the process."""

import json
import textwrap

import pytest
from replay_harness import check_same, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

HEAD = """
import _thread, array, asyncio, atexit, bz2, codecs, collections, collections.abc, contextvars, csv, ctypes, datetime, decimal, enum, faulthandler, functools, gc, hashlib, hmac, importlib, inspect, io, itertools, json, locale, logging, lzma
import mmap, pickle, re, resource, signal, socket, sqlite3, sys, textwrap, threading, time, tracemalloc, types, weakref, xml.parsers.expat, zlib
import numpy as np
import tensorflow as tf
from absl import flags

class Pair(ctypes.Structure):
    _fields_ = [("a", ctypes.c_int)]

class Lines(io.StringIO):
    pass

@functools.lru_cache
def cached(n):
    return n

heard = []
S = sys.modules["stash"] = types.ModuleType("stash")  # reached by a computed name, which no filter finds

def stash():
    return importlib.import_module("sta" + "sh")

class Held:
    n = 0

class Colour(enum.Enum):
    RED = 1

def counting():
    n = 0
    def count():
        nonlocal n
        n += 1
        return n
    return count

def numbers():
    yield from range(9)

def put():  # objects that no module of the program's leads to
    tf.held, tf.Module.held, np.held = Held(), Held(), [Held()]
    tf.keras.utils.get_custom_objects()["held"] = Held()
    tf.space = types.SimpleNamespace(n=0)
    logging.getLogger("one").counted = {"n": 0}
    logging.getLogger("one").addHandler(logging.NullHandler())
    flags.DEFINE_integer("put", 1, "")
    flags.FLAGS(["program"])
    tf.kept_object, tf.kept_items, tf.kept_queue = textwrap.TextWrapper(), collections.UserDict(), collections.deque([1])
    tf.kept_object.within, tf.kept_array = {"a": [{"b": {"c": [0]}}]}, np.zeros(1 << 19)
    tf.kept_order, tf.kept_counts, tf.kept_dispatch = collections.OrderedDict(a=1, b=2), collections.Counter(), functools.singledispatch(len)
    tf.compat.v1.get_variable_scope()
    tf.kept_alike, tf.kept_kinds = {"below": -1, "flag": True, "text": "a", "zero": 0.0}, {"list": [1, 2], "set": {1}, "held": Held()}
    tf.kept_deep, tf.kept_long = {"a": [{"b": {"c": [0]}}]}, [0] * 9999
    tf.kept_function, tf.kept_generator, tf.kept_class = counting(), numbers(), type("Made", (), {"n": 0})

def held(owner):
    return getattr(owner, "he" + "ld")

def kept(name):
    return getattr(tf, "kept_" + name)

def finder(name):
    return codecs.lookup("latin1") if name == "mine" else None

put()
"""

# name: (the object, what the trace does to it, what shows it afterwards)
OBJECTS = {
    "text": ("io.StringIO('a\\nb')", "{}.readline()", "{}.readline()"),
    "bytes": ("io.BytesIO(b'abcdef')", "{}.read(2)", "{}.read().hex()"),
    "wrapper": ("io.TextIOWrapper(io.BytesIO(b'a\\nb'))", "{}.readline()", "{}.readline()"),
    "of a class": ("Lines('a\\nb')", "{}.readline()", "{}.readline()"),
    "finditer": ("re.finditer('a', 'banana')", "next({})", "len(list({}))"),
    "scanner": ("re.compile('a').scanner('banana')", "{}.search()", "{}.search().start()"),
    "zlib": ("zlib.compressobj()", "{}.compress(b'abc')", "{}.flush().hex()"),
    "bz2": ("bz2.BZ2Compressor()", "{}.compress(b'abc')", "{}.flush().hex()"),
    "lzma": ("lzma.LZMACompressor()", "{}.compress(b'abc')", "{}.flush().hex()"),
    "hmac": ("hmac.new(b'k', digestmod='sha256')", "{}.update(b'abc')", "{}.hexdigest()"),
    "sha": ("hashlib.sha3_256()", "{}.update(b'abc')", "{}.hexdigest()"),
    "blake": ("hashlib.blake2b()", "{}.update(b'abc')", "{}.hexdigest()"),
    "shake": ("hashlib.shake_128()", "{}.update(b'abc')", "{}.hexdigest(8)"),
    "ctypes array": ("(ctypes.c_double * 2)()", "{}.__setitem__(0, 5.0)", "list({})"),
    "ctypes structure": ("Pair(1)", "setattr({}, 'a', 4)", "{}.a"),
    "mmap": ("mmap.mmap(-1, 16, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)", "{}.__setitem__(slice(0, 2), b'ab')", "bytes({}[:3]).hex()"),
    "array": ("array.array('d', [1.0])", "{}.append(2.0)", "list({})"),
    "nditer": ("np.nditer(np.arange(3.0))", "next({})", "float({}.value)"),
    "nditer that has begun": ("np.nditer(np.arange(3.0))", "next({})", "float(next({}))"),
    "flat": ("np.arange(3.0).flat", "next({})", "float(next({}))"),
    "broadcast": ("np.broadcast([1, 2, 3], [4])", "next({})", "int(next({})[0])"),
    "ndenumerate": ("np.ndenumerate(np.arange(3.0))", "next({})", "next({})[0]"),
    "repeated": ("tf.train.Int64List(value=[1]).value", "{}.append(2)", "list({})"),
    "map field": ("tf.train.Features().feature", "{}['a'].int64_list.value.append(2)", "len({})"),
    "lock": ("threading.Lock()", "{}.acquire()", "{}.locked()"),
    "rlock": ("threading.RLock()", "{}.acquire()", "repr({}).partition('count=')[2][:1]"),
    "lru_cache": ("cached", "{}(3)", "repr({}.cache_info())"),
    "sqlite": ("sqlite3.connect(':memory:', isolation_level=None)", "{}.execute('create table t (x)')",
               "len({}.execute('select * from sqlite_master').fetchall())"),
    "csv": ("csv.reader(['a', 'b'])", "next({})", "{}.line_num"),
    "expat": ("xml.parsers.expat.ParserCreate()", "{}.Parse('<a>')", "{}.CurrentByteIndex"),
    "count": ("itertools.count()", "next({})", "next({})"),
    "cycle": ("itertools.cycle('abc')", "next({})", "next({})"),
    "tee": ("itertools.tee('abc')[0]", "next({})", "next({})"),
    "zip": ("zip('abc', 'def')", "next({})", "next({})[0]"),
    "reversed": ("reversed([1, 2, 3])", "next({})", "next({})"),
    "map": ("map(str, [1, 2, 3])", "next({})", "next({})"),
    "dict items": ("iter({{'a': 1, 'b': 2}}.items())", "next({})", "next({})[0]"),
    "memoryview": ("memoryview(bytearray(b'abc'))", "{}.__setitem__(0, 65)", "{}.tobytes().hex()"),
    "generator": ("(n for n in range(3))", "next({})", "next({})"),
    "pickler": ("pickle.Pickler(io.BytesIO())", "{}.dump(('a', 'b'))", "len({}.memo.copy())"),
    # what a program puts on objects that are told by what they are
    "dataset": ("tf.data.Dataset.range(3)", "setattr({}, 'note', 1)", "getattr({}, 'note', 0)"),
    "dataset's iterator": ("iter(tf.data.Dataset.range(3))", "setattr({}, 'note', 1)", "getattr({}, 'note', 0)"),
    "strategy": ("tf.distribute.OneDeviceStrategy('/cpu:0')", "setattr({}, 'note', 1)", "getattr({}, 'note', 0)"),
    "graph": ("tf.Graph()", "setattr({}, 'seed', 1)", "{}.seed"),
    "collection of a graph": ("tf.Graph()", "{}.add_to_collection('a', 1)", "{}.get_collection('a')"),
    "specification": ("tf.TensorSpec([2])", "setattr({}, 'note', 1)", "getattr({}, 'note', 0)"),
    "dtype": ("tf.float16", "setattr({}, 'note', 1)", "getattr({}, 'note', 0)"),
    "signature": ("inspect.signature(len)", "setattr({}, '_return_annotation', 1)", "str({})"),
    "logger of no tree": ("logging.Logger('own')", "setattr({}, 'note', 1)", "getattr({}, 'note', 0)"),
    "future": ("asyncio.new_event_loop().create_future()", "setattr({}, 'note', 1)", "getattr({}, 'note', 0)"),
    "date of a class": ("type('Day', (datetime.date,), {{}})(2000, 1, 1)", "setattr({}, 'note', 1)", "getattr({}, 'note', 0)"),
    "number of a class": ("type('Number', (np.float64,), {{}})(2.)", "setattr({}, 'note', 1)", "getattr({}, 'note', 0)"),
    "logger of a class": ("type('Own', (logging.Logger,), {{}})('own')", "setattr({}, 'note', 1)", "getattr({}, 'note', 0)"),
    "finalizer": ("weakref.finalize(Held, id, 1)", "setattr({}, 'atexit', False)", "{}.atexit"),
    "context variable": ("contextvars.ContextVar('v', default=1)", "{}.set(2)", "{}.get()"),
}

# name: (what the trace does, what shows it afterwards)
PROCESS = {
    "switch interval": ("sys.setswitchinterval(0.01)", "sys.getswitchinterval()"),
    "collector": ("gc.set_threshold(701, 11, 11)", "gc.get_threshold()[0]"),
    "signal": ("signal.signal(signal.SIGUSR1, signal.SIG_IGN)", "str(signal.getsignal(signal.SIGUSR1))"),
    "limit": ("resource.setrlimit(resource.RLIMIT_CORE, (0, 0))", "resource.getrlimit(resource.RLIMIT_CORE)[1]"),
    "locale": ("locale.setlocale(locale.LC_NUMERIC, 'C.UTF-8')", "locale.setlocale(locale.LC_NUMERIC, None)"),
    "sockets": ("socket.setdefaulttimeout(3.0)", "socket.getdefaulttimeout()"),
    "asyncgen": ("sys.set_asyncgen_hooks(firstiter=len)", "str(sys.get_asyncgen_hooks().firstiter)"),
    "coroutines": ("sys.set_coroutine_origin_tracking_depth(3)", "sys.get_coroutine_origin_tracking_depth()"),
    "fault handler": ("faulthandler.enable()", "faulthandler.is_enabled()"),
    "tracemalloc": ("tracemalloc.start()", "tracemalloc.is_tracing()"),
    "profile of threads": ("threading.setprofile(len)", "str(threading.getprofile())"),
    "debugging of the collector": ("gc.set_debug(gc.DEBUG_STATS)", "gc.get_debug()"),
    "audit hook": ("sys.addaudithook(lambda name, arguments: heard.append(1) if name == 'zz' else None)", "sys.audit('zz') or heard"),
    "stack": ("threading.stack_size(1 << 20)", "threading.stack_size()"),
    "decimal": ("setattr(decimal.getcontext(), 'prec', 9)", "decimal.getcontext().prec"),
}

# The same of what hangs on a library: the program's objects there, its registries and settings.
LIBRARIES = {
    "on a module": ("held(tf).n = 1", "tf.held.n"),
    "on a class": ("held(tf.Module).n = 1", "tf.Module.held.n"),
    "in a module's list": ("held(np)[0].n = 1", "np.held[0].n"),
    "in a registry": ("tf.keras.utils.get_custom_objects()['held'].n = 1", "tf.keras.utils.get_custom_objects()['held'].n"),
    "in a namespace": ("getattr(tf, 'sp' + 'ace').n = 1", "tf.space.n"),
    "on a logger": ("logging.getLogger('one').counted['n'] = 1", "logging.getLogger('one').counted"),
    "level of a handler": ("logging.getLogger('one').handlers[0].setLevel(40)", "logging.getLogger('one').handlers[0].level"),
    "name of a level": ("logging.addLevelName(5, 'TRACE')", "logging.getLevelName(5)"),
    "what logging raises": ("logging.raiseExceptions = False", "logging.raiseExceptions"),
    "hook of threads": ("setattr(threading, 'excepthook', print)", "threading.excepthook is print"),
    "handler of errors": ("codecs.register_error('mine', codecs.ignore_errors)", "b'\\xff'.decode('ascii', 'mine')"),
    "codec": ("codecs.register(finder)", "'a'.encode('mine').hex()"),
    "csv's limit": ("csv.field_size_limit(77)", "csv.field_size_limit()"),
    "abstract class": ("collections.abc.Sequence.register(Held)", "issubclass(Held, collections.abc.Sequence)"),
    "NumPy's errors": ("np.seterrcall(print)", "np.geterrcall() is print"),
    "NumPy's buffers": ("np.setbufsize(16384)", "np.getbufsize()"),
    "a flag": ("setattr(flags.FLAGS, 'put', 3)", "flags.FLAGS.put"),
    "an object of a library's class": ("kept('object').width = 5", "tf.kept_object.width"),
    "a registry": ("kept('items')['a'] = 1", "dict(tf.kept_items)"),
    "a queue": ("kept('queue').append(2)", "list(tf.kept_queue)"),
    "an order": ("kept('order').move_to_end('a')", "list(tf.kept_order)"),
    "counts": ("kept('counts').update('aab')", "dict(tf.kept_counts)"),
    "a registry in a closure": ("kept('dispatch').register(int, Held)", "int in tf.kept_dispatch.registry"),
    "a cell of a function": ("kept('function')()", "tf.kept_function()"),
    "an attribute of a function": ("kept('function').note = 1", "vars(tf.kept_function)"),
    "a generator": ("next(kept('generator'))", "next(tf.kept_generator)"),
    "a class that was made there": ("setattr(kept('class'), 'n', 1)", "tf.kept_class.n"),
    "a member of an enumeration": ("setattr(Colour.RED, 'note', 1)", "getattr(Colour.RED, 'note', 0)"),
    "an enumeration": ("type.__setattr__(Colour, 'extra', 1)", "getattr(Colour, 'extra', 0)"),
    "deep within containers": ("kept('deep')['a'][0]['b']['c'][0] = 1", "tf.kept_deep"),
    "deep within an object's containers": ("kept('object').within['a'][0]['b']['c'][0] = 1", "tf.kept_object.within"),
    # what Python's own hash takes for the same
    "from one below to two below": ("kept('alike')['below'] -= 1", "tf.kept_alike['below']"),
    "from true to one": ("kept('alike')['flag'] = 1", "repr(tf.kept_alike['flag'])"),
    "from text to bytes": ("kept('alike')['text'] = b'a'", "repr(tf.kept_alike['text'])"),
    "from nothing to less than nothing": ("kept('alike')['zero'] = -0.0", "repr(tf.kept_alike['zero'])"),
    "from a list to a tuple": ("kept('kinds')['list'] = (1, 2)", "repr(tf.kept_kinds['list'])"),
    "from a set to a frozen one": ("kept('kinds')['set'] = frozenset([1])", "repr(tf.kept_kinds['set'])"),
    "from an object to its address": ("kept('kinds')['held'] = id(kept('kinds')['held'])", "type(tf.kept_kinds['held']).__name__"),
    "amid a large array": ("kept('array')[1 << 18] = 1", "float(tf.kept_array.sum())"),
    "amid a long list": ("kept('long')[5555] = 1", "sum(tf.kept_long)"),
    "keyword defaults of a function": ("json.dumps.__kwdefaults__['indent'] = 1", "json.dumps([1])"),
    "code of a function": ("locale.str.__code__ = (lambda number: 'other').__code__", "locale.str(1.0)"),
    "variables' scope": ("with tf.init_scope(): tf.compat.v1.get_variable_scope().set_regularizer(len)",
                         "tf.compat.v1.get_variable_scope().regularizer is len"),
    "a collection": ("with tf.init_scope(): tf.compat.v1.get_default_graph().add_to_collection('mine', 1)", "tf.compat.v1.get_collection('mine')"),
    "all loggers": ("logging.disable(logging.WARNING)", "logging.root.manager.disable"),
}


def program(objects, process):
    lines = [HEAD]
    actions = []
    for number, (made, done, shown) in enumerate(objects.values()):
        lines.append(f"S.o{number} = {made.format()}")
        actions.append((done.format(f"stash().o{number}"), shown.format(f"stash().o{number}", f"stash().o{number}")))
    actions += process.values()
    for number, (done, _) in enumerate(actions):
        lines.append(f"def f{number}(x):\n    {done}\n    return x * 2.\nf{number} = tf.function(f{number}, autograph=False)\nf{number}(tf.ones(2))")
    lines.append(f"print(json.dumps([{', '.join(shown for _, shown in actions)}]))")
    return textwrap.dedent("\n".join(lines))


def _check(laboratory, names):
    plainly = json.loads(laboratory.plain().out)
    for _ in range(3):
        ran = laboratory.boost({"proof": "wait", "goes_on": True})
        assert dict(zip(names, json.loads(ran.out))) == dict(zip(names, plainly))
        assert not ran.functions("disproved")


def _some(cases, first):
    """Every fourth of them, from the first on."""
    return {name: cases[name] for name in [*cases][first::4]}


@pytest.mark.suite
@pytest.mark.parametrize("first", range(4))
def test_state_that_no_attribute_shows_is_what_the_trace_left(lab, first):  # noqa: F811
    objects, process = _some(OBJECTS, first), _some(PROCESS, first)
    _check(lab(program(objects, process)), [*objects, *process])


@pytest.mark.suite
@pytest.mark.parametrize("first", range(4))
def test_what_hangs_on_a_library_is_what_the_trace_left(lab, first):  # noqa: F811
    libraries = _some(LIBRARIES, first)
    _check(lab(program({}, libraries)), [*libraries])


LEDGER = """
class Ledger:
    __slots__ = ("n", "within")

    def __init__(self, within=None):
        self.n, self.within = 0, within

    def note(self):
        self.n += 1

class Table(dict):
    pass

def _counting():
    n = 0
    def count():
        nonlocal n
        n += 1
        return n
    return count

class _Shared:
    pass

KEPT, TABLE, COUNT, _shared = Ledger(Ledger()), Table(), _counting(), _Shared()
_shared.tables = {"one": Table(n=0)}
"""
OF_A_LIBRARY = """
import importlib, json, os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "site-packages"))
import tensorflow as tf

def of(name):  # by a computed name: no path leads there from here
    return getattr(importlib.import_module("led" + "ger"), name)

ACTIONS = {
    "object": lambda: setattr(of("KEPT"), "n", 5),
    "within": lambda: setattr(of("KEPT").within, "n", 6),
    "table": lambda: of("TABLE").update(a=1),
    "closure": lambda: of("COUNT")(),
    "shared": lambda: getattr(of("_shared"), "tab" + "les").update(two=2),
    "nothing": lambda: None,
}
of("KEPT")

def traced(name, act):
    def step(x):
        act()
        return x * 2.
    step.__name__ = name
    return tf.function(step, autograph=False)

for name, act in ACTIONS.items():
    traced(name, act)(tf.ones(2))
print(json.dumps([of("KEPT").n, of("KEPT").within.n, of("TABLE"), of("COUNT")(), of("_shared").tables]))
"""


@pytest.mark.suite
def test_what_a_library_keeps_is_what_the_trace_left(lab, tmp_path):  # noqa: F811
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "ledger.py").write_text(LEDGER)
    laboratory = lab(OF_A_LIBRARY)
    plain = laboratory.plain().out
    for _ in range(3):
        ran = laboratory.boost({"proof": "wait", "goes_on": True})
        assert ran.out == plain and not ran.functions("disproved"), ran.notes
    assert ran.functions("live") == ["nothing"]


def test_what_is_given_back_within_the_trace_hinders_no_answer(lab):  # noqa: F811
    laboratory = lab(HEAD + textwrap.dedent("""
        S.lock, S.kept, S.text, S.written = threading.RLock(), hashlib.sha256(b"a"), io.StringIO("abc"), io.StringIO()
        print("what was", "written before", file=S.written)

        @tf.function(autograph=False)
        def f(x):
            with stash().lock, np.errstate(all="ignore"):
                return x * len(stash().kept.hexdigest())

        print(float(f(tf.constant(2.0))))
    """), alone=True)  # what the others are forks of keeps something that is another in each
    plain = laboratory.plain()
    laboratory.learned()
    ran = laboratory.boost()
    assert ran.out == plain.out and ran.functions("live") == ["f"]


AT_ONCE = """
import sys, threading
import tensorflow as tf
ITERATOR, VARIABLE, GENERATOR = iter(tf.data.Dataset.range(99)), tf.Variable(2.), tf.random.Generator.from_seed(1)

def handle():
    return tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="bare", container="")

tf.raw_ops.AssignVariableOp(resource=handle(), value=3.)
tf.random.set_global_generator(tf.random.Generator.from_seed(1))

@tf.function
def inner():
    return tf.random.uniform((), seed=3)

def drawn(): tf.random.normal((2,), seed=2)
def shuffled(): tf.random.shuffle(tf.range(5), seed=3)
def dropped(): tf.nn.dropout(tf.ones(8), 0.5, seed=4)
def raw(): tf.raw_ops.RandomStandardNormal(shape=[2], dtype=tf.float32, seed=5, seed2=6)
def taken(): next(ITERATOR)
def called(): inner()
def generated(): GENERATOR.normal(())
def printed(): tf.print("traced", output_stream=sys.stdout)
def staged(): tf.raw_ops.Stage(values=[tf.ones(2)])
def bare(): tf.raw_ops.AssignVariableOp(resource=handle(), value=4.)
def reset(): tf.random.get_global_generator().reset_from_seed(5)
def pure(): tf.linspace(0., 1., 3) * VARIABLE

for act in (drawn, shuffled, dropped, raw, taken, called, generated, printed, staged, bare, reset, pure):
    def step(x):
        with tf.init_scope():
            act()
        return x
    step.__name__ = act.__name__
    print(act.__name__, tf.function(step, autograph=False)(tf.ones(())).numpy())
tf.random.set_seed(7)
print(tf.random.normal((2,), seed=2), tf.random.shuffle(tf.range(5), seed=3), tf.nn.dropout(tf.ones(8), 0.5, seed=4), next(ITERATOR), GENERATOR.normal(()),
      tf.raw_ops.ReadVariableOp(resource=handle(), dtype=tf.float32), tf.random.get_global_generator().uniform(()))
"""


@pytest.mark.suite
def test_what_kernels_and_iterators_remember_of_a_trace_is_not_lost(lab):  # noqa: F811
    ran = check_same(lab(AT_ONCE), ["pure"])
    refused = [name for name, reason in zip(ran.functions("refused"), ran.reasons("refused")) if "an effect or a state of its own" in reason]
    assert refused == ["drawn", "shuffled", "dropped", "raw", "taken", "called", "generated", "printed", "staged", "bare"]


SETTINGS = """
import tensorflow as tf

def optimizer(): tf.config.optimizer.set_experimental_options({"remapping": False})
def precision(): tf.config.experimental.enable_tensor_float_32_execution(False)
def policy(): tf.keras.mixed_precision.set_global_policy("mixed_float16")
def executor(): tf.config.experimental.set_synchronous_execution(False)
def step_number(): tf.summary.experimental.set_step(5)
def nothing(): pass

def make(act):
    def step(x):
        act()
        with tf.name_scope("scope"), tf.device("cpu:0"):
            return x * 2
    step.__name__ = act.__name__
    return tf.function(step, autograph=False)

for act in (nothing, step_number, policy, precision, optimizer, executor):
    print(make(act)(tf.ones(())).numpy())
print(tf.config.optimizer.get_experimental_options(), tf.keras.mixed_precision.global_policy().name, tf.summary.experimental.get_step(),
      tf.config.experimental.tensor_float_32_execution_enabled(), tf.config.experimental.get_synchronous_execution())
"""


@pytest.mark.suite
def test_what_a_trace_sets_in_the_frameworks_is_not_lost(lab):  # noqa: F811
    check_same(lab(SETTINGS), ["nothing"])
