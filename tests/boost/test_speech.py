"""Who listens to what a trace says leaves what the trace has set."""

import contextlib
import io
import json
import logging
import sys
import warnings
from unittest import mock

import pytest

from firststep_agent.boost.traces.speech import Speech, Unrepeatable, again, goes_otherwise


class Writes:
    """A stream of a program's own."""

    def __init__(self):
        self.texts = []

    def write(self, text):
        self.texts.append(text)

    def getvalue(self):
        return "".join(self.texts)


class Bare:
    """One that nothing can be set on."""

    __slots__ = ("texts",)
    __init__, write, getvalue = Writes.__init__, Writes.write, Writes.getvalue


class Hides(Writes):
    """One whose class says itself what its attributes are."""

    def __getattribute__(self, name):
        return Writes.write.__get__(self) if name == "write" else object.__getattribute__(self, name)


@pytest.fixture(autouse=True)
def as_before(monkeypatch):
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    monkeypatch.setattr(warnings, "showwarning", mock.Mock())
    monkeypatch.setattr(logging.Logger, "isEnabledFor", logging.Logger.isEnabledFor)


def test_what_nobody_has_set_is_put_back():
    held = sys.stdout, sys.stderr, warnings.showwarning, logging.Logger.isEnabledFor, logging.Logger.callHandlers
    with Speech():
        pass
    assert held == (sys.stdout, sys.stderr, warnings.showwarning, logging.Logger.isEnabledFor, logging.Logger.callHandlers)


def test_a_stream_that_the_trace_puts_there_stays():
    other = io.StringIO()
    with Speech():
        sys.stdout = other
    assert sys.stdout is other


def test_one_stream_in_the_place_of_the_other_is_the_programs_own():
    error = sys.stderr
    with Speech():
        sys.stdout = sys.stderr
    assert sys.stdout is error and sys.stderr is error


def test_who_shows_warnings_from_within_a_trace_on_goes_on_showing_them():
    def shows(*arguments):
        pass

    with Speech():
        warnings.showwarning = shows
    assert warnings.showwarning is shows


def test_warnings_that_a_trace_sends_to_the_log_go_on_to_go_there():
    with Speech():
        logging.captureWarnings(True)
    try:
        assert warnings.showwarning is logging._showwarning
    finally:
        logging.captureWarnings(False)


def test_what_the_program_has_wrapped_around_ours_hears_and_hinders_nothing_afterwards(monkeypatch):
    plain = io.StringIO()
    monkeypatch.setattr(sys, "stdout", plain)

    class Wraps:
        def __init__(self, stream):
            self.stream = stream

        def write(self, text):
            return self.stream.write(text.upper())

    with Speech(aloud=False) as heard:
        sys.stdout = Wraps(sys.stdout)
        logging.Logger.isEnabledFor = lambda logger, level, asked=logging.Logger.isEnabledFor: asked(logger, level)
    sys.stdout.write("a")
    logging.getLogger("afterwards").isEnabledFor(logging.ERROR)
    assert plain.getvalue() == "A" and heard.said == [] and heard.asked == []


def test_a_stream_that_is_given_back_within_the_trace_changes_nothing():
    plain = sys.stdout
    with Speech(), contextlib.redirect_stdout(io.StringIO()):
        pass
    assert sys.stdout is plain


class Outer:
    class Told(UserWarning):
        pass


@pytest.fixture
def logger():
    logger, held = logging.getLogger("of a test"), io.StringIO()
    handler = logging.StreamHandler(held)
    logger.addHandler(handler)
    logger.propagate = False
    yield logger, handler, held
    logger.removeHandler(handler)
    logger.filters.clear()


def is_said_again(say, shown):
    """Whether what `say` says is said again as it was; shown() gives what came out since it was asked last. Raises Unrepeatable."""
    with Speech() as heard:
        say()
    once = shown()
    heard.check()
    again(json.loads(json.dumps(heard.said)))
    return once == shown() != ""


def taken(stream):
    def take():
        text = stream.getvalue()
        stream.seek(0)
        stream.truncate()
        return text

    return take


def test_a_record_is_logged_again_with_what_it_was_made_of(logger):
    logger, handler, held = logger
    handler.setFormatter(logging.Formatter("%(message)s %(msg)s %(args)s %(funcName)s %(levelname)s"))
    assert is_said_again(lambda: logger.error("%s of %d", "a", 3), taken(held))
    assert is_said_again(lambda: logger.error("no arguments"), taken(held))


@pytest.mark.parametrize("by_filter", (False, True))
def test_a_record_that_carries_more_than_a_message_is_not_repeatable(logger, by_filter):
    logger, handler, held = logger
    handler.setFormatter(logging.Formatter("%(user)s %(message)s"))
    if by_filter:
        logger.addFilter(lambda record: setattr(record, "user", "me") or True)
    with pytest.raises(Unrepeatable):
        is_said_again(lambda: logger.error("a", extra=None if by_filter else {"user": "me"}), taken(held))
    assert held.getvalue() == ""


