"""Objects of Python's libraries and of the frameworks that keep a number, each with a way to read it: for generate.py.

Of many of them no attribute, item or cell holds the number: it stands in memory of their own.
"""

HEAD = """
import array, ast, asyncio, bisect, concurrent.futures, configparser, ctypes, datetime, email.message, fractions, hashlib, heapq, hmac
import http.cookies, io, ipaddress, logging, mmap, pathlib, pickle, queue, random, re, sched, selectors, shelve, sqlite3, string, struct
import tempfile, traceback, typing, urllib.parse, uuid, xml.etree.ElementTree, zlib
import collections.abc

TEXT, WHOLE = repr(VALUE), int(VALUE)


class Pair(ctypes.Structure):
    _fields_ = [("a", ctypes.c_double)]


class Row(typing.NamedTuple):
    x: float


class Text(str):
    pass


class Number(float):
    def __float__(self):
        return self.kept


class Counted(collections.abc.Mapping):
    __slots__ = ("_v",)

    def __init__(self, v):
        self._v = v

    def __getitem__(self, key):
        return self._v

    def __iter__(self):
        return iter(["k"])

    def __len__(self):
        return 1


def made(thing, *steps):
    for step in steps:
        step(thing)
    return thing


def sent(v):
    def generator():
        while True:
            yield v
    return generator()


def failed(v):
    try:
        raise ValueError(v)
    except ValueError as error:
        return error


def database(v):
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("create table t (x real)")
    connection.execute("insert into t values (?)", (v,))
    return connection

KEPT = Plain()
KEPT.x = VALUE
VARIABLE = contextvars.ContextVar("variable", default=0.0)
STASH = sys.modules["stash"] = types.ModuleType("stash")  # reached by a computed name, which no filter finds


def stash():
    return importlib.import_module("sta" + "sh")


def slots(cls):
    return WHOLE if cls.__slots__ else 0


def at_once(read):
    with tf.init_scope():
        return float(read())


def run_kept(name, read):
    def step(tensor):
        found = read()
        return tensor * (tf.cast(found, tf.float32) if tf.is_tensor(found) else float(found))

    step.__name__ = name
    try:
        RESULTS[name] = float(tf.function(step)(tf.constant(1.0)))
    except Exception as error:
        RESULTS[name] = f"{type(error).__name__}: {error}"[:200]
"""

