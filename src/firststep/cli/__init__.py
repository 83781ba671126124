"""The command line: one module per verb. This one only sees to it that the program's variables mean nothing to the tool."""

from __future__ import annotations

import io
import os
import stat
import sys

TYPE_CHECKING = False  # the module `typing` would cost each start 10 ms
if TYPE_CHECKING:
    from typing import Any, TextIO

STARTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__main__.py")


def main() -> None:
    """The command. Where Python was started in another way than by the installed script, it is started again, isolated: neither
    PYTHONPATH nor the current folder, which are the program's, say which modules the tool is made of."""
    if not sys.flags.isolated and sys.executable:
        os.execv(sys.executable, [sys.executable, "-I", STARTS, *sys.argv[1:]])
    from firststep.launch.become import plug  # first of all: importing it takes the environment back

    plug()
    from firststep.cli._guard import guarded

    if sys.stdout is None:  # closed: what is printed is lost, as with every command
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # to the end
    elif stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode):
        sys.stdout = _unread(sys.stdout)
    sys.exit(_flushed(guarded(lambda: _run(sys.argv[1:]))))


class _Unread(io.FileIO):
    """A pipe that nobody may read any more: what is written is lost then, and the exit code is what it would be."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            return memoryview(data).nbytes


def _unread(stream: TextIO) -> TextIO:
    raw = io.BufferedWriter(_Unread(stream.fileno(), "wb", closefd=False))
    return io.TextIOWrapper(raw, stream.encoding, stream.errors, line_buffering=bool(stream.line_buffering))


def _flushed(code: int) -> int:
    """The exit code, once all is printed. What nobody reads any more is no failure: Python would make an exit code of its own from it.
    What a full disk does not take is one."""
    lost = None
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError) as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC), stream.fileno())
            if isinstance(error, OSError) and not isinstance(error, BrokenPipeError) and stream is sys.stdout:
                lost = error
    if lost is None or code:
        return code
    from firststep.cli._guard import cannot_print, fail

    return fail(cannot_print(lost))


def _run(words: list[str]) -> int:
    """What is used every day and needs nothing but its words does not wait for the parser of command lines, 50 ms."""
    if words == ["--version"]:
        from firststep_agent import AGENT_VERSION

        print(f"firststep, version {AGENT_VERSION}")
        return 0
    if words[:1] == ["boost"] and words[1:] and (words[1] == "--" or not words[1].startswith("-")):
        from firststep.boost.drive import boost

        wanted = words[1 + (words[1] == "--"):]
        if wanted:
            return boost(wanted)
    from firststep.cli._root import run

    return run(words)
