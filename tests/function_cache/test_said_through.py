"""What a trace says is said again at once by an answer: code of the program's on its way would find another state, so it is refused."""

import functools
import io
import logging
import sys
import warnings

import pytest
from replay_harness import lab  # noqa: F401

from firststep_agent.boost.traces.through import programs_code


class Formats(logging.Formatter):
    """Of the program's."""


class Handles(logging.StreamHandler):
    """Of the program's."""


class Writes(io.StringIO):
    """Of the program's."""


class Names(logging.Logger):
    """Of the program's."""


class Warns(UserWarning):
    def __str__(self):
        return "own"


class WarnsPlainly(UserWarning):
    pass


def function(*arguments, **keywords):
    return True


def with_formatter(logger, handler):
    handler.setFormatter(Formats())


def with_style(logger, handler):
    handler.setFormatter(logging.Formatter())
    handler.formatter.converter = function


def with_handlers_filter(logger, handler):
    handler.addFilter(function)


def with_filter(logger, handler):
    logger.addFilter(functools.partial(function, 1))


def with_stream(logger, handler):
    handler.stream = Writes()


def with_a_method_set(logger, handler):
    handler.emit = function


def with_a_method_of_the_logger_set(logger, handler):
    logger.makeRecord = function


def with_a_closure(logger, handler):
    handler.addFilter(functools.singledispatch(function))


def with_a_handler(logger, handler):
    logger.addHandler(Handles())


@pytest.fixture
def logger():
    logger = logging.getLogger("said.through")
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger.addHandler(handler)
    logger.propagate = False
    yield logger, handler
    logger.handlers.clear()
    logger.filters.clear()
    vars(logger).pop("makeRecord", None)


@pytest.mark.parametrize("name", ["said.through", "said.through.below"])
@pytest.mark.parametrize("puts", [with_formatter, with_style, with_handlers_filter, with_filter, with_stream, with_a_method_set,
                                  with_a_method_of_the_logger_set, with_a_closure, with_a_handler])
def test_a_log_record_meets_code_of_the_programs(logger, name, puts):
    said = [["log", name, 20, "text"]]
    assert programs_code(said) is None
    puts(*logger)
    assert programs_code(said) is not None


def test_a_record_that_the_programs_factory_makes(logger, monkeypatch):
    monkeypatch.setattr(logging, "_logRecordFactory", function)
    assert programs_code([["log", "said.through", 20, "text"]]) == "`function` of the program's"


def test_a_method_of_pythons_that_the_program_has_replaced(logger, monkeypatch):
    monkeypatch.setattr(logging.StreamHandler, "format", function)
    assert programs_code([["log", "said.through", 20, "text"]]) == "`function` of the program's"


def test_a_logger_of_the_programs_class():
    logging.getLogger("said.own").manager.loggerDict["said.own"] = Names("said.own")
    assert programs_code([["log", "said.own", 20, "text"]]) == "`Names` of the program's"


def test_text_through_a_stream_of_the_programs(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO()))
    said = [["text", "stdout", "line"]]
    assert programs_code(said) is None
    sys.stdout.write = function
    assert programs_code(said) == "`function` of the program's"
    monkeypatch.setattr(sys, "stdout", Writes())
    assert programs_code(said) == "`Writes` of the program's"


def test_text_through_a_buffer_of_the_programs(monkeypatch):
    class Buffer(io.BytesIO):
        pass

    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(Buffer()))
    assert programs_code([["text", "stderr", "line"]]) == f"`{Buffer.__qualname__}` of the program's"


@pytest.mark.parametrize("name", ["showwarning", "formatwarning"])
def test_warnings_through_a_hook_of_the_programs(monkeypatch, name):
    monkeypatch.setattr(warnings, "showwarning", warnings._showwarning_orig)
    said = [["warning", "builtins", "UserWarning", "text", "a.py", 1]]
    assert programs_code(said) is None
    monkeypatch.setattr(warnings, name, function)
    assert programs_code(said) == "`function` of the program's"


def test_warnings_of_a_class_of_the_programs(monkeypatch):
    monkeypatch.setattr(warnings, "showwarning", warnings._showwarning_orig)
    assert programs_code([["warning", __name__, "WarnsPlainly", "text", "a.py", 1]]) is None
    assert programs_code([["warning", __name__, "Warns", "text", "a.py", 1]]) == "`Warns` of the program's"


def test_warnings_that_become_records(monkeypatch, logger):
    monkeypatch.setattr(warnings, "showwarning", logging._showwarning)
    said = [["warning", "builtins", "UserWarning", "text", "a.py", 1]]
    assert programs_code(said) is None
    handler = Handles()
    logging.getLogger("py.warnings").addHandler(handler)
    try:
        assert programs_code(said) == "`Handles` of the program's"
    finally:
        logging.getLogger("py.warnings").removeHandler(handler)


PROGRAM = """
import contextlib, logging, sys
import tensorflow as tf


class Scope:
    depth = 0


@contextlib.contextmanager
def scope():
    Scope.depth += 1
    try:
        yield
    finally:
        Scope.depth -= 1


class Indent(logging.Formatter):
    def format(self, record):
        return "  " * Scope.depth + super().format(record)


@contextlib.contextmanager
def quiet():
    before, plain.level = plain.level, logging.ERROR
    plain.manager._clear_cache()
    yield
    plain.setLevel(before)


log, plain = logging.getLogger("net"), logging.getLogger("plain")
for logger, formatter in (log, Indent("%(message)s")), (plain, logging.Formatter("plain %(message)s")):
    logger.setLevel(logging.INFO)
    logger.addHandler(logging.StreamHandler(sys.stdout))
    logger.handlers[0].setFormatter(formatter)


@tf.function
def indents(x):
    log.info("outside")
    with scope():
        log.info("inside")
        return x * 2.0


@tf.function
def is_quiet_for_a_while(x):
    with quiet():
        plain.info("never said")
        return x * 3.0


@tf.function
def says(x):
    plain.info("said")
    with scope():
        plain.info("said inside")
        return x * 4.0


for step in indents, is_quiet_for_a_while, says:
    print(float(step(tf.ones(()))))
"""


@pytest.mark.suite
@pytest.mark.tensorflow
def test_a_text_that_code_of_the_programs_makes_is_made_by_the_trace(lab):  # noqa: F811
    laboratory = lab(PROGRAM)
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(3)]
    assert [start.out for start in starts] == [plain.out] * 3
    assert starts[-1].functions("live") == ["says"], starts[-1].notes
    assert ["through `Indent` of the program's" in reason or "the logger `plain` lets through" in reason
            for reason in starts[-1].reasons("refused")] == [True, True], starts[-1].notes
    laboratory.program.write_text(PROGRAM.replace('logging.Formatter("plain', 'Indent("plain'))
    assert laboratory.boost().out == laboratory.plain().out
