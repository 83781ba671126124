"""Ways of reading a value that no name, attribute or item shows: each counts, or the function is refused."""

import abc
import builtins
import collections.abc
import contextvars
import csv
import dataclasses
import decimal
import importlib.util
import inspect
import linecache
import locale
import logging
import operator
import os
import pkgutil
import random
import sys
import textwrap
import threading
import time
import traceback
import types
import warnings

import pytest

from firststep_agent.boost.cache_functions.reads import whole
from firststep_agent.boost.cache_functions.reads.verify import verify
from replay_harness import lab  # noqa: F401
from test_what_a_trace_reads import learned, refused


def counts(make, one, other):
    """Whether what `make` gives holds for what it gives of the same, and for nothing that it gives of another."""
    manifest = learned(make(one), 2.0)
    assert verify(manifest, make(one)) is None
    return verify(manifest, make(other)) is not None


class Plugin:
    """What a program finds by its class."""


@pytest.mark.parametrize("read", [
    lambda x: len(Plugin.__subclasses__()),
    lambda x: len(type.__subclasses__(Plugin)),
])
def test_which_classes_there_are_is_asked_of_the_process(read):
    assert "__subclasses__" in refused(read, 1)


@pytest.mark.parametrize("read", [lambda x: random.getstate()[1][0], lambda x, stream=random.Random(1): stream.getstate()[1][0]])
def test_where_a_stream_stands_is_no_value(read):
    assert "(getstate) while it is traced" in refused(read, 1)


@pytest.mark.parametrize("read", [
    lambda x: len(traceback.extract_stack()), lambda x: len(traceback.format_stack()), lambda x: len(list(traceback.walk_stack(None))),
])
def test_who_has_called_is_asked_of_the_process(read):
    assert "while it is traced" in refused(read, 1)


def test_what_threads_read_that_a_trace_begins_is_seen_by_nobody():
    thread = threading.Thread(target=str)
    assert "in a thread of its own" in refused(thread.start)
    thread.join()


@pytest.mark.parametrize(("one", "other"), [(2.0, 3.0), (True, False), ([2], [3]), (None, 2.0), (2.0, types.SimpleNamespace(a=1))])
def test_what_a_program_puts_among_the_built_in_names_counts(monkeypatch, one, other):
    read = types.FunctionType(compile("lambda x: (x, SCALE_OF_ALL)", "/program.py", "eval").co_consts[0], {"__builtins__": builtins})
    monkeypatch.setattr(builtins, "SCALE_OF_ALL", one, raising=False)
    manifest = learned(read, 1.0)
    assert verify(manifest, read) is None
    monkeypatch.setattr(builtins, "SCALE_OF_ALL", other)
    assert "SCALE_OF_ALL" in verify(manifest, read)


def test_a_method_among_the_built_in_names_is_reached(monkeypatch):
    class Words:
        def __init__(self, factor):
            self.factor = factor

        def said(self, x):
            return x * self.factor

    read = types.FunctionType(compile("lambda x: said_so(x)", "/program.py", "eval").co_consts[0], {"__builtins__": builtins})
    monkeypatch.setattr(builtins, "said_so", Words(2.0).said, raising=False)
    manifest = learned(read, 1.0)
    monkeypatch.setattr(builtins, "said_so", Words(3.0).said)
    assert "factor" in verify(manifest, read)


@pytest.mark.parametrize("base", [lambda: abc.ABCMeta("Base", (), {}), lambda: collections.abc.Sequence])
def test_what_is_registered_as_of_an_abstract_class_counts(base):
    base, cls = base(), type("Mine", (), {})
    thing = cls()

    def read(x):
        return x * 2 if isinstance(thing, base) else x

    manifest = learned(read, 1.0)
    assert verify(manifest, read) is None
    base.register(cls)
    assert verify(manifest, read) is not None


@pytest.mark.parametrize("set_", [
    lambda: logging.getLogger("read_by_other_ways").setLevel(logging.ERROR), lambda: logging.disable(logging.ERROR),
    lambda: setattr(logging.getLogger("read_by_other_ways.child"), "disabled", True),
    lambda: setattr(logging.getLogger("read_by_other_ways.child"), "propagate", False),
])
def test_what_a_logger_lets_through_counts(set_):
    logger = logging.getLogger("read_by_other_ways.child")
    logging.getLogger("read_by_other_ways").setLevel(logging.INFO)

    def read(x):
        return x if logger.isEnabledFor(logging.INFO) else x * 2

    manifest = learned(read, 1.0)
    assert verify(manifest, read) is None
    try:
        set_()
        assert verify(manifest, read) is not None
    finally:
        logging.disable(logging.NOTSET)
        logger.disabled, logger.propagate = False, True


