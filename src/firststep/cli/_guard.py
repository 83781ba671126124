"""What becomes of an error, whoever runs the verb. Imports next to nothing: a boosted start waits for it."""

from __future__ import annotations

from collections.abc import Callable

from firststep import exit_codes, printable
from firststep.errors import FirststepError
from firststep.printable import say


def guarded(act: Callable[[], int]) -> int:
    """The exit code of `act`, or of what went wrong, which is said."""
    try:
        return act()
    except FirststepError as error:
        return fail(error)
    except OSError as error:
        return fail(of_the_machine(error) or fault(error))
    except Exception as error:
        return fail(fault(error))
    except BaseException as error:
        number = _asked_to_end(error)
        if number is None:
            raise
        from firststep.launch.signals import die_of

        die_of(number)  # a loop of the shell ends with it
        return 128 + number


def _asked_to_end(error: BaseException) -> int | None:
    """The signal that an error stands for, if it stands for one."""
    import signal

    from firststep.launch.signals import AskedToEnd

    if isinstance(error, KeyboardInterrupt):
        return signal.SIGINT
    return error.number if isinstance(error, AskedToEnd) else None


def of_the_machine(error: OSError) -> FirststepError | None:
    """What is no fault of firststep's: standard output is full, the working folder is gone, a place is another user's."""
    import errno
    import os

    if error.filename is None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        return cannot_print(error)
    if isinstance(error, FileNotFoundError):
        try:
            os.getcwd()
        except FileNotFoundError:
            return FirststepError("the working folder is gone", "", "cd to a folder that is there", exit_codes.USAGE)
    if isinstance(error, PermissionError) and error.filename is not None:
        return FirststepError(f"{os.fsdecode(error.filename)} cannot be used", error.strerror or str(error),
                              "name a place of your own; where HOME is another user's, set XDG_STATE_HOME", exit_codes.CANNOT_READ)
    return None


def cannot_print(error: OSError) -> FirststepError:
    """Standard output does not take what is printed."""
    return FirststepError("standard output cannot be written", error.strerror or str(error), "send it elsewhere", exit_codes.CANNOT_WRITE)


def fail(error: FirststepError) -> int:
    """Says it. Its exit code."""
    say(error.message(), error=True)
    return error.exit_code


def fault(error: Exception, exit_code: int = exit_codes.FAILED) -> FirststepError:
    """What should not happen: a fault of our own, with the place that a report of it needs."""
    import traceback

    if printable.verbose:
        say("".join(traceback.format_exception(error)).rstrip())
    last = traceback.extract_tb(error.__traceback__)[-1]
    return FirststepError("this is a fault of firststep itself",
                          f"{type(error).__name__}: {error} ({last.filename}:{last.lineno})",
                          "firststep bug, and send what it writes", exit_code)
