"""Ready as seen from outside the program: a port that answers, a URL that answers, a line that is printed."""

from __future__ import annotations

import os
import re
import socket
import sys
import threading
import time
from collections.abc import Mapping
from typing import Protocol

from firststep.model.plan import Until

ATTEMPT_S = 0.2  # longest wait for one answer


class Watch(Protocol):
    """Looks for ready from outside."""

    def streams(self) -> Mapping[str, int]:
        """Streams of the child to replace, as Popen takes them."""

    def look(self) -> tuple[int, str, str] | None:
        """(monotonic ns, kind, label) once it is ready."""

    def close(self) -> None:
        """Releases what it holds, after the program's end."""


def watch_for(until: Until) -> Watch | None:
    """The watch that `until` needs, None where the agent sees ready from inside."""
    if until.kind == "port":
        return _Port(int(str(until.value)))
    if until.kind == "http":
        return _Http(str(until.value))
    if until.kind == "line":
        return _Line(str(until.value))
    return None


class _Port:
    def __init__(self, port: int) -> None:
        self._port = port

    def streams(self) -> Mapping[str, int]:
        return {}

    def look(self) -> tuple[int, str, str] | None:
        try:
            socket.create_connection(("localhost", self._port), ATTEMPT_S).close()
        except OSError:
            return None
        return time.monotonic_ns(), "port", str(self._port)

    def close(self) -> None:
        pass


class _Http:
    def __init__(self, url: str) -> None:
        self._url = url

    def streams(self) -> Mapping[str, int]:
        return {}

    def look(self) -> tuple[int, str, str] | None:
        import urllib.request  # 10 ms, which only those wait for who ask for a URL

        try:
            with urllib.request.urlopen(self._url, timeout=ATTEMPT_S) as answer:
                answer.read(1)
        except (OSError, ValueError):
            return None
        return time.monotonic_ns(), "http", self._url

    def close(self) -> None:
        pass


class _Line:
    """Reads the program's stdout through a terminal or a pipe, whichever it had, and passes every byte on."""

    def __init__(self, pattern: str) -> None:
        self._pattern = re.compile(pattern.encode())
        self._found: tuple[int, str, str] | None = None
        self._source, self._sink = os.openpty() if sys.stdout.isatty() else os.pipe()
        self._reader = threading.Thread(target=self._read, daemon=True)

    def streams(self) -> Mapping[str, int]:
        self._reader.start()
        return {"stdout": self._sink}

    def look(self) -> tuple[int, str, str] | None:
        return self._found

    def _read(self) -> None:
        line = b""
        while True:
            try:
                data = os.read(self._source, 65536)
            except OSError:
                return
            if not data:
                return
            try:
                _pass_on(data)
            except OSError:
                os.close(self._source)  # nobody reads any more: the program learns it from its own next write
                return
            if self._found is None:
                line = self._look_at(line + data)

    def _look_at(self, text: bytes) -> bytes:
        """Looks through the whole lines of `text`; returns the line that is not whole yet."""
        *lines, rest = text.split(b"\n")
        for candidate in lines:
            if self._found is None and self._pattern.search(candidate):
                self._found = (time.monotonic_ns(), "line", candidate.decode(errors="replace"))
        return rest

    def close(self) -> None:
        os.close(self._sink)
        self._reader.join(1.0)


def _pass_on(data: bytes) -> None:
    while data:
        data = data[os.write(1, data):]