def test_how_an_array_lies_in_memory_counts():
    numpy = pytest.importorskip("numpy")

    def using(array):
        return lambda x: x * array.strides[0] * array.ravel(order="K")[1]

    rows = numpy.array([[1.0, 2.0], [3.0, 4.0]])
    assert counts(using, rows, numpy.asfortranarray(rows))
    assert counts(using, numpy.arange(6.0)[::2].reshape(3, 1), numpy.arange(6.0)[::2].reshape(3, 1).copy())


def test_types_of_one_size_that_numpy_does_not_know_are_told_apart():
    numpy, ml_dtypes = pytest.importorskip("numpy"), pytest.importorskip("ml_dtypes")
    array = numpy.array([1, -2, 3]).astype(ml_dtypes.int4)

    def using(array):
        return lambda x: x * array.astype("float32")

    assert counts(using, array, array.view(ml_dtypes.uint4))
    assert counts(using, array[1], array.view(ml_dtypes.uint4)[1])


def test_where_numpys_stream_stands_counts_where_it_is_read():
    numpy = pytest.importorskip("numpy")

    def using(stream):
        return lambda x: x * float(stream.get_state()[1][0])

    def seeded(stream):
        return lambda x: x * stream.bit_generator.seed_seq.entropy

    assert counts(using, numpy.random.RandomState(1), numpy.random.RandomState(2))
    assert counts(seeded, numpy.random.default_rng(1), numpy.random.default_rng(2))


def _named(name):
    def helper(x):
        return x

    helper.__name__ = name
    return lambda x: helper.__name__


def _annotated(kind):
    def helper(x):
        return x

    helper.__annotations__ = {"x": kind}
    return lambda x: helper.__annotations__["x"]


def _annotated_class(kind):
    helper = type("Settings", (), {"__annotations__": {"x": kind}})
    return lambda x: helper.__annotations__["x"]


def _named_class(name):
    helper = type("Settings", (), {})
    helper.__name__ = name
    return lambda x: helper.__name__


def _documented(words):
    def helper(x):
        return x

    helper.__doc__ = words
    return lambda x: helper.__doc__


def _documented_class(words):
    helper = type("Settings", (), {"__doc__": words})
    return lambda x: inspect.getdoc(helper)


def _of_a_version(version):
    helper = types.ModuleType("settings_by_hand")
    helper.__version__ = version
    return lambda x: helper.__version__


def _signed(default):
    signature = inspect.Signature([inspect.Parameter("x", inspect.Parameter.KEYWORD_ONLY, default=default)])
    return lambda x: signature.parameters["x"].default


def _put_on_a_library(value):
    textwrap.dedent.of_the_program = value
    return lambda x: textwrap.dedent.of_the_program


@pytest.mark.parametrize(("make", "one", "other"), [
    (_documented, "one", "other"), (_documented_class, "one", "other"), (_of_a_version, "1", "2"), (_signed, 2.0, 3.0),
    (_signed, [2.0], [3.0]), (_put_on_a_library, 2.0, 3.0),
    (_named, "one", "other"), (_named_class, "one", "other"), (_annotated, int, float), (_annotated, "int", "float"),
    (_annotated, list[int], list[float]), (_annotated_class, 2.0, 3.0),
])
def test_what_functions_and_classes_are_called_and_say_of_their_values_counts(make, one, other):
    assert counts(make, one, other)


def test_what_a_function_says_of_itself_counts_only_where_it_is_read():
    def make(words):
        def helper(x):
            return x

        helper.__doc__ = words
        return lambda x: helper(x)

    assert not counts(make, "one", "other")


@pytest.mark.parametrize("set_", [
    lambda: logging.getLogger("read_by_other_ways").addHandler(logging.NullHandler()),
    lambda: logging.getLogger("read_by_other_ways.child").addFilter(len),
])
def test_the_handlers_and_filters_of_a_logger_count(set_):
    parent, logger = logging.getLogger("read_by_other_ways"), logging.getLogger("read_by_other_ways.child")

    def read(x):
        return x * (len(logger.filters) + len(logger.parent.handlers))

    manifest = learned(read, 1.0)
    assert verify(manifest, read) is None
    try:
        set_()
        assert verify(manifest, read) is not None
    finally:
        logger.filters.clear()
        parent.handlers.clear()


def test_what_a_program_puts_on_a_type_of_numpys_counts():
    numpy = pytest.importorskip("numpy")

    def of_type(value):
        dtype = numpy.dtype("f8", metadata={"unit": value})
        return lambda x: x * dtype.metadata["unit"]

    def of_array(value):
        array = numpy.zeros(2, numpy.dtype("f8", metadata={"unit": value}))
        return lambda x: x * array.dtype.metadata["unit"]

    assert counts(of_type, 2.0, 3.0)
    assert counts(of_array, 2.0, 3.0)


