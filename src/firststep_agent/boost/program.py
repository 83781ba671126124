"""Which interpreter and which program this is: what every entry of the cache is filed under.

Two interpreters or two virtual environments never share an entry, nor do two scripts one that belongs to a program.
"""

import sys

from firststep_agent import AGENT_VERSION
from firststep_agent.as_found import os
from firststep_agent.boost.store import digest
from firststep_agent.command_line import command_line
from firststep_agent.signals import is_theirs

_WITH_VALUE = "WX"  # interpreter options whose value is the next word
_OPEN = "/dev/stdin", "/dev/fd/", "/proc/"  # files that are open already, and called another name in each start: `python <(…)`
_HELPERS = tuple(f"from multiprocessing.{each} import " for each in ("spawn", "forkserver", "resource_tracker"))  # their numbers differ
_own: "list[str]" = []  # what this process's program was when it was asked for first: it may leave its folder, or remove it


def environment() -> "dict[str, str]":
    """What tells this interpreter and its environment from any other, as a dict of strings."""
    from _frozen_importlib_external import MAGIC_NUMBER

    return {
        "executable": os.path.realpath(sys.executable or "python"),
        "version": sys.version,
        "prefix": sys.prefix,
        "base_prefix": sys.base_prefix,
        "bytecode": MAGIC_NUMBER.hex(),
        "optimize": str(sys.flags.optimize),
        "columns": str("no_debug_ranges" not in sys._xoptions and not os.environ.get("PYTHONNODEBUGRANGES")),
        "agent": AGENT_VERSION,
    }


def program(words: "list[str] | None" = None, folder: str = "") -> str:
    """What is being run, in words: a script's real path, `-m module` (and where, if it lies there), `-c <digest>`, or `interactive`.
    words: the command line of another process, by default this one's; folder: where that began, if it is not here."""
    if words is not None:
        return _named(words, folder)
    if not _own:
        _own.append(_named(command_line()))
    return _own[0]


def folder() -> "str | None":
    """Where the program is now; None where that is gone."""
    try:
        return os.getcwd()
    except OSError as error:
        if is_theirs(error):
            raise
        return None


def _named(words: "list[str]", folder: str = "") -> str:
    rest = iter(words[1:])
    for word in rest:
        if not word.startswith("-") or word == "-":
            return "stdin" if word == "-" or word.startswith(_OPEN) else os.path.realpath(os.path.join(folder, word))
        if word.startswith("--"):
            if word == "--check-hash-based-pycs":
                next(rest, None)
            continue
        for position, letter in enumerate(word[1:], 2):
            value = word[position:]
            if letter == "m":
                return "-m " + _with_place(value or next(rest, ""), folder)
            if letter == "c":
                return "-c " + _digest_of_code(value or next(rest, ""))
            if letter in _WITH_VALUE:
                if not value:
                    next(rest, None)
                break
    return "interactive"


def _with_place(module: str, folder: str) -> str:
    """A module that lies in the folder where the program begins is another one in another folder."""
    path = os.path.join(folder, module.partition(".")[0])
    if os.path.isdir(path) or os.path.exists(path + ".py"):
        return f"{module} in {os.path.realpath(folder)}"
    return module


def _digest_of_code(code: str) -> str:
    if code.startswith(_HELPERS):
        return code.split()[1]
    return digest(code.encode("utf-8", "surrogateescape")).hex()[:16]


def environment_key() -> str:
    """The key, in hexadecimal, of entries that all programs of this environment share."""
    return _key(environment())


def program_key() -> str:
    """The key, in hexadecimal, of entries of this program in this environment."""
    return _key({**environment(), "program": program()})


def _key(facts: "dict[str, str]") -> str:
    text = "\0".join(f"{name}={value}" for name, value in sorted(facts.items()))
    return digest(text.encode("utf-8", "surrogateescape")).hex()[:32]


def description(shared: bool = False) -> "dict[str, str]":
    """The meta of an entry, for people: which program, which Python, which environment."""
    return {
        "program": "every program of this environment" if shared else program(),
        "python": sys.version.split()[0],
        "prefix": sys.prefix,
    }
