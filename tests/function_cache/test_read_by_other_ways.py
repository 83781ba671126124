"""Ways of reading a value that no name, attribute or item shows: each counts, or the function is refused."""

import abc
import builtins
import collections.abc
import dataclasses
import locale
import logging
import operator
import pkgutil
import random
import sys
import threading
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


@pytest.mark.parametrize(("make", "one", "other"), [
    (_named, "one", "other"), (_named_class, "one", "other"), (_annotated, int, float), (_annotated, "int", "float"),
    (_annotated, list[int], list[float]), (_annotated_class, 2.0, 3.0),
])
def test_what_functions_and_classes_are_called_and_say_of_their_values_counts(make, one, other):
    assert counts(make, one, other)


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