def test_a_line_that_the_program_asks_for_is_of_a_file(tmp_path):
    file = tmp_path / "scale.txt"
    file.write_text("2.0")
    linecache.clearcache()

    def read(x):
        return x * float(linecache.getline(str(file), 1))

    manifest = learned(read, 1.0)
    assert verify(manifest, read) is None
    file.write_text("3.0")
    assert "scale.txt" in verify(manifest, read)


@pytest.mark.parametrize("writes", [True, False])
def test_a_module_that_the_program_has_its_loader_read_is_a_file(tmp_path, monkeypatch, writes):
    monkeypatch.setattr(sys, "dont_write_bytecode", not writes)
    file = tmp_path / "settings_of_a_file.py"
    file.write_text("SCALE = 2.0")

    def read(x):
        spec = importlib.util.spec_from_file_location("settings_of_a_file", file)
        settings = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(settings)
        return x * settings.SCALE

    manifest = learned(read, 1.0)
    assert verify(manifest, read) is None
    assert verify(learned(read, 1.0), read) is None  # now there is bytecode of it
    file.write_text("SCALE = 3.00")
    assert "settings_of_a_file.py" in verify(manifest, read)
    read(1.0)
    manifest = learned(read, 1.0)
    file.write_text("SCALE = 4.000")
    assert "settings_of_a_file.py" in verify(manifest, read)


def _imports_what_is_not_there(x):
    try:
        import a_plugin_that_is_not_there
    except ImportError:
        return x
    return a_plugin_that_is_not_there.scaled(x)


@pytest.mark.parametrize(("read", "why"), [
    (_imports_what_is_not_there, "tries to import `a_plugin_that_is_not_there`"),
    (lambda x: importlib.util.find_spec("a_plugin_that_is_not_there") is None, "(find_spec) while it is traced"),
    (lambda x: time.mktime((2000, 1, 1, 0, 0, 0, 0, 0, 0)), "has the time zone asked for anew"),
    (lambda x: len(contextvars.copy_context()), "copy_context) while it is traced"),
])
def test_what_another_start_may_find_otherwise_is_refused(read, why):
    assert why in refused(read, 1.0)


ZONE = os.environ.get("TZ")


def _in_another_zone():
    os.environ["TZ"] = "XXX-3" if time.timezone != -10800 else "XXX-4"
    time.tzset()
    _as_the_environment_was()


def _as_the_environment_was():
    del os.environ["TZ"]
    if ZONE is not None:
        os.environ["TZ"] = ZONE


@pytest.mark.parametrize(("set_", "put_back"), [
    (_in_another_zone, time.tzset),
    (lambda: sys.setrecursionlimit(sys.getrecursionlimit() + 1), lambda: sys.setrecursionlimit(sys.getrecursionlimit() - 1)),
    (lambda: csv.field_size_limit(9), lambda: csv.field_size_limit(131072)),
    (lambda: csv.register_dialect("of_the_program"), lambda: csv.unregister_dialect("of_the_program")),
    (lambda: setattr(decimal.DefaultContext, "prec", 9), lambda: setattr(decimal.DefaultContext, "prec", 28)),
])
def test_what_c_keeps_for_the_process_is_a_part_of_it(set_, put_back):
    before = dict(whole.process())
    try:
        set_()
        assert dict(whole.process()) != before
    finally:
        put_back()
    assert dict(whole.process()) == before


def test_a_class_that_the_standard_library_makes_for_the_program_is_the_programs():
    def make(scale):
        settings = dataclasses.make_dataclass("Settings", [("used", float, 1.0)], namespace={"SCALE": scale})
        return lambda x: settings.SCALE * x

    def other(scale):
        settings = types.new_class("Settings", (), {}, lambda namespace: namespace.update(SCALE=scale))
        return lambda x: settings.SCALE * x

    assert counts(make, 2.0, 3.0)
    assert counts(other, 2.0, 3.0)


def test_data_of_a_package_are_a_file(tmp_path, monkeypatch):
    package = tmp_path / "package_with_data"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "scale.txt").write_text("2.0")
    monkeypatch.syspath_prepend(str(tmp_path))
    import package_with_data  # noqa: F401  # else a trace imports it

    def read(x):
        return x * float(pkgutil.get_data("package_with_data", "scale.txt"))

    manifest = learned(read, 1.0)
    assert verify(manifest, read) is None
    (package / "scale.txt").write_text("3.0")
    assert "scale.txt" in verify(manifest, read)


