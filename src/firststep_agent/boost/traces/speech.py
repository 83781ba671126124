"""What a trace says: lines printed, warnings and log records, stored on the learning run and said again by a replay.

Warnings are issued again through `warnings`, so that they are counted as shown where they were; printed text is
written as it was; records go to the handlers of the logger that they came from. Whether a logger lets a record through
is asked again by a replay: where the answer is another, the trace would have said something else.
"""

import functools
import sys
import warnings
from _thread import get_ident

from firststep_agent import kinds
from firststep_agent.boost.traces import outlets, through

TYPE_CHECKING = False
if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Literal


class Unrepeatable(Exception):
    """A replay would not say what the trace says; why, in words."""


class Speech:
    """Context manager: everything goes out as before, and `said` keeps it, in order, as JSON-able lists.

    `aloud`: False where it must not go out: it has been said before, or is let out later, when it is known to count. `asked`: [logger,
    level, whether it lets such records through] of every question that the trace asked.
    """

    def __init__(self, aloud: bool = True) -> None:
        self._aloud = aloud
        self.said: list[list[Any]] = []
        self.asked: list[list[Any]] = []
        self._quiet = 0
        self._passing = 0
        self._thread = 0  # no thread's
        self._listens: list[tuple[outlets.Outlet, Callable[..., Any]]] = []
        self._shown_by: tuple[Any, ...] = ()
        self._unrepeatable: str | None = None
        self._held: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []  # what has not gone out: (function, arguments)

    def __enter__(self) -> "Speech":
        self._thread, self._shown_by = get_ident(), _shown_by()
        for stream, names in [(stream, outlets.names(stream)) for stream in outlets.streams()]:
            self._listen(stream, "write", functools.partial(self._writes, names))
        self._listen(warnings, "_showwarnmsg", self._shows)
        logging = sys.modules.get("logging")
        if logging is not None:
            self._listen(logging.Logger, "callHandlers", self._handles)
            self._listen(logging.Logger, "isEnabledFor", self._is_enabled_for)
        return self

    def _listen(self, owner: "Any", name: str, listener: "Callable[..., Any]") -> None:
        self._listens.append((outlets.listen(owner, name, listener), listener))

    def __exit__(self, *exception: "Any") -> "Literal[False]":
        """Nobody of ours stands there any more, unless others listen; what the program has set meanwhile stays."""
        self._thread = 0
        for outlet, listener in self._listens:
            outlet.remove(listener)
        self._listens = []
        return False

    def let_out(self) -> None:
        """Says what has been kept back."""
        held, self._held = self._held, []
        for function, arguments in held:
            function(*arguments)

    def _writes(self, names: str, write: "Callable[[str], Any]", text: str) -> "Any":
        """Text that the program writes to the stream of these names."""
        if self._passing or not self._is_traced():
            return write(text)
        self.said.append(["text", names, text])
        if not self._aloud:
            self._held.append((write, (text,)))
            return len(text)
        self._passing += 1
        try:
            return write(text)
        finally:
            self._passing -= 1

    def _is_traced(self) -> bool:
        """False for what another thread says meanwhile, and for what handlers make of a record that is kept as such."""
        return not self._quiet and get_ident() == self._thread

    def _shows(self, show: "Callable[[Any], Any]", warning: "Any") -> "Any":
        if not self._is_traced() or _shown_by() != self._shown_by:  # the program has warnings elsewhere, for a while
            return show(warning)
        category, name = warning.category, (warning.category.__module__, warning.category.__qualname__)
        self.said.append(["warning", *name, str(warning.message), warning.filename, warning.lineno])
        if _category(*name) is not category:
            self._unrepeatable = f"it warns of a `{category.__qualname__}` while it is traced, which cannot be found by its name"
        return self._quietly(show, warning)

    def _quietly(self, function: "Callable[..., Any]", *arguments: "Any") -> "Any":
        if not self._aloud:
            self._held.append((function, arguments))
            return None
        self._quiet += 1
        try:
            return function(*arguments)
        finally:
            self._quiet -= 1

    def _handles(self, handle: "Callable[..., Any]", logger: "logging.Logger", record: "logging.LogRecord") -> "Any":
        if not self._is_traced():
            return handle(logger, record)
        self.said.append(["log", *_described(record)])
        return self._quietly(handle, logger, record)

    def _is_enabled_for(self, ask: "Callable[..., bool]", logger: "logging.Logger", level: int) -> bool:
        answer = ask(logger, level)
        if self._is_traced() and [logger.name, level, answer] not in self.asked:
            self.asked.append([logger.name, level, answer])
        return answer

    def check(self) -> None:
        """Raises Unrepeatable where something said belongs to this process alone."""
        if self._unrepeatable is not None:
            raise Unrepeatable(self._unrepeatable)
        logger = _other(self.asked)
        if logger is not None:
            raise Unrepeatable(f"it changes for a while what the logger `{logger}` lets through")
        hindrance = goes_otherwise(self.said)
        if hindrance is not None:
            raise Unrepeatable(hindrance)
        for kind, *what in self.said:
            if kind == "log" and what[-1]:
                raise Unrepeatable("it logs an exception, or more than a message, while it is traced")
            with_address = next(filter(None, map(_before_an_address, _words(kind, what))), None)
            if with_address is not None:
                raise Unrepeatable("what it prints, warns of or logs while it is traced names an address in memory, which is another in "
                                   f"each run: `{with_address}`")


