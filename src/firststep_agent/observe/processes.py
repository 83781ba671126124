"""Child processes: each start is recorded, and followed where the plan says so; nothing is lost at exec or os._exit.

Every function here takes whatever its original takes, and hands it on as it came but for the environment: what is wrong
with it the original says, in its own words, and no frame of ours is in the traceback.
"""

import os
import posix
import sys

from firststep_agent.clock import now
from firststep_agent.dressing import leave_no_frame, stand_in_c
from firststep_agent.interpreters import let_in
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from typing import Any

_OFF = {b"firststep=" + word for word in (b"off", b"0", b"no", b"false")}
_BOOTSTRAP = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bootstrap")
FORK_EXEC_ENVIRONMENT = 5  # its place among the arguments of fork_exec, from Python 3.9 to 3.13


def start(run: "Any", settings: "dict[str, Any]") -> None:
    run.after_import("_posixsubprocess", lambda module: _watch_fork_exec(run, module))
    for name in ("execve", "execv", "posix_spawn", "posix_spawnp", "fork", "forkpty", "_exit"):
        original = getattr(os, name, None)
        if original is not None:
            make = {"execve": _exec, "execv": _execv, "_exit": _exit}.get(name, _spawn if "spawn" in name else _fork)
            stand_in = _stand_in(original, make(run))
            for module in (posix, os):  # what is pickled is looked for where it says that it is from
                run.replace(module, name, stand_in)


def _stand_in(original: "Any", around: "Callable[..., Generator[Any, Any, None]]") -> "Any":
    """What stands in the place of `original`. around: a generator of the call's arguments, which yields those that the original gets
    (a tuple and a dictionary) and is sent what that returns; where the original raises, it is closed."""
    def stand_in(*arguments, **keywords):
        call = around(*arguments, **keywords)
        given, others = next(call)
        try:
            result = original(*given, **others)
        except BaseException as error:
            call.close()
            leave_no_frame(error)
            raise
        try:
            call.send(result)
        except StopIteration:
            pass
        return result

    return stand_in_c(original, stand_in)


def _injected(run: "Any", environment: "Iterable[bytes]", command: "list[str]") -> "list[bytes]":
    """Environment entries (bytes, K=V) with the way in for the agent added, if the plan follows children and `command` is a
    Python that takes it out again.

    A plan that is there already is another's: this process is firststep's tool, and starts a program of its own.
    """
    entries = list(environment)
    planned = any(entry.startswith(b"FIRSTSTEP_PLAN=") for entry in entries)
    if planned or not run.plan.get("follow") or not _OFF.isdisjoint(map(bytes.lower, entries)) or run.ready_ns is not None:
        return entries
    search = next((entry[5:] for entry in entries if entry.startswith(b"PATH=")), None)
    if not let_in(command, {} if search is None else {"PATH": os.fsdecode(search)}):
        return entries
    ours = os.fsencode(_BOOTSTRAP)
    name = b"PYTHONPATH="
    at = next((at for at, entry in enumerate(entries) if entry.startswith(name)), None)
    if at is None:
        entries.append(name + ours)
    else:  # in its place: the program finds its own in the order in which they were
        entries[at] = name + os.pathsep.encode().join([ours, entries[at][len(name):] or ours])
    return [*entries, b"FIRSTSTEP_PLAN=" + os.fsencode(run.plan_path)]


def _current() -> "list[bytes]":
    return [key + b"=" + value for key, value in os.environb.items()]


def _command(path: "Any", argv: "Any") -> "list[str]":
    """The words of a program that is executed by its path; none where they are not words."""
    words = _words(argv)
    return words if path is None else [*_words((path,)), *words[1:]]


def _mapping(run: "Any", environment: "Any", command: "list[str]") -> "Any":
    """The environment of a new program with the way in added; as it came where it is none, which the original will say."""
    try:
        pairs = {os.fsencode(key) + b"=" + os.fsencode(environment[key]): key for key in environment}
        added = dict(entry.split(b"=", 1) for entry in _injected(run, pairs, command) if entry not in pairs)
        kept = {key: added.pop(os.fsencode(key), environment[key]) for key in pairs.values()} if added else environment
    except Exception as error:
        if is_theirs(error):
            raise
        return environment
    return {**kept, **added} if added else environment


def _words(arguments: "Any") -> "list[str]":
    """In words, what a program is started with; [] where that is no list or tuple, which the original will say."""
    from firststep_agent.observe.labels.said import items, text  # most programs start no other

    return list(map(text, items(arguments) or ()))


def _spawned(run: "Any", started: int, pid: int, arguments: "Any") -> None:
    run.recorder.record("x", started, now(), pid, _words(arguments))
    run.recorder.flush()


def _watch_fork_exec(run: "Any", module: "Any") -> None:
    original = module.fork_exec
    fork_exec = _stand_in(original, _fork_exec(run))
    run.replace(module, "fork_exec", fork_exec)
    run.after_import("subprocess", lambda subprocess: _watch_early_import(run, subprocess, original, fork_exec))


