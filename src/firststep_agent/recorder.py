"""Writes one process's part of the trace: append-only lines, flushed often enough that a kill loses little.

Every record is one JSON array on one line, its first item the record's type. Schema: docs/trace-schema.md.
"""

from _thread import allocate_lock, get_ident

from firststep_agent.as_found import os
from firststep_agent.clock import now
from firststep_agent.descriptors import open_own
from firststep_agent.plain_json import dumps, quote
from firststep_agent.signals import is_theirs
from firststep_agent.writing import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.descriptors import Own

MAGIC = "firststep-trace"
SCHEMA = 1


class Recorder:
    """Buffers records and writes them to `path` on flush(). Every method is safe to call from any thread."""

    def __init__(self, path: str, header: "dict[str, Any]", late: bool = False) -> None:
        """late: the file is made when something is written into it; a process that records nothing has none."""
        self.path = path
        self.failed: str | None = None  # why nothing is written any more, in words
        self._lines: list[str] = []
        self._open: dict[int, list[list[Any]]] = {}  # thread -> stack of [kind, name, start]
        self._writing = allocate_lock()
        self._writer: int | None = None  # the thread that is writing
        self._before: list[Callable[[], object]] = []
        self._header = dumps(header) + "\n"
        self._file: Own | None = None if late else self._created()

    def begin(self, kind: str, name: str) -> "list[Any]":
        """Opens a span on this thread; returns the token that end() takes."""
        thread = get_ident()
        token = [kind, name, now()]
        stack = self._open.get(thread)
        if stack is None:
            stack = self._open[thread] = []
        stack.append(token)
        return token

    def end(self, token: "list[Any]", labels: "dict[str, Any] | None" = None) -> None:
        """Closes a span. Spans of one thread close in the order of a stack."""
        end = now()
        thread = get_ident()
        stack = self._open.get(thread)
        if stack and stack[-1] is token:
            stack.pop()
        self.span(token[0], token[1], token[2], end, thread, labels)

    def drop(self, token: "list[Any]") -> None:
        """Takes back a span that is not worth keeping."""
        stack = self._open.get(get_ident())
        if stack and stack[-1] is token:
            stack.pop()

    def span(self, kind: str, name: str, start: int, end: int, thread: int, labels: "dict[str, Any] | None" = None) -> None:
        tail = "," + dumps(labels) if labels else ""
        self._lines.append(f'["s","{kind}",{quote(name)},{start},{end},{thread}{tail}]\n')

    def record(self, *items: "Any") -> None:
        """Any other record; items[0] is its type."""
        self._lines.append(dumps(items) + "\n")

    def open_spans(self) -> None:
        """Records which spans are open now, for a process that may be killed before they end."""
        for thread, stack in list(self._open.items()):
            if stack:
                self.record("o", now(), thread, [list(token) for token in stack])

    def before_flush(self, callback: "Callable[[], object]") -> None:
        """Calls callback() before what is buffered is written: it records what it has kept so far."""
        self._before.append(callback)

    def flush(self, reopen: bool = True) -> None:
        """Writes what is buffered. A disk that is full ends the recording, never the program.

        The program may have closed the file. It is opened again where `reopen`: a thread of our own leaves that to the
        program's, so that it never holds a number, not even for a moment, that the program expects to get.
        """
        if self._writer == get_ident():
            return  # a signal's handler, in the middle of a write on the same thread
        with self._writing:
            self._writer = get_ident()
            try:
                for callback in self._before:
                    callback()
                self._write(reopen)
            finally:
                self._writer = None

    def _write(self, reopen: bool) -> None:
        if self.failed or not self._lines:
            self._lines.clear()
            return
        try:
            file = self._opened(reopen)
            if file is None:
                return
            lines, self._lines = self._lines, []
            data = "".join(lines).encode("ascii", "backslashreplace")
            write_all(file.number(), data)
        except OSError as error:
            if is_theirs(error):
                raise
            self.failed = os.strerror(error.errno) if error.errno else str(error)

    def _created(self) -> "Own":
        file = open_own(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND)
        self._lines.insert(0, self._header)
        return file

    def _opened(self, reopen: bool) -> "Own | None":
        """The Own of the file, None where it is not open and is not to be opened. Raises OSError."""
        if self._file is None:
            if reopen:
                self._file = self._created()
            return self._file
        try:
            self._file.number()
        except OSError as error:
            if is_theirs(error):
                raise
            if not reopen:
                return None
            identity, again = self._file.identity, open_own(self.path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK)
            if again.identity != identity:
                again.close()
                raise
            self._file = again
        return self._file

    def close(self) -> None:
        """Lets go of the file; what is recorded later opens it again."""
        if self._file is not None:
            self._file.close()

    @property
    def is_new(self) -> bool:
        """Whether nothing has been recorded."""
        return self._file is None and not self._lines
