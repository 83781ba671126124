"""Writes one process's part of the trace: append-only lines, flushed often enough that a kill loses little.

Every record is one JSON array on one line, its first item the record's type. Schema: docs/trace-schema.md.
"""

import os
from _thread import allocate_lock, get_ident

from firststep_agent.clock import now
from firststep_agent.plain_json import dumps, quote

MAGIC = "firststep-trace"
SCHEMA = 1


class Recorder:
    """Buffers records and writes them to `path` on flush(). Every method is safe to call from any thread."""

    def __init__(self, path, header):
        self.path = path
        self.failed = None  # why nothing is written any more, in words
        self._lines = []
        self._open = {}  # thread -> stack of [kind, name, start]
        self._writing = allocate_lock()
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._lines.append(dumps(header) + "\n")

    def begin(self, kind, name):
        """Opens a span on this thread; returns the token that end() takes."""
        thread = get_ident()
        token = [kind, name, now()]
        stack = self._open.get(thread)
        if stack is None:
            stack = self._open[thread] = []
        stack.append(token)
        return token

    def end(self, token, labels=None):
        """Closes a span. Spans of one thread close in the order of a stack."""
        end = now()
        thread = get_ident()
        stack = self._open.get(thread)
        if stack and stack[-1] is token:
            stack.pop()
        self.span(token[0], token[1], token[2], end, thread, labels)

    def drop(self, token):
        """Takes back a span that is not worth keeping."""
        stack = self._open.get(get_ident())
        if stack and stack[-1] is token:
            stack.pop()

    def span(self, kind, name, start, end, thread, labels=None):
        tail = "," + dumps(labels) if labels else ""
        self._lines.append(f'["s","{kind}",{quote(name)},{start},{end},{thread}{tail}]\n')

    def record(self, *items):
        """Any other record; items[0] is its type."""
        self._lines.append(dumps(items) + "\n")

    def open_spans(self):
        """Records which spans are open now, for a process that may be killed before they end."""
        for thread, stack in list(self._open.items()):
            if stack:
                self.record("o", now(), thread, [list(token) for token in stack])

    def flush(self):
        """Writes what is buffered. A disk that is full ends the recording, never the program."""
        with self._writing:
            lines, self._lines = self._lines, []
            if self.failed or not lines:
                return
            data = "".join(lines).encode("ascii", "backslashreplace")
            try:
                while data:
                    data = data[os.write(self._file, data):]
            except OSError as error:
                self.failed = os.strerror(error.errno) if error.errno else str(error)
