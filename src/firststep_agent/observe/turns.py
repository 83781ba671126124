"""Whether the sampling thread gets Python's lock wherever the program is, or only where it lets go of it.

Who waits for the lock has its holder let go after the switch interval, 5 ms, between whichever two instructions that
comes. Where the holder lets go by itself before, as around a read of a file, the lock is had there and then, or it is
taken again at once, and the waiting begins anew: a loop that reads something each millisecond, and works on it in
between, is met at its reads alone, which may take next to nothing, after much waking for nothing. So where the lock was
had before it was asked for, or so, twice in a row, the interval is short from then on: the sampling thread asks before
the loop lets go. Not where the lock was free when it was due, as while a large file is read: that is seen where it is.
Not while the lock is held for longer, since each wait would have it wake that often; nor in the frameworks, whose calls
may hold the lock for minutes.
"""

from _thread import get_native_id
from sys import getswitchinterval, setswitchinterval

from firststep_agent.as_found import os
from firststep_agent.descriptors import open_own
from firststep_agent.imports import is_import_system
from firststep_agent.observe.stacks import threads
from firststep_agent.ownership import FRAMEWORK, is_programs_file, owner
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firststep_agent.observe.stacks import Stack

SHORT_S = 0.00002
FREE_S = 0.00002  # a thread that is due, has a processor and does no work of its own is there within that
ASKED = 0.9  # of the interval: who has waited for as long has asked,
OFTEN = 0.01  # unless it has worked for so much of it: who wakes once an interval works for 0.4% of the time at most
DEEPEST = 8  # frames, of which one is the program's
LONGEST_REST = 32  # samples
OWN = 2  # threads with a frame of Python's: the main one, and the sampling one


class Turns:
    _interval_s: float
    _short_s: "float | None" = None  # as Python has rounded it
    _rest = _rests = 0  # samples until the interval may be short again, and how many that will be the next time
    _is_on_time = False
    _was_late = False  # the sample before, of those that had to wait

    def be_on_time(self) -> None:
        """The kernel wakes this thread when it is due, and not up to 50 us later together with others.

        The first one alone, which begins before the program does: that may listen to who opens files.
        """
        first, self._is_on_time = not self._is_on_time, True
        try:
            if first and os.readlink("/proc/self") == str(os.getpid()):
                with open_own(f"/proc/{get_native_id()}/timerslack_ns", os.O_WRONLY) as file:
                    os.write(file.number(), b"1")
        except OSError as error:
            if is_theirs(error):
                raise

    def missed(self, late_s: float, worked_s: float, stack: "Stack") -> bool:
        """Whether the program may have been met only where it lets go of the lock, and is to be looked at again.

        late_s: after the moment for which it was due; worked_s: of CPU meanwhile; stack: where the program was, innermost first.
        """
        if self._short_s is not None:
            self._go_on(late_s, stack)
            return False
        self._rest -= self._rest > 0
        self._interval_s = getswitchinterval()
        asked = late_s > ASKED * self._interval_s and worked_s < OFTEN * late_s
        if not (asked or self._rest) and late_s - worked_s < FREE_S:  # it tells nothing of the others
            return False
        was_late, self._was_late = self._was_late, not (asked or self._rest) and _is_worth_it(stack)
        if not (was_late and self._was_late):
            return False
        setswitchinterval(SHORT_S)
        self._short_s = getswitchinterval()
        return True

    def _go_on(self, late_s: float, stack: "Stack") -> None:
        if late_s > self._interval_s:  # it has woken for nothing all the while
            self._rest = self._rests = min(2 * self._rests + 1, LONGEST_REST)
            self.end()
        elif not _is_worth_it(stack):
            self.end()
        else:
            self._rests -= self._rests > 0

    def end(self) -> None:
        """The interval is the program's again, unless it has set another."""
        if self._short_s is not None:
            if getswitchinterval() == self._short_s:
                setswitchinterval(self._interval_s)
            self._short_s = None


def _is_worth_it(stack: "Stack") -> bool:
    """Whether the program works there, by itself or in a library that is no framework, and in its one thread: several would take turns
    that often among themselves."""
    if len(threads()) > OWN:
        return False
    for code, _ in stack[:DEEPEST]:
        if is_programs_file(code.co_filename):
            return True
        if is_import_system(code.co_filename) or owner(code.co_filename) == FRAMEWORK:
            return False
    return False
