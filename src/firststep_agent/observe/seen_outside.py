"""Ready that is seen from outside (a port, a URL, a line of output) ends the watching as ready from inside does.

The tool cannot call into the process. A thread waits for it to open a named pipe: no time passes in it, and no signal is needed.
Before a fork the thread ends, as the sampler's does: a process that forks must be seen to have one thread less.
"""

from _thread import allocate_lock

from firststep_agent.as_found import os, time
from firststep_agent.clock import now
from firststep_agent.threads import start_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PIPE, SEEN = "stop-watching", "seen-outside"  # the second is there once it was
ENDS_WITHIN_NS = 200_000_000


def start(run: "Any", settings: "dict[str, Any]") -> None:
    listener = _Listener(run)
    listener.listen()
    run.on_exit(listener.leave)
    run.on_fork(listener.restart_after_fork)


class _Listener:
    """Waits until the tool opens the pipe for writing."""

    def __init__(self, run: "Any") -> None:
        self._run = run
        self._path = os.path.join(run.plan["session"], PIPE)
        self._wanted = False
        self._listens = allocate_lock()  # held by the thread while it is there
        run.at_fork(before=self.leave, after_in_parent=self._resume)

    def listen(self) -> None:
        self._wanted = True
        start_thread(self._wait)

    def _wait(self) -> None:
        with self._listens:
            while self._wanted:
                try:
                    os.close(os.open(self._path, os.O_RDONLY | os.O_CLOEXEC))
                except OSError:
                    self._wanted = self._seen()  # the pipe is gone: ready was seen, or the tool has ended
                if self._wanted and self._seen():  # else another process of the program woke its own listener
                    self._wanted = False
                    until = self._run.plan["until"]
                    self._run.reach_ready(now(), until["kind"], str(until["value"]))

    def _seen(self) -> bool:
        return os.path.lexists(os.path.join(self._run.plan["session"], SEEN))

    def leave(self) -> None:
        """Ends the thread."""
        if not self._wanted:
            return
        self._wanted = False
        deadline = now() + ENDS_WITHIN_NS
        while now() < deadline:
            try:
                os.close(os.open(self._path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC))
            except OSError:
                pass  # it does not wait yet, or no longer
            if self._listens.acquire(False):
                self._listens.release()
                return
            time.sleep(0.0005)

    def _resume(self) -> None:
        if self._run.ready_ns is None and not self._run.finished:
            self.listen()

    def restart_after_fork(self) -> None:
        self._listens = allocate_lock()
        self._wanted = False
        if not self._run.finished:
            self.listen()
