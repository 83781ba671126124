"""Which commands start a Python that lets the agent in: only these may see the way in, for only there it is taken out again.

Everything else, a shell script around Python, another language, `python -I`, would pass our variables on to who knows whom.
"""

from firststep_agent.as_found import os
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NAMES = ("python", "pypy")  # what names of interpreters begin with; a version may follow
FIRST_LINE = 4096  # bytes that are read of a script
DEPTH = 5  # scripts whose interpreter is a script
SHUT_OUT = "IES"  # options under which PYTHONPATH, or `sitecustomize`, is not looked at
WITH_VALUE = "WX"
ENDS = "cm"  # the program follows, and then its own words
# Programs that only arrange something and then become, or start, the command in their arguments, which they do not interpret.
LAUNCHERS = frozenset((
    "env nice ionice nohup timeout time setsid stdbuf taskset numactl chrt unshare prlimit strace ltrace perf nsys valgrind gdb "
    "mpirun mpiexec mpiexec.hydra srun uv uvx conda mamba micromamba pixi dumb-init tini"
).split())


def let_in(command: "Iterable[str]", environment: "Mapping[str, str]") -> bool:
    """Whether `command` (a list of str) becomes a Python that finds its `sitecustomize` through PYTHONPATH.

    environment: of the command, for its PATH. A file that cannot be read is none.
    """
    return _let_in(list(command), environment.get("PATH", os.defpath), DEPTH)


def shut_out_by(command: "Iterable[str]") -> str:
    """The option by which `command`, where that is a Python, keeps the agent out, as `-I`; "" where none does."""
    name, *arguments = list(command) or [""]
    letter = _shut_out(arguments) if _is_python(os.path.basename(name)) else ""
    return letter and "-" + letter


def _let_in(words: "list[str]", path: str, depth: int) -> bool:
    if not words or not depth:
        return False
    name = os.path.basename(words[0])
    if _is_python(name):
        return not _shut_out(words[1:])
    if name in LAUNCHERS:
        return _launched(words, path, depth)
    file = _find(words[0], path)
    if file is None:
        return False
    if _is_python(os.path.basename(os.path.realpath(file))):
        return not _shut_out(words[1:])
    return _let_in(_first_line(file, words[1:]), path, depth - 1)


def _launched(words: "list[str]", path: str, depth: int) -> bool:
    """The first later word that is a Python, or a script of one, is the command; `env -i` leaves nothing of ours, and who sets PYTHONPATH
    or takes it away leaves the plan alone. A launcher or a script that comes first is the command itself, whatever its words are."""
    for position, word in enumerate(words[1:], 1):
        if word in ("-i", "--ignore-environment", "-") and os.path.basename(words[0]) == "env" or _loses_path(words[position - 1], word):
            return False
        if word.startswith("-"):
            continue
        if _let_in(words[position:], path, depth - 1):
            return True
        if os.path.basename(word) in LAUNCHERS or _is_script(word, path):
            return False
    return False


def _loses_path(before: str, word: str) -> bool:
    return "PYTHONPATH=" in word or word in ("-uPYTHONPATH", "--unset=PYTHONPATH") or (word == "PYTHONPATH" and before in ("-u", "--unset"))


def _is_script(name: str, path: str) -> bool:
    file = _find(name, path)
    return bool(file and os.access(file, os.X_OK) and _first_line(file, []))


def _is_python(name: str) -> bool:
    """python, python3, python3.11, python3.13t, python3-dbg, pypy3.10; neither python-config nor pythonize."""
    for begin in NAMES:
        if name.startswith(begin):
            rest = name[len(begin):]
            for end in ("-dbg", "-debug", "t", "d", "m", "u"):
                if rest.endswith(end):
                    rest = rest[:-len(end)]
            if not rest.strip("0123456789."):
                return True
    return False


def _shut_out(arguments: "list[str]") -> str:
    """The letter of the interpreter's own option that keeps `sitecustomize`, or PYTHONPATH, away; "" where none does."""
    rest = iter(arguments)
    for word in rest:
        if not word.startswith("-") or word in ("-", "--"):
            return ""
        if word.startswith("--"):
            if word == "--check-hash-based-pycs":
                next(rest, None)
            continue
        for position, letter in enumerate(word[1:], 2):
            if letter in SHUT_OUT:
                return letter
            if letter in ENDS:
                return ""
            if letter in WITH_VALUE:
                if not word[position:]:
                    next(rest, None)
                break
    return ""


def _find(name: str, path: str) -> "str | None":
    """The file that exec would take."""
    if "/" in name:
        return name if os.path.isfile(name) else None
    for folder in path.split(os.pathsep):
        file = os.path.join(folder or ".", name)
        if os.path.isfile(file) and os.access(file, os.X_OK):
            return file
    return None


def _first_line(file: str, arguments: "list[str]") -> "list[str]":
    """The command that the kernel makes of a script; empty where it is none.

    Installers write `#!/bin/sh` and `'''exec' "/path with blanks/python" "$0" "$@"` where a path is too long, or has blanks.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if is_theirs(error):
            raise
        return []
    try:
        head = os.read(descriptor, FIRST_LINE)
    except OSError as error:
        if is_theirs(error):
            raise
        return []
    finally:
        os.close(descriptor)
    if not head.startswith(b"#!"):
        return []
    first, _, second = head[2:].partition(b"\n")
    second = second.partition(b"\n")[0]
    if second.startswith(b"'''exec' "):
        rest = os.fsdecode(second[9:])
        quoted = rest.startswith('"')
        interpreter, _, options = rest[quoted:].partition('"' if quoted else " ")
        return [interpreter, *[word for word in options.split() if not word.startswith('"$')], file, *arguments]
    interpreter, _, option = os.fsdecode(first.strip()).partition(" ")
    option = option.strip()
    if os.path.basename(interpreter) == "env":
        words = option.split()
        words = words[words[:1] in (["-S"], ["--split-string"]):]
        return [interpreter, *words, file, *arguments]
    return [interpreter, *([option] if option else []), file, *arguments]