def _shown_by() -> "tuple[Any, ...]":
    """Who shows warnings: `catch_warnings(record=True)` sets the second."""
    return warnings.showwarning, warnings._showwarnmsg_impl  # type: ignore[attr-defined]


_PLACE = ("pathname", "lineno", "funcName")


def _described(record: "logging.LogRecord") -> "list[Any]":
    """Logger, level, message and its arguments, where it was made, and whether it carries more than that."""
    known = vars(_empty_record())
    more = bool(record.exc_info or record.stack_info) or record.levelname != _level_name(record.levelno) or any(
        name not in known and name not in ("message", "asctime") for name in kinds.own(record))
    said: tuple[Any, Any] = record.msg, record.args
    if type(record.msg) is not str or type(record.args) is not tuple or not all(kinds.is_just(each, *_PLAIN) for each in record.args):
        said = record.getMessage(), ()
    return [record.name, record.levelno, said[0], list(said[1]), *(getattr(record, name) for name in _PLACE), more]


_PLAIN = (bool, int, float, str, type(None))


def _empty_record() -> "logging.LogRecord":
    import logging

    return logging.LogRecord("", 0, "", 0, "", (), None)


def _level_name(level: int) -> str:
    import logging

    return logging.getLevelName(level)


def _words(kind: str, what: "Sequence[Any]") -> "Sequence[Any]":
    """What of something said may name an address: AutoGraph logs the function that it could not transform, with its own."""
    if kind == "text":
        return what[1:2]
    if kind == "warning":
        return what[2:3]
    return [each for each in (what[2], *what[3]) if type(each) is str]


def _before_an_address(text: str) -> "str | None":
    """The words of `text` that lead to the first address, and what is the same of it in each run; None where there is none."""
    import re

    found = re.search(r"([^\n]{0,60})0x[0-9a-f]{6,}", text)
    return None if found is None else found[1].lstrip() + "0x…"


def changed(asked: "Iterable[Sequence[Any]]") -> "str | None":
    """Which logger lets other records through than when this was learned, in words; None where none does."""
    name = _other(asked)
    return None if name is None else f"the logger `{name}` has another level than when this was learned"


def _other(asked: "Iterable[Sequence[Any]]") -> "str | None":
    return next((name for name, level, answer in asked if _logger(name).isEnabledFor(level) != answer), None)


def goes_otherwise(said: "Iterable[Sequence[Any]]") -> "str | None":
    """Why it may be another text when it is said again, in words, or None."""
    for kind, names, *_ in said:
        if kind == "text" and outlets.names(outlets.of_names(names)) != names:
            return "what it prints while it is traced went elsewhere when this was learned: `sys.stdout` or `sys.stderr` is another"
    code = through.programs_code(said)
    return None if code is None else f"what it says while it is traced goes through {code}, which may read what the trace changes meanwhile"


class Warned:
    """Which warnings have been shown, and are not shown again: as it is now."""

    def __init__(self) -> None:
        self._shown = [(shown, dict(shown)) for shown in (vars(warnings).get("onceregistry", {}), *_shown_by_modules())]

    def put_back(self) -> None:
        """As it was. A module that had shown none before keeps an empty registry."""
        known = {id(shown) for shown, _ in self._shown}
        for shown in _shown_by_modules():
            if id(shown) not in known:
                shown.clear()
        for shown, before in self._shown:
            shown.clear()
            shown.update(before)


def _shown_by_modules() -> "list[dict[Any, Any]]":
    found = [kinds.own(module).get("__warningregistry__") for module in list(sys.modules.values()) if isinstance(module, type(sys))]
    return [each for each in found if type(each) is dict]


def again(said: "Iterable[Sequence[Any]]") -> None:
    """Says what a trace said."""
    for kind, *what in said:
        if kind == "text":
            outlets.of_names(what[0]).write(what[1])
        elif kind == "warning":
            _warn(*what)
        else:
            _log(*what)


def _log(name: str, level: int, message: str, arguments: "Iterable[Any]", pathname: str, lineno: int, function: str, _: bool) -> None:
    logger = _logger(name)
    logger.callHandlers(logger.makeRecord(name, level, pathname, lineno, message, tuple(arguments), None, function))


def _logger(name: str) -> "logging.Logger":
    import logging

    return logging.getLogger(None if name == "root" else name)


def _category(module: str, name: str) -> "Any":
    first, *steps = name.split(".")
    found = kinds.own(sys.modules.get(module)).get(first)
    for step in steps:
        found = getattr(found, step, None)
    return found


def _warn(module: str, name: str, message: str, filename: str, lineno: int) -> None:
    category = _category(module, name)
    owner = next((m for m in list(sys.modules.values()) if kinds.file_of(m) == filename), None)
    registry = vars(owner).setdefault("__warningregistry__", {}) if owner is not None else {}
    warnings.warn_explicit(message, category, filename, lineno, kinds.own(owner).get("__name__"), registry)