def test_a_warning_of_a_class_within_another_is_of_that_class_again():
    shown = warnings.showwarning = mock.Mock()

    def taken():
        (message, category, *_), _ = shown.call_args
        shown.reset_mock()
        return f"{category.__qualname__} {message}"

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert is_said_again(lambda: warnings.warn(Outer.Told("a"), stacklevel=1), taken)


def test_a_warning_of_a_class_that_cannot_be_found_again_is_not_repeatable():
    class Hidden(UserWarning):
        pass

    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        with Speech() as heard:
            warnings.warn("a", Hidden, stacklevel=1)
    with pytest.raises(Unrepeatable):
        heard.check()


def test_an_address_is_met_wherever_it_is_said():
    made = object()
    for say in (lambda: print(made), lambda: warnings.warn(f"of {made}", stacklevel=1),
                lambda: logging.warning("could not transform %s", made), lambda: logging.warning(f"could not transform {made}")):
        with Speech(aloud=False) as heard:
            say()
        with pytest.raises(Unrepeatable, match="names an address in memory.* `.*<object object at 0x…`$"):
            heard.check()


@pytest.mark.parametrize("aloud", [True, False])
def test_who_has_got_hold_of_the_stream_is_heard(monkeypatch, aloud):
    raw = io.BytesIO()
    held = io.TextIOWrapper(raw, write_through=True)
    monkeypatch.setattr(sys, "stdout", held)
    for say in (lambda: print("a", file=held), lambda: held.write("a\n"), lambda: held.writelines(["a\n"])):
        raw.seek(0)
        raw.truncate()
        with Speech(aloud) as heard:
            say()
        assert "write" not in vars(held) and raw.getvalue() == (b"a\n" if aloud else b"")
        heard.check()
        assert "".join(text for _, _, text in heard.said) == "a\n"


@pytest.mark.parametrize("made", [io.StringIO, Writes, Bare, Hides])
def test_a_stream_stays_where_it_is_and_what_it_is(monkeypatch, made):
    stream = made()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "__stdout__", stream)
    with Speech() as outer:
        with Speech(aloud=False) as heard:
            print("a")
            seen = sys.stdout
            is_own = sys.stdout is stream is sys.__stdout__
        assert heard.said == [["text", "stdout=__stdout__", "a"], ["text", "stdout=__stdout__", "\n"]] and not outer.said
        heard.let_out()
    seen.write("b")
    assert is_own == (made in (io.StringIO, Writes))  # the others can be listened to from outside alone
    assert outer.said == heard.said and stream.getvalue() == "a\nb" and sys.stdout is stream is sys.__stdout__
    assert "write" not in getattr(stream, "__dict__", ())


@pytest.mark.parametrize("made", [io.StringIO, Bare])
def test_they_may_go_in_any_order(monkeypatch, made):
    monkeypatch.setattr(sys, "stdout", made())
    stream, held = sys.stdout, (warnings._showwarnmsg, logging.Logger.callHandlers, logging.Logger.isEnabledFor)
    first, second = Speech(), Speech(aloud=False)
    first.__enter__()
    print("a")
    second.__enter__()
    first.__exit__()
    print("b")
    first.__enter__()
    print("c")
    second.__exit__()
    print("d")
    first.__exit__()
    assert stream.getvalue() == "a\nd\n" and sys.stdout is stream and "write" not in getattr(stream, "__dict__", ())
    assert ["".join(text for _, _, text in each.said) for each in (first, second)] == ["a\nc\nd\n", "b\nc\n"]
    assert held == (warnings._showwarnmsg, logging.Logger.callHandlers, logging.Logger.isEnabledFor)


def test_warnings_that_the_program_records_are_none_that_are_said():
    with Speech(aloud=False) as heard, warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        warnings.warn("a", stacklevel=1)
    assert len(recorded) == 1 and heard.said == []


def test_what_is_said_elsewhere_than_when_it_was_learned_is_another_thing(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys, "__stdout__", sys.stdout)
    with Speech() as heard:
        print("a")
    assert goes_otherwise(heard.said) is None
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert "went elsewhere" in goes_otherwise(heard.said)


def test_what_goes_through_sys_stdout_is_heard_once(monkeypatch):
    raw = io.BytesIO()
    held = io.TextIOWrapper(raw, write_through=True)
    monkeypatch.setattr(sys, "stdout", held)
    handler = logging.StreamHandler(held)
    logger = logging.getLogger("heard once")
    logger.addHandler(handler)
    with Speech() as heard:
        print("a")
        logger.warning("b")
        assert logger.isEnabledFor(level=logging.ERROR)
    logger.removeHandler(handler)
    heard.check()
    assert raw.getvalue() == b"a\nb\n" and [kind for kind, *_ in heard.said] == ["text", "text", "log"]
