"""Turns a process into the program: what the tool changed in itself for its own sake is put back right before the exec.

Imports next to nothing: a boosted start waits for this.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence

from firststep import exit_codes
from firststep.errors import FirststepError, reason_of

IGNORED = "FIRSTSTEP_SIGNALS_IGNORED"  # the mask of them at the start, by the script that starts Python; no program sees it
PYTHONS_OWN = (signal.SIGPIPE, signal.SIGXFSZ)  # Python ignores them, so whether they were before is not seen from inside


ENVIRONMENT = "FIRSTSTEP_ENVIRONMENT"  # by that script as well: the environment as it was, entries separated by \1
# by a shell, which also leaves out names that are none for it; the last by Python
SET_ON_THE_WAY = ("PWD", "OLDPWD", "SHLVL", "_", "PPID", "OPTIND", "IFS", "PS1", "PS2", "PS4", "LINENO", "RANDOM", "SHELLOPTS", "BASHOPTS",
                  "LC_CTYPE")


def _take_back() -> int:
    """Puts the environment back as it was before the script, in its order; the mask of ignored signals."""
    before = os.environ.pop(ENVIRONMENT, "")
    if before:
        entries = before[:-2].split("\1")
        for name in SET_ON_THE_WAY:
            os.environ.pop(name, None)
        found: dict[str, str] = {}
        for name, equals, value in (entry.partition("=") for entry in entries):
            if name and equals and found.setdefault(name, value) != value:  # there twice: Python takes the first, a shell the last
                os.environ[name] = found[name]
            elif name and equals and name not in os.environ:
                os.environ[name] = value
        names = [entry for entry in entries if "=" not in entry]  # of a long environment: all of them, in their order
        for name in dict.fromkeys([*names, *found]):
            if name in os.environ:
                os.environ[name] = os.environ.pop(name)
    try:
        return int(os.environ.pop(IGNORED, "0"), 16)
    except ValueError:
        return 0


_MASK = _take_back()


def ignored_at_start() -> frozenset[int]:
    """The signals that whoever started the tool has told it to ignore; the program must find them ignored as well."""
    found = {number for number in PYTHONS_OWN if _MASK >> (number - 1) & 1}
    others = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, *PYTHONS_OWN}
    return frozenset(found | {number for number in others if signal.getsignal(number) == signal.SIG_IGN})


def plug() -> None:
    """Puts /dev/null where a standard stream is closed, so that no file of ours gets its number; closed again by exec."""
    while (descriptor := os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)) <= 2:
        pass
    os.close(descriptor)


def restore(ignored: frozenset[int]) -> None:
    """The dispositions that the program would have had. For the process that execs it."""
    for number in (*PYTHONS_OWN, signal.SIGCHLD):
        signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)


def become(command: Sequence[str], environment: Mapping[str, str], ignored: frozenset[int]) -> None:
    """Never returns. Raises FirststepError where `command` cannot be started."""
    restore(ignored)
    try:
        os.execvpe(command[0], list(command), environment)
    except (OSError, ValueError) as error:
        raise cannot_start(command[0], error) from error


def cannot_start(name: str, error: OSError | ValueError) -> FirststepError:
    """Why the program did not start, with what to type instead."""
    if isinstance(error, ValueError):  # a zero byte in a word
        return FirststepError(f"cannot start {name}", str(error), "check the words after `--`", exit_codes.NOT_EXECUTABLE)
    is_file = os.path.isfile(name)
    if isinstance(error, FileNotFoundError) and not (is_file and os.path.dirname(name)):
        advice = f"a script needs its interpreter: `-- python {name}`" if is_file else "check the name after `--`"
        return FirststepError(f"no such program: {name}", reason_of(error), advice, exit_codes.NOT_FOUND)
    if isinstance(error, FileNotFoundError):
        return FirststepError(f"cannot start {name}", "the interpreter that its first line names is not there",
                              f"name one: `-- python {name}`", exit_codes.NOT_FOUND)
    if is_file:
        return FirststepError(f"cannot start {name}", reason_of(error),
                              f"a script needs its interpreter: `-- python {name}`", exit_codes.NOT_EXECUTABLE)
    return FirststepError(f"cannot start {name}", "it is a folder" if os.path.isdir(name) else reason_of(error),
                          "check the name after `--`", exit_codes.NOT_EXECUTABLE)