# name: (the object, how its number is read)
KEEPERS = {
    # memory, streams, matches
    "text stream": ("io.StringIO(TEXT)", "obj.getvalue()"),
    "byte stream": ("io.BytesIO(TEXT.encode())", "obj.getvalue()"),
    "text wrapper": ("io.TextIOWrapper(io.BytesIO(TEXT.encode()))", "obj.buffer.getvalue()"),
    "position": ("made(io.BytesIO(b'12345'), lambda s: s.seek(WHOLE))", "obj.tell()"),
    "memory map": ("made(mmap.mmap(-1, 16, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), lambda m: m.write(TEXT.encode()))", "obj[:3]"),
    "C array": ("(ctypes.c_double * 2)(VALUE, 0)", "obj[0]"),
    "C structure": ("Pair(VALUE)", "obj.a"),
    "C number": ("ctypes.c_double(VALUE)", "obj.value"),
    "pointer": ("ctypes.pointer(ctypes.c_double(VALUE))", "obj.contents.value"),
    "memory view": ("memoryview(array.array('d', [VALUE]))", "obj[0]"),
    "byte array": ("bytearray(TEXT.encode())", "bytes(obj)"),
    "array": ("array.array('d', [VALUE])", "obj[0]"),
    "compiled pattern": ("re.compile(TEXT)", "obj.pattern"),
    "match": ("re.match('(.*)', TEXT)", "obj.group(1)"),
    "scanner": ("re.compile('x').scanner('xxxxx', WHOLE)", "len(obj.match().string) + obj.match().start()"),
    "structure's format": ("struct.Struct('b' * WHOLE)", "obj.size"),
    "hash": ("hashlib.sha256(TEXT.encode())", "obj.digest()[0]"),
    "keyed hash": ("hmac.new(b'k', TEXT.encode(), 'sha256')", "obj.digest()[0]"),
    "compressor": ("made(zlib.compressobj(), lambda c: c.compress(TEXT.encode()))", "zlib.crc32(obj.copy().flush()) % 997"),
    "database": ("database(VALUE)", "obj.execute('select x from t').fetchone()[0]"),
    # numbers, dates, words
    "decimal": ("decimal.Decimal(TEXT)", "obj"),
    "decimal context": ("decimal.Context(prec=WHOLE)", "obj.prec"),
    "own decimal context": ("made(decimal.Context(), lambda c: setattr(c, 'prec', WHOLE))", "obj.create_decimal('1.2345')"),
    "fraction": ("fractions.Fraction(WHOLE, 7)", "obj"),
    "date": ("datetime.date(2000, WHOLE, 1)", "obj.month"),
    "duration": ("datetime.timedelta(seconds=VALUE)", "obj.total_seconds()"),
    "time zone": ("datetime.timezone(datetime.timedelta(hours=WHOLE))", "obj.utcoffset(None).total_seconds()"),
    "moment with a zone": ("datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=WHOLE)))", "obj.timestamp() - 9.466e8"),
    "complex": ("complex(0, VALUE)", "obj.imag"),
    "range": ("range(WHOLE, 99)", "obj[0]"),
    "slice": ("slice(WHOLE, 9)", "list(range(9))[obj][0]"),
    "number of a class": ("made(Number(1.0), lambda n: setattr(n, 'kept', VALUE))", "obj"),
    "text of a class": ("made(Text('a'), lambda t: setattr(t, 'kept', VALUE))", "obj.kept"),
    "address": ("ipaddress.ip_address(WHOLE)", "int(obj)"),
    "network": ("ipaddress.ip_network((0, WHOLE * 8))", "obj.prefixlen"),
    "identifier": ("uuid.UUID(int=WHOLE)", "obj.int"),
    "path": ("pathlib.PurePath('a') / TEXT", "obj.name"),
    "parsed address": ("urllib.parse.urlparse('http://h:%d/' % WHOLE)", "obj.port"),
    "template": ("string.Template(TEXT)", "obj.substitute()"),
    "named tuple": ("Row(VALUE)", "obj.x"),
    "flag": ("enum.IntFlag('F', {'a': WHOLE})", "obj.a.value"),
    "enumeration": ("enum.Enum('E', {'a': VALUE})", "obj.a.value"),
    "generic alias": ("typing.Literal[VALUE]", "typing.get_args(obj)[0]"),
    # containers
    "frozen set": ("frozenset([VALUE])", "max(obj)"),
    "bounded queue": ("collections.deque(maxlen=WHOLE)", "obj.maxlen"),
    "order": ("made(collections.OrderedDict(a=2, b=3), lambda o: o.move_to_end('a') if WHOLE == 2 else None)", "next(iter(obj.values()))"),
    "counter": ("collections.Counter('a' * WHOLE)", "obj['a']"),
    "default": ("collections.defaultdict(lambda: VALUE)", "obj.copy()['k']"),
    "weak values": ("made(weakref.WeakValueDictionary(), lambda w: w.update(k=KEPT))", "obj['k'].x"),
    "weak keys": ("made(weakref.WeakKeyDictionary(), lambda w: w.update({KEPT: VALUE}))", "list(obj.values())[0]"),
    "queue": ("made(queue.Queue(), lambda q: q.put(VALUE))", "obj.queue[0]"),
    "simple queue": ("made(queue.SimpleQueue(), *[lambda q: q.put(1)] * WHOLE)", "obj.qsize()"),
    "mapping of a class": ("Counted(VALUE)", "obj['k']"),
    "item of a container of a class": ("type('L', (list,), {})([VALUE])", "obj[0]"),
    "dictionary's view": ("{'a': VALUE}.values()", "max(obj)"),
    "list's iterator": ("made(iter([1.0, 2.0, 3.0, 4.0]), *[next] * WHOLE)", "obj.__length_hint__()"),
    "counting iterator": ("itertools.count(VALUE)", "float(repr(obj)[6:-1])"),
    "repeating iterator": ("itertools.repeat(1, WHOLE)", "obj.__length_hint__()"),
    "generator": ("sent(VALUE)", "obj.gi_frame.f_locals['v']"),
    "error": ("failed(VALUE)", "obj.args[0]"),
    "error's frame": ("failed(VALUE)", "obj.__traceback__.tb_frame.f_locals['v']"),
    # what Python calls
    "code": ("compile(TEXT, 'c', 'eval')", "eval(obj)"),
    "constants of a code": ("(lambda: 0).__code__.replace(co_consts=(None, VALUE))", "obj.co_consts[1]"),
    "tree": ("ast.parse(TEXT, mode='eval')", "ast.literal_eval(obj)"),
    "pickle": ("pickle.dumps(VALUE)", "pickle.loads(obj)"),
    "dispatch": ("made(functools.singledispatch(lambda v: 0), lambda d: d.register(int, lambda v: VALUE))", "obj(1)"),
    "cache": ("made(functools.lru_cache(lambda v: v), *[lambda c: c(WHOLE)] * WHOLE)", "obj.cache_info().hits"),
    "static method": ("staticmethod(lambda: VALUE)", "obj.__func__()"),
    "property": ("property(lambda self: VALUE)", "obj.fget(0)"),
    "descriptor": ("type('C', (), {'__slots__': ('a',)})", "slots(obj)"),
    "signature": ("inspect.Signature([inspect.Parameter('p', inspect.Parameter.KEYWORD_ONLY, default=VALUE)])", "obj.parameters['p'].default"),
    "bound arguments": ("inspect.signature(lambda v: v).bind(VALUE)", "obj.arguments['v']"),
    "parser": ("made(argparse.ArgumentParser(), lambda p: p.set_defaults(k=VALUE))", "obj.get_default('k')"),
    "settings file": ("made(configparser.ConfigParser(), lambda c: c.read_string('[a]\\nb=' + TEXT))", "obj['a']['b']"),
    "message": ("made(email.message.Message(), lambda m: m.set_payload(TEXT))", "obj.get_payload()"),
    "cookie": ("made(http.cookies.SimpleCookie(), lambda c: c.load('a=' + TEXT))", "obj['a'].value"),
    "element": ("xml.etree.ElementTree.fromstring('<a b=\"%s\">%s</a>' % (TEXT, TEXT))", "obj.text"),
    "element's attribute": ("xml.etree.ElementTree.fromstring('<a b=\"%s\"/>' % TEXT)", "obj.get('b')"),
    # threads, tasks, words to the log
    "logger": ("logging.Logger('own', WHOLE * 10)", "obj.level"),
    "logger of the tree": ("made(logging.getLogger('kept'), lambda l: l.setLevel(WHOLE * 10))", "obj.getEffectiveLevel()"),
    "record": ("logging.LogRecord('n', WHOLE, 'p', 1, 'm', (), None)", "obj.levelno"),
    "adapter": ("logging.LoggerAdapter(logging.getLogger('a'), {'x': VALUE})", "obj.extra['x']"),
    "context variable": ("made(contextvars.ContextVar('v', default=0.0), lambda v: v.set(VALUE))", "obj.get()"),
    "context": ("made(contextvars.Context(), lambda c: c.run(VARIABLE.set, VALUE))", "obj[VARIABLE]"),
    "semaphore": ("threading.Semaphore(WHOLE)", "obj._value"),
    "lock": ("made(threading.Lock(), *[lambda l: l.acquire()] * (WHOLE - 2))", "1.0 + obj.locked()"),
    "reentrant lock": ("made(threading.RLock(), *[lambda l: l.acquire()] * WHOLE)", "repr(obj).partition('count=')[2][:1]"),
    "event": ("made(threading.Event(), *[lambda e: e.set()] * (WHOLE - 2))", "1.0 + obj.is_set()"),
    "thread": ("threading.Thread(name=TEXT)", "obj.name"),
    "timer": ("threading.Timer(VALUE, int)", "obj.interval"),
    "future": ("made(concurrent.futures.Future(), lambda f: f.set_result(VALUE))", "obj.result()"),
    "loop": ("made(asyncio.new_event_loop(), lambda l: setattr(l, 'slow_callback_duration', VALUE))", "obj.slow_callback_duration"),
    "task's result": ("made(asyncio.new_event_loop().create_future(), lambda f: f.set_result(VALUE))", "obj.result()"),
    "random": ("random.Random(WHOLE)", "sum(obj.getstate()[1][:9]) % 997"),
    # NumPy
    "array of no dimension": ("np.array(VALUE)", "obj"),
    "view": ("np.arange(9.0)[WHOLE:]", "obj[0]"),
    "strided": ("np.lib.stride_tricks.as_strided(np.arange(9.0), (2,), (8 * WHOLE,))", "obj[1]"),
    "objects": ("np.array([VALUE, None], dtype=object)", "obj[0]"),
    "record array": ("np.array([(VALUE,)], dtype=[('x', 'f8')])", "obj['x'][0]"),
    "record of NumPy": ("np.rec.array([(VALUE,)], dtype=[('x', 'f8')])", "obj.x[0]"),
    "masked": ("np.ma.array([1.0, 2.0], mask=[WHOLE == 2, False], fill_value=7.0)", "obj.filled()[0]"),
    "array of a class": ("made(np.ones(2).view(type('A', (np.ndarray,), {})), lambda a: setattr(a, 'kept', VALUE))", "obj.kept"),
    "type's metadata": ("np.dtype('f8', metadata={'x': VALUE})", "obj.metadata['x']"),
    "moment of NumPy": ("np.datetime64(WHOLE, 's')", "obj.astype(int)"),
    "polynomial": ("np.poly1d([VALUE])", "obj(1)"),
    "vectorised": ("np.vectorize(lambda v: v * VALUE)", "obj(1.0)"),
    "universal function": ("np.frompyfunc(lambda v: v * VALUE, 1, 1)", "obj(1.0)"),
    "flat": ("made(np.arange(9.0).flat, *[next] * WHOLE)", "obj.index"),
    "iterator of NumPy": ("made(np.nditer(np.arange(9.0)), *[next] * WHOLE)", "obj.value"),
    "stream": ("np.random.RandomState(WHOLE)", "obj.get_state()[1][0]"),
    "generator of NumPy": ("np.random.default_rng(WHOLE)", "obj.bit_generator.state['state']['state'] % 997"),
    "seed sequence": ("np.random.SeedSequence(WHOLE)", "obj.entropy"),
    # TensorFlow
    "tensor": ("tf.constant([VALUE] * 200)", "obj[7]"),
    "variable": ("tf.Variable([VALUE] * 200)", "at_once(lambda: obj.numpy()[7])"),
    "ragged": ("tf.ragged.constant([[VALUE], []])", "obj.flat_values[0]"),
    "sparse": ("tf.sparse.from_dense([0.0, VALUE])", "obj.values[0]"),
    "slices": ("tf.IndexedSlices(tf.constant([VALUE]), tf.constant([0]))", "obj.values[0]"),
    "specification": ("tf.TensorSpec([WHOLE])", "obj.shape[0]"),
    "shape": ("tf.TensorShape([WHOLE, None])", "obj.as_list()[0]"),
    "graph's collection": ("made(tf.Graph(), lambda g: g.add_to_collection('k', VALUE))", "obj.get_collection('k')[0]"),
    "graph": ("made(tf.Graph(), lambda g: setattr(g, 'seed', WHOLE))", "obj.seed"),
    "operations of a graph": ("tf.function(lambda: tf.constant(VALUE)).get_concrete_function().graph", "tf.get_static_value(obj.outputs[0])"),
    "concrete function": ("tf.function(lambda: tf.constant(VALUE)).get_concrete_function()", "obj()"),
    "function": ("tf.function(lambda: tf.constant(VALUE))", "obj()"),
    "python function": ("tf.function(lambda: tf.constant(VALUE))", "obj.python_function()"),
    "dataset": ("tf.data.Dataset.range(WHOLE)", "obj.cardinality()"),
    "dataset's tensors": ("tf.data.Dataset.from_tensors(VALUE)", "obj.get_single_element()"),
    "dataset's elements": ("tf.data.Dataset.range(9).batch(WHOLE, drop_remainder=True)", "obj.element_spec.shape[0]"),
    "options": ("made(tf.data.Options(), lambda o: setattr(o.threading, 'private_threadpool_size', WHOLE))", "obj.threading.private_threadpool_size"),
    "table": ("tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(['k'], [VALUE]), -1.0)", "obj.lookup(tf.constant('k'))"),
    "stream of TensorFlow": ("tf.random.Generator.from_seed(WHOLE)", "at_once(lambda: obj.state.numpy()[0] % 97)"),
    "example": ("tf.train.Example(features=tf.train.Features(feature={'k': tf.train.Feature(float_list=tf.train.FloatList(value=[VALUE]))}))",
                "obj.features.feature['k'].float_list.value[0]"),
    "settings of a session": ("tf.compat.v1.ConfigProto(inter_op_parallelism_threads=WHOLE)", "obj.inter_op_parallelism_threads"),
    "strategy": ("made(tf.distribute.OneDeviceStrategy('/cpu:0'), lambda s: setattr(s, 'kept', VALUE))", "obj.kept"),
    "device": ("tf.DeviceSpec(job='j', task=WHOLE)", "obj.task"),
    "step counter": ("made(tf.Variable(0), lambda v: v.assign(WHOLE))", "at_once(lambda: obj.numpy())"),
    "layer": ("tf.keras.layers.Dropout(VALUE / 10)", "obj.rate"),
    "layer in a model": ("tf.keras.Sequential([tf.keras.layers.Rescaling(VALUE)])", "obj.layers[0].scale"),
    "weights": ("made(tf.keras.layers.Dense(1, kernel_initializer=tf.keras.initializers.Constant(VALUE)), lambda l: l.build((1, 1)))",
                "at_once(lambda: obj.get_weights()[0][0, 0])"),
    "optimizer": ("tf.keras.optimizers.SGD(VALUE)", "at_once(lambda: obj.learning_rate.numpy())"),
    "schedule": ("tf.keras.optimizers.schedules.ExponentialDecay(VALUE, 1, 1.0)", "obj(0)"),
    "loss": ("tf.keras.losses.Huber(VALUE)", "obj(tf.zeros(1), tf.fill([1], 9.0))"),
    "metric": ("made(tf.keras.metrics.Mean(), lambda m: m.update_state(VALUE))", "at_once(lambda: obj.result().numpy())"),
    "initializer": ("tf.keras.initializers.Constant(VALUE)", "obj(())"),
    "seeded initializer": ("tf.keras.initializers.RandomUniform(seed=WHOLE)", "obj((1,))[0]"),
    "regularizer": ("tf.keras.regularizers.L2(VALUE)", "obj(tf.ones(1))"),
    "constraint": ("tf.keras.constraints.MaxNorm(WHOLE)", "obj(tf.fill([1], 9.0))[0]"),
    "callback": ("tf.keras.callbacks.EarlyStopping(patience=WHOLE)", "obj.patience"),
    "normalisation": ("made(tf.keras.layers.Normalization(axis=None), lambda l: l.adapt(np.array([VALUE, VALUE + 1])))", "at_once(lambda: np.ravel(obj.mean)[0])"),
    "vocabulary": ("tf.keras.layers.StringLookup(vocabulary=['w'] * 0 + ['a%d' % n for n in range(WHOLE)])", "obj.vocabulary_size()"),
    "lookup of words": ("tf.keras.layers.StringLookup(vocabulary=['a', 'b', 'c'][:WHOLE])", "obj(tf.constant('c'))"),
}
# Where they are held: (statements that hold it, an expression for it in the step)
HELD = {
    "global": ("O_{0} = {1}", "O_{0}"),
    "default": ("D_{0} = {1}", "(lambda kept=D_{0}: kept)()"),
    "attribute": ("A_{0} = with_x(Plain(), {1})", "getattr(A_{0}, chr(120))"),
    "hidden": ("STASH.o_{0} = {1}", "getattr(stash(), 'o_' + {0!r})"),
    "library": ("tf.kept_{0} = {1}", "getattr(tf, 'kept_' + {0!r})"),
}


def source(name, make, read, held):
    """The statements of one case."""
    holds, finds = HELD[held]
    return f"{holds.format(name, make)}\nrun_kept({name!r}, lambda: (lambda obj: {read})({finds.format(name)}))\n"