def test_an_attribute_is_named_by_what_gets_it():
    get = operator.attrgetter("of_its" + "_own")

    def using(value):
        holder = type("Holder", (), {})()
        holder.of_its_own = value
        return lambda x: x * get(holder)

    assert counts(using, 2.0, 3.0)


@pytest.mark.parametrize("set_", [
    lambda: locale.setlocale(locale.LC_CTYPE, "C.UTF-8" if locale.setlocale(locale.LC_CTYPE) != "C.UTF-8" else "C"),
    lambda: warnings.simplefilter("error"),
])
def test_what_text_and_warnings_go_by_is_a_part_of_the_process(set_):
    before, now = dict(whole.process()), locale.setlocale(locale.LC_ALL)
    with warnings.catch_warnings():
        try:
            set_()
            assert dict(whole.process()) != before
        finally:
            locale.setlocale(locale.LC_ALL, now)
    assert dict(whole.process()) == before
    assert "locale" not in sys.modules or sys.modules["locale"] is locale


OF_VARIABLES = '''
import tensorflow as tf

def main():
    name = open("name.txt").read()
    weight, table = tf.Variable(tf.ones(3), name=name), tf.Variable([[float(len(name))], [1.0]])

    @tf.function
    def decayed(x):
        return x * weight if "bias" in weight.name else x + weight

    @tf.function
    def gathered(x):
        with tf.init_scope():
            factor = float(tf.gather(table, 0)[0])
        return x * factor

    @tf.function
    def by_handle(x):
        with tf.init_scope():
            factor = float(tf.raw_ops.ReadVariableOp(resource=table.handle, dtype=tf.float32)[0, 0])
        return x * factor

    for step in decayed, gathered, by_handle:
        print(step(tf.constant([1.0, 2.0, 3.0])).numpy())

main()
'''


@pytest.mark.suite
@pytest.mark.tensorflow
def test_names_and_values_of_variables_that_are_read(lab, tmp_path):  # noqa: F811
    (tmp_path / "name.txt").write_text("kernel")
    laboratory = lab(OF_VARIABLES)
    confirmed = laboratory.learned()
    assert len(confirmed.reasons("refused")) == 2
    live = laboratory.boost()
    assert live.functions("live") == ["decayed"]
    assert live.out == laboratory.plain().out
    (tmp_path / "name.txt").write_text("bias")
    assert laboratory.boost().out == laboratory.plain().out


OF_FRAMEWORKS = '''
import tensorflow as tf

def main():
    value, objects = float(open("value.txt").read()), tf.keras.utils.get_custom_objects()

    class Masked(tf.experimental.ExtensionType):
        values: tf.Tensor

    class Short(tf.experimental.ExtensionType):
        values: tf.Tensor
        times: int

        class Spec:
            def __repr__(self):
                return "Short"

    def scaled(x, y, name=None):
        return x.values * value

    tf.experimental.dispatch_for_api(tf.add, {"x": Masked})(scaled)

    class Plain:
        pass

    plain = Plain()
    tf.register_tensor_conversion_function(Plain, lambda value, dtype=None, name=None, as_ref=False: tf.constant(7.0))
    if value == 3.0:
        tf.experimental.dispatch_for_api(tf.subtract, {"x": Plain})(lambda x, y, name=None: y * 9.0)
        objects["of_the_program"] = tf.abs

    @tf.function
    def dispatched(x):
        return tf.add(Masked(x), 1.0)

    @tf.function
    def dispatched_later(x):
        return tf.subtract(plain, x)

    @tf.function
    def registered_later(x):
        return x * (2.0 if tf.keras.utils.get_registered_object("of_the_program") is None else 5.0)

    @tf.function
    def of_short_words(x):
        return x.values * x.times

    one = tf.constant(1.0)
    short = Short(one, int(value))
    print(*(float(found) for found in (dispatched(one), dispatched_later(one), registered_later(one), of_short_words(short))))

main()
'''


@pytest.mark.suite
@pytest.mark.tensorflow
def test_what_a_program_registers_and_what_types_say_of_themselves(lab, tmp_path):  # noqa: F811
    (tmp_path / "value.txt").write_text("2")
    laboratory = lab(OF_FRAMEWORKS)
    laboratory.learned()
    live = laboratory.boost()
    assert sorted(live.functions("live")) == ["dispatched", "dispatched_later", "of_short_words", "registered_later"]
    assert live.out == laboratory.plain().out
    (tmp_path / "value.txt").write_text("3")
    changed = laboratory.boost()
    assert changed.functions("live") == []
    assert changed.out == laboratory.plain().out