def _fork_exec(run: "Any") -> "Callable[..., Generator[Any, Any, None]]":
    def fork_exec(*arguments, **keywords):
        started, given = now(), arguments
        if len(arguments) > FORK_EXEC_ENVIRONMENT:
            environment = arguments[FORK_EXEC_ENVIRONMENT]
            if environment is None or type(environment) is list:
                command = _command(*_executable(arguments[1], arguments[0]))
                entries = _injected(run, _current() if environment is None else environment, command)
                if environment is not None or entries != _current():
                    given = (*arguments[:FORK_EXEC_ENVIRONMENT], entries, *arguments[FORK_EXEC_ENVIRONMENT + 1:])
        try:
            pid = yield given, keywords
            _spawned(run, started, pid, arguments[0])
        finally:
            run.forked()  # also where it failed: what stood still for it goes on

    return fork_exec


def _executable(candidates: "Any", argv: "Any") -> "tuple[str | None, Any]":
    """(path, argv) of a fork_exec: it tries one file, or those of one name in the folders of PATH."""
    words = _words(candidates if isinstance(candidates, (list, tuple)) else ())
    if not words:
        return None, argv
    return words[0] if len(words) == 1 else os.path.basename(words[0]), argv


def _watch_early_import(run: "Any", subprocess: "Any", original: "Any", fork_exec: "Any") -> None:
    """subprocess keeps the function under its own name: the original's if it was imported before us, else ours, which is to go."""
    if getattr(subprocess, "_fork_exec", None) in (original, fork_exec):
        subprocess._fork_exec = original
        run.replace(subprocess, "_fork_exec", fork_exec)


def _exec(run: "Any") -> "Callable[..., Generator[Any, Any, None]]":
    def execve(*arguments, **keywords):
        arguments, keywords = _with_way_in(run, arguments, keywords, none_is_own=False)
        _record_exec(run, arguments, keywords)
        yield arguments, keywords

    return execve


def _execv(run: "Any") -> "Callable[..., Generator[Any, Any, None]]":
    """The environment of execv is the process's own: what is to be added is in it while execv tries."""
    def execv(*arguments, **keywords):
        _record_exec(run, arguments, keywords)
        command = _command(*_path_and_words(arguments, keywords))
        added = dict(entry.split(b"=", 1) for entry in set(_injected(run, _current(), command)).difference(_current()))
        for name, value in added.items():
            os.putenv(name, value)
        try:
            yield arguments, keywords
        finally:
            for name in added:
                if name in os.environb:
                    os.putenv(name, os.environb[name])
                else:
                    os.unsetenv(name)

    return execv


def _path_and_words(arguments: "tuple[Any, ...]", keywords: "dict[str, Any]") -> "tuple[Any, Any]":
    """What is executed, by position or by keyword: None and () where it is not given."""
    return (arguments[0] if arguments else keywords.get("path"), arguments[1] if len(arguments) > 1 else keywords.get("argv", ()))


def _record_exec(run: "Any", arguments: "tuple[Any, ...]", keywords: "dict[str, Any]") -> None:
    run.recorder.record("x", now(), now(), os.getpid(), _words(_path_and_words(arguments, keywords)[1]))
    run.recorder.flush()


def _spawn(run: "Any") -> "Callable[..., Generator[Any, Any, None]]":
    def posix_spawn(*arguments, **keywords):
        started = now()
        given, others = _with_way_in(run, arguments, keywords, none_is_own=sys.version_info >= (3, 13))
        pid = yield given, others
        _spawned(run, started, pid, arguments[1])

    return posix_spawn


def _with_way_in(run: "Any", arguments: "tuple[Any, ...]", keywords: "dict[str, Any]",
                 none_is_own: bool) -> "tuple[tuple[Any, ...], dict[str, Any]]":
    """The arguments (path, argv, env) with the way in added to env. none_is_own: None stands for the process's own."""
    command = _command(*_path_and_words(arguments, keywords))
    if len(arguments) == 3:
        environment = arguments[2]
        if environment is None and none_is_own:
            own = _mapping(run, os.environb, command)
            return (arguments if own is os.environb else (*arguments[:2], own)), keywords
        return (*arguments[:2], _mapping(run, environment, command)), keywords
    if "env" in keywords:
        return arguments, {**keywords, "env": _mapping(run, keywords["env"], command)}
    return arguments, keywords


def _fork(run: "Any") -> "Callable[..., Generator[Any, Any, None]]":
    def fork(*arguments, **keywords):
        try:
            yield arguments, keywords
        finally:
            run.forked()

    return fork


def _exit(run: "Any") -> "Callable[..., Generator[Any, Any, None]]":
    def _exit(*arguments, **keywords):
        status = (*arguments, *keywords.values())
        if len(status) == 1 and hasattr(status[0], "__index__"):
            run.at_exit("_exit")
        yield arguments, keywords

    return _exit
