"""Ready as seen from outside the program: a port that it listens on, a URL that answers, a line that is printed."""

from __future__ import annotations

import errno
import os
import socket
import threading
import time
from collections.abc import Mapping
from typing import Protocol

from firststep.launch.line_search import LineSearch
from firststep.launch.readable import readable
from firststep.launch.sentinel import close_all_but
from firststep.model.plan import Until

ATTEMPT_S = 0.2  # longest wait for one answer
BLOCK = 1 << 16
JOIN_S = 0.02
FIRST_ERROR = 400  # of HTTP's status codes
LISTENS = "0A"  # the state of a socket in /proc/net/tcp


class Watch(Protocol):
    """Looks for ready from outside. streams: those of the child to replace, as Popen takes them."""

    streams: Mapping[str, int]

    @property
    def given_up(self) -> bool:
        """Whether it looks no more, and has not seen all."""

    def began(self, pid: int) -> None:
        """The program has been started."""

    def look(self) -> tuple[int, str, str] | None:
        """(monotonic ns, kind, label) once it is ready."""

    def ended(self) -> None:
        """The program has ended: what it did before that can be seen from now on."""

    def close(self) -> None:
        """Releases what it holds, after the program's end."""


def watch_for(until: Until, stdout: int = 1) -> Watch | None:
    """The watch that `until` needs, None where the agent sees ready from inside. stdout: where the program's output goes."""
    if until.kind == "port":
        return _Port(int(str(until.value)))
    if until.kind == "http":
        return _Http(str(until.value))
    if until.kind == "line":
        return _Line(str(until.value), stdout)
    return None


class _Port:
    """Looks into the kernel's tables: a connection would be the one that a program waits for which serves only one.

    What listened on the port before the program is not the program.
    """

    streams: Mapping[str, int] = {}
    given_up = False

    def __init__(self, port: int) -> None:
        self._port = port
        self._before = _listening(port, os.getpid())
        self._pid = os.getpid()

    def began(self, pid: int) -> None:
        self._pid = pid

    def look(self) -> tuple[int, str, str] | None:
        now = _listening(self._port, self._pid)
        if now is None:
            return self._connect()
        return (time.monotonic_ns(), "port", str(self._port)) if now - (self._before or set()) else None

    def _connect(self) -> tuple[int, str, str] | None:
        """Where the kernel has no such table."""
        try:
            socket.create_connection(("localhost", self._port), ATTEMPT_S).close()
        except OSError:
            return None
        return time.monotonic_ns(), "port", str(self._port)

    def ended(self) -> None:
        pass

    def close(self) -> None:
        pass


def _listening(port: int, pid: int) -> set[str] | None:
    """The sockets (inodes) that listen on `port` where process `pid` sees the network; None where that cannot be told."""
    suffix, found, tables = f":{port:04X}", set(), 0
    for table in ("tcp", "tcp6"):
        try:
            with open(f"/proc/{pid}/net/{table}", encoding="ascii") as file:
                for row in file:
                    cells = row.split()
                    if cells[1].endswith(suffix) and cells[3] == LISTENS:
                        found.add(cells[9])
            tables += 1
        except (OSError, ValueError, IndexError):
            continue
    return found if tables or os.path.exists("/proc/net/tcp") else None


class _Http:
    streams: Mapping[str, int] = {}
    given_up = False

    def __init__(self, url: str) -> None:
        self._url = url

    def began(self, pid: int) -> None:
        pass

    def look(self) -> tuple[int, str, str] | None:
        """It is ready where it answers without an error (2xx, 3xx), as for a readiness probe; who is named elsewhere is not asked."""
        import http.client
        import urllib.error
        import urllib.request  # 10 ms, which only those wait for who ask for a URL

        class Stays(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *arguments: object) -> None:
                return None

        try:
            with urllib.request.build_opener(Stays).open(self._url, timeout=ATTEMPT_S) as answer:
                answer.read(1)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code >= FIRST_ERROR:
                return None
        except (OSError, ValueError, http.client.HTTPException):  # the last: what listens there speaks something else
            return None
        return time.monotonic_ns(), "http", self._url

    def ended(self) -> None:
        pass

    def close(self) -> None:
        pass


class _Line:
    """Reads the program's stdout through a terminal or a pipe, whichever it had, and passes every byte on."""

    def __init__(self, pattern: str, stdout: int) -> None:
        self._search = LineSearch(pattern)
        self._stdout = stdout
        self._source, self._sink = _terminal_like(stdout) if os.isatty(stdout) else os.pipe()
        self._ended, self._end = os.pipe()
        self._writers_left = True
        self._over = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self.streams: Mapping[str, int] = {"stdout": self._sink}

    def began(self, pid: int) -> None:
        self._reader.start()

    def look(self) -> tuple[int, str, str] | None:
        found = self._search.look()
        return found and (found[0], "line", found[1])

    @property
    def given_up(self) -> bool:
        return self._search.given_up

    def _read(self) -> None:
        """Until nobody can write any more; or, once the program has ended, until nothing is left of what was written."""
        while True:
            ended = self._ended in readable((self._source, self._ended))
            if ended and not readable((self._source,), 0):
                return
            data = _next(self._source)
            try:
                _pass_on(data, self._stdout)
            except OSError:
                data = b""  # nobody reads any more: the program learns it from its own next write
            if not data:
                self._writers_left = False
                os.close(self._source)
                return
            self._search.hear(data)

    def ended(self) -> None:
        """All that the program has written is read and passed on when this returns."""
        if not self._over:
            self._over = True
            os.close(self._sink)
            os.close(self._end)
            while self._reader.is_alive():
                self._search.look()  # it may wait for that
                self._reader.join(JOIN_S)
            self._search.over()

    def close(self) -> None:
        self.ended()
        os.close(self._ended)
        if self._writers_left:
            _leave_to_another(self._source, self._stdout)


def _terminal_like(stdout: int) -> tuple[int, int]:
    """A new terminal with the size and the modes of that one; what is written to it is not processed twice."""
    import fcntl
    import termios

    source, sink = os.openpty()
    try:
        modes = termios.tcgetattr(stdout)
        modes[1] &= ~termios.OPOST
        termios.tcsetattr(sink, termios.TCSANOW, modes)
        fcntl.ioctl(sink, termios.TIOCSWINSZ, fcntl.ioctl(stdout, termios.TIOCGWINSZ, b"\0" * 8))
    except (OSError, termios.error):
        pass
    return source, sink


def _next(source: int) -> bytes:
    """What comes next; nothing where nobody is left who could write: a terminal says so by an error."""
    try:
        return os.read(source, BLOCK)
    except OSError as error:
        if error.errno == errno.EIO:
            return b""
        raise


def _pass_on(data: bytes, stdout: int) -> None:
    while data:
        data = data[os.write(stdout, data):]


def _leave_to_another(source: int, stdout: int) -> None:
    """The program has ended, and processes that it started may still write: a process of its own passes that on."""
    try:
        if os.fork():
            os.close(source)
            return
    except OSError:
        return  # no process to be had: their output ends here
    try:
        os.setsid()
        close_all_but(stdout, source)
        while data := _next(source):
            _pass_on(data, stdout)
    finally:
        os._exit(0)
