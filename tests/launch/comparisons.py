"""What a program, its shell and its neighbours can see of a start, as cases that are run plainly and under firststep.

A case is an area, a name, and a function that makes one start with a prefix (nothing, or firststep and a verb) and returns all that
was to be seen. It is right if it returns the same under every prefix.
"""

import itertools
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import odd_programs
from programs import FIRSTSTEP

PREFIXES = {
    "boost": lambda folder: [*FIRSTSTEP, "boost", "--"],
    "record": lambda folder: [*FIRSTSTEP, "record", "-o", str(folder / "a.trace"), "--"],
}
PATIENCE = 120  # seconds after which a start counts as hanging


@dataclass(frozen=True)
class Case:
    """run(prefix, python, folder) -> anything that can be compared."""

    area: str
    name: str
    run: object

    def __str__(self):
        return f"{self.area}: {self.name}"


def without_addresses(text):
    return re.sub(r"0x[0-9a-f]{6,}", "0x", text.decode(errors="replace"))  # they are others each time


def said(text):
    """What the program said on stderr: the tool's own lines begin with its name; a recording's report comes after an empty line."""
    lines = without_addresses(text).split("\nfirststep  ")[0].splitlines()
    return [line for line in lines if line and not line.startswith(("firststep: ", "  why: ", "  next: "))]


def start(command, folder, **options):
    """A whole run: exit code, stdout and the program's own stderr."""
    options = {"env": environment(folder), "cwd": folder, "timeout": PATIENCE, **options}
    done = subprocess.run(command, capture_output=True, **options)
    return done.returncode, without_addresses(done.stdout), said(done.stderr)


def environment(folder, **more):
    """A cache and a home of the test's own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "FIRSTSTEP"))}
    return {**kept, "FIRSTSTEP_CACHE": str(folder / "cache"), "XDG_STATE_HOME": str(folder / "state"), **more}


def program(folder, text):
    """The file of a program."""
    path = folder / "main program.py"
    path.write_text(text)
    return str(path)


# --- signals ---------------------------------------------------------------------------------------------------

COUNTS = """
import os, signal, sys, threading
number, handled = int(sys.argv[1]), sys.argv[2] == "handled"
got = []
if handled:
    signal.signal(number, lambda n, _: (got.append(n), os.write(1, b"got\\n")))
os.write(1, b"up\\n")
sys.stdin.readline()
print(len(got), signal.getsignal(number) == signal.SIG_IGN, flush=True)
sys.exit(3)
"""
SENT = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGWINCH,
        signal.SIGCONT, signal.SIGURG, signal.SIGIO, signal.SIGPROF, signal.SIGVTALRM, signal.SIGPWR, signal.SIGABRT, signal.SIGXCPU,
        signal.SIGTRAP, signal.SIGSYS, signal.SIGRTMIN, signal.SIGRTMAX, signal.SIGKILL, signal.SIGPIPE]


def send_signal(number, whole_group, ignored, handled):
    def run(prefix, python, folder):
        def dispositions():
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a background job ignores it
            signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL)

        command = [*prefix, python, program(folder, COUNTS), str(int(number)), "handled" if handled else "not"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
                              env=environment(folder), start_new_session=True,
                              preexec_fn=None if number == signal.SIGKILL else dispositions) as child:
            assert child.stdout.readline() == b"up\n", child.stderr.read()
            (os.killpg if whole_group else os.kill)(child.pid, number)
            received = child.stdout.readline() if handled else b""
            time.sleep(0.15)  # what arrives twice has arrived by now
            try:
                out, _ = child.communicate(b"end\n", timeout=PATIENCE)
            except BrokenPipeError:
                out = child.stdout.read()
            return child.returncode, received, out

    return run


def signals():
    for number, group, ignored, handled in itertools.product(SENT, (False, True), (False, True), (False, True)):
        if number == signal.SIGKILL and (ignored or handled):
            continue
        if number == signal.SIGTRAP and handled and sys.version_info < (3, 10):
            continue
        name = f"{signal.Signals(number).name if number in list(signal.Signals) else number} to {'the group' if group else 'it alone'}"
        name += f"{', ignored' * ignored}{', handled' * handled}"
        yield Case("signals", name, send_signal(number, group, ignored, handled))


MASKS = """
import re, sys
text = open("/proc/self/status").read()
print(re.findall(r"^(?:SigBlk|SigIgn|ShdPnd):.*$", text, re.M))
"""


def ignored_at_start(number):
    def run(prefix, python, folder):
        def ignore():
            signal.signal(number, signal.SIG_IGN)

        return start([*prefix, python, "-c", MASKS], folder, preexec_fn=ignore)

    return run


def dispositions():
    for number in sorted(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}):
        yield Case("dispositions", f"signal {int(number)} ignored", ignored_at_start(number))


# --- how it ends -----------------------------------------------------------------------------------------------

ENDINGS = {
    **{f"exit code {code}": f"raise SystemExit({code})" for code in (0, 1, 2, 3, 64, 74, 126, 127, 128, 130, 137, 143, 255, 256, -1)},
    **{f"killed by {name}": f"import os, signal; os.kill(os.getpid(), signal.{name})"
       for name in ("SIGTERM", "SIGKILL", "SIGINT", "SIGHUP", "SIGABRT", "SIGSEGV", "SIGUSR1", "SIGALRM", "SIGQUIT", "SIGXCPU")},
    "os._exit": "import os; print('lost?', flush=True); os._exit(9)",
    "message": "raise SystemExit('bye')",
    "exception": "1/0",
    "interrupt": "raise KeyboardInterrupt",
    "abort": "import os; os.abort()",
    "thread still runs": "import threading, time; threading.Thread(target=time.sleep, args=(.3,)).start(); print('main')",
    "exit handler": "import atexit; atexit.register(print, 'last words')",
    "exec": "import os, sys; os.execv('/bin/echo', ['echo', 'another'])",
    "stdout closed": "import os; os.close(1)",
    "daemon": ("import os, sys, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        "
               "[os.close(n) for n in range(3)]\n        time.sleep(.5)\n    os._exit(0)\nos.wait(); print('detached')"),
    "recursion": "def f(): f()\ntry:\n    f()\nexcept RecursionError as error:\n    print(type(error))",
    "warning": "import warnings; warnings.warn('careful')",
}


def ending(code):
    def run(prefix, python, folder):
        return start([*prefix, python, "-c", code], folder)

    return run


def endings():
    for name, code in ENDINGS.items():
        yield Case("endings", name, ending(code))


# --- descriptors -----------------------------------------------------------------------------------------------

SHOWS_DESCRIPTOR = """
import os, stat, sys
for word in sys.argv[1:]:
    number = int(word)
    try:
        kind = stat.S_IFMT(os.fstat(number).st_mode)
        flags = __import__("fcntl").fcntl(number, 3)
        data = os.read(number, 100) if flags & 3 != 1 and not stat.S_ISDIR(kind) and not stat.S_ISSOCK(kind) else b""
        if flags & 3:
            os.write(number, b"from the program")
        print(number, kind, flags, data, os.get_inheritable(number))
    except OSError as error:
        print(number, error)
"""


def open_kind(kind, folder):
    """(the descriptor to hand on, what to look at afterwards)."""
    import socket

    path = folder / "a file"
    path.write_bytes(b"a line\n")
    if kind == "pipe to read":
        read, write = os.pipe()
        os.write(write, b"in the pipe")
        os.close(write)
        return read, lambda: b""
    if kind == "pipe to write":
        read, write = os.pipe()
        return write, lambda: os.read(read, 100)
    if kind == "socket":
        ours, theirs = socket.socketpair()
        theirs.send(b"x")
        return theirs.detach(), lambda: ours.recv(100)
    if kind == "terminal":
        ours, theirs = os.openpty()
        os.write(ours, b"typed\n")
        return theirs, lambda: os.read(ours, 200)
    flags = {"file to read": os.O_RDONLY, "file to write": os.O_WRONLY, "file to append": os.O_WRONLY | os.O_APPEND,
             "file for both": os.O_RDWR}.get(kind)
    if flags is not None:
        return os.open(path, flags), path.read_bytes
    return os.open({"folder": str(folder), "null": os.devnull}[kind], os.O_RDONLY), lambda: b""


def pass_descriptor(kind, number):
    def run(prefix, python, folder):
        descriptor, look = open_kind(kind, folder)

        def place():
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            os.set_inheritable(number, True)

        result = start([*prefix, python, "-c", SHOWS_DESCRIPTOR, str(number)], folder, preexec_fn=place, close_fds=False)
        os.close(descriptor)
        return (*result, look())

    return run


def close_streams(streams):
    code = f"import os\nfor n in {streams!r}:\n    try:\n        os.fstat(n); open('open', 'a').write(str(n))\n    except OSError: pass\n"

    def run(prefix, python, folder):
        (folder / "open").write_text("")

        def close():
            for number in streams:
                os.close(number)

        child = subprocess.run([*prefix, python, "-c", code + "raise SystemExit(7)"], cwd=folder, env=environment(folder), preexec_fn=close,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE)
        return child.returncode, (folder / "open").read_text()

    return run


def descriptors():
    kinds = ("pipe to read", "pipe to write", "socket", "terminal", "file to read", "file to write", "file to append", "file for both", "folder", "null")
    for kind, number in itertools.product(kinds, (3, 4, 5, 9, 63, 200)):
        yield Case("descriptors", f"{kind} at {number}", pass_descriptor(kind, number))
    for size in (1, 2, 3):
        for streams in itertools.combinations((0, 1, 2), size):
            yield Case("descriptors", f"streams {streams} closed", close_streams(streams))
    yield Case("descriptors", "process substitution", lambda prefix, python, folder: start(
        ["bash", "-c", '"$@" <(echo one) <(echo two)', "x", *prefix, python, "-c", "import sys; print([open(f).read() for f in sys.argv[1:]])"], folder))
    yield Case("descriptors", "a reader that goes away", lambda prefix, python, folder: start(
        ["bash", "-c", '"$@" | head -1; echo "${PIPESTATUS[@]}"', "x", *prefix, python, "-c", "for n in range(10**5): print(n)"], folder)[:2])


# --- the environment -------------------------------------------------------------------------------------------

SHOWS_WORLD = """
import json, os, sys
print(json.dumps([sys.argv, sys.path, sorted(os.environ.items()), __name__, list(sys.flags),
                  os.getcwd(), sorted(n for n in sys.modules if "custom" in n), sys.warnoptions, sys.dont_write_bytecode]))
"""
VARIABLES = {
    "PYTHONPATH": ["", ":", ".", "/nowhere", "{traps}", "{traps}:/nowhere", "/nowhere::{traps}", "relative"],
    "PYTHONHOME": ["/nowhere", "", "."],
    "PYTHONINSPECT": ["1", ""],
    "PYTHONSTARTUP": ["{folder}/startup.py", "/nowhere"],
    "PYTHONWARNINGS": ["error", "ignore", "default::DeprecationWarning", "nonsense:::::"],
    "PYTHONUNBUFFERED": ["1"], "PYTHONDONTWRITEBYTECODE": ["1"], "PYTHONOPTIMIZE": ["1", "2", "x"], "PYTHONVERBOSE": [""],
    "PYTHONUTF8": ["0", "1"], "PYTHONIOENCODING": ["ascii", "latin-1:replace"], "PYTHONHASHSEED": ["0", "1", "random", "x"],
    "PYTHONNOUSERSITE": ["1"], "PYTHONUSERBASE": ["/nowhere"], "PYTHONFAULTHANDLER": ["1"], "PYTHONDEVMODE": ["1"],
    "PYTHONTRACEMALLOC": ["1", "x"], "PYTHONMALLOC": ["malloc", "debug", "x"], "PYTHONASYNCIODEBUG": ["1"], "PYTHONSAFEPATH": ["1"],
    "PYTHONPYCACHEPREFIX": ["{folder}/bytecode"], "PYTHONPROFILEIMPORTTIME": [""], "PYTHONCOERCECLOCALE": ["0", "warn"], "PYTHONBREAKPOINT": ["0"],
    "PYTHONINTMAXSTRDIGITS": ["0", "640"], "PYTHONEXECUTABLE": ["/nowhere/python"], "PYTHONPLATLIBDIR": ["lib64"],
    "LC_ALL": ["C", "C.UTF-8", "nonsense"], "LANG": ["C"], "TZ": ["UTC"], "HOME": ["/proc/nowhere", ""], "TMPDIR": ["/nowhere", "", "relative"],
    "PATH": ["", "/nowhere"], "COLUMNS": ["3"], "TERM": ["", "dumb"], "NO_COLOR": ["1"], "VIRTUAL_ENV": ["/nowhere"],
    "XDG_STATE_HOME": ["/proc/nowhere", "relative"], "XDG_CACHE_HOME": ["/proc/nowhere"], "FIRSTSTEP_CACHE": ["/proc/nowhere", "", "relative"], "FIRSTSTEP": ["off", "on"],
    "EMPTY": [""], "EQUALS": ["a=b=c"], "LINES": ["two\nlines"], "UNDECODABLE": ["\udcff\udcfe"], "LONG": ["x" * 100_000, "\u00fc" * 60_000],
    **{name: ["theirs"] for name in ("self", "here", "name", "mask", "target", "installed", "packages", "version", "python", "environment")},
    **{name: ["7"] for name in ("PPID", "OPTIND", "IFS", "PS1", "PS4", "LINENO", "MAIL", "RANDOM", "UID", "LC_CTYPE")},
    "__PYVENV_LAUNCHER__": ["/nowhere/python"], "odd.name": ["x"], "PWD": ["/nowhere", ""], "OLDPWD": ["/nowhere", ""], "SHLVL": ["7", "x"], "_": ["x"],
}
TRAPS = ("click", "rich", "firststep", "firststep_agent", "json", "os", "typing", "dataclasses", "sitecustomize", "usercustomize")


def set_variable(name, value):
    def run(prefix, python, folder):
        traps = folder / "traps"
        traps.mkdir(exist_ok=True)
        for module in TRAPS[:8]:
            (traps / f"{module}.py").unlink(missing_ok=True)
        for module in ("click", "rich", "firststep", "firststep_agent"):
            (traps / f"{module}.py").write_text("raise SystemExit('the tool took the program\\'s modules')")
        (folder / "startup.py").write_text("raise SystemExit('startup file run')")
        filled = value.replace("{traps}", str(traps)).replace("{folder}", str(folder))
        return start([*prefix, python, "-c", SHOWS_WORLD], folder, env=environment(folder, **{name: filled}), stdin=subprocess.DEVNULL)

    return run


def shadow(module):
    def run(prefix, python, folder):
        traps = folder / "shadow"
        traps.mkdir()
        (traps / f"{module}.py").write_text(f"import sys\nsys.stderr.write('{module} of the program\\n')\n")
        result = start([*prefix, python, "-c", SHOWS_WORLD], folder, env=environment(folder, PYTHONPATH=str(traps)))
        (traps / f"{module}.py").unlink()
        for left in sorted(traps.rglob("*"), reverse=True):
            left.rmdir() if left.is_dir() else left.unlink()
        traps.rmdir()
        return result

    return run


def variables():
    for name, values in VARIABLES.items():
        for value in values:
            yield Case("variables", f"{name}={value[:30]!r}", set_variable(name, value))
    for name, value in (("A", "b"), ("LONG", "x" * 100_000)):
        yield Case("variables", f"hardly any, {name}={value[:30]!r}", lambda prefix, python, folder, name=name, value=value: start(
            [*prefix, python, "-c", SHOWS_WORLD], folder, env={"FIRSTSTEP_CACHE": str(folder / "cache"), "XDG_STATE_HOME": str(folder), name: value}))
    for module in TRAPS:
        yield Case("variables", f"{module}.py on PYTHONPATH", shadow(module))


# --- what is started -------------------------------------------------------------------------------------------

OURS = ("FIRSTSTEP_PLAN", "PYTHONPATH", "FIRSTSTEP_SIGNALS_IGNORED")
SHOWS_OURS = f"import os; print([(n, os.environ[n]) for n in {OURS!r} if n in os.environ])"
SHELL = "env | grep -E '^(PYTHONPATH|FIRSTSTEP_PLAN|FIRSTSTEP_SIGNALS)'; echo \"$?\""


def commands(python, folder):
    """Ways to start something, by name."""
    script = program(folder, SHOWS_WORLD)
    wrapper = folder / "wrapper"
    wrapper.write_text(f"#!/bin/sh\n{SHELL}\n'{python}' -c '{SHOWS_OURS}'\nexec '{python}' '{script}' \"$@\"\n")
    direct = folder / "direct"
    direct.write_text(f"#!{python}\n{SHOWS_WORLD}")
    shut = folder / "shut"
    shut.write_text(f"#!{python} -I\n{SHOWS_WORLD}")
    by_env = folder / "by-env"
    by_env.write_text(f"#!/usr/bin/env {python}\n{SHOWS_WORLD}")
    blank = folder / "polyglot"
    blank.write_text(f"#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\n{SHOWS_WORLD}")
    for path in (wrapper, direct, shut, by_env, blank):
        path.chmod(0o755)
    (folder / "package").mkdir(exist_ok=True)
    (folder / "package/__init__.py").write_text("")
    (folder / "package/__main__.py").write_text(SHOWS_WORLD)
    yield from {
        "script": [python, script, "a", "--stop", "", "ü", "\udcff"], "module": [python, "-m", "package", "x"], "string": [python, "-c", SHOWS_WORLD, "x"],
        "stdin": [python, "-"], "shebang": [direct, "x"], "shebang by env": [by_env, "x"], "shebang with -I": [shut, "x"],
        "polyglot shebang": [blank, "x"], "shell wrapper": [wrapper, "x"], "shell": ["sh", "-c", SHELL], "env": ["sh", "-c", "env | grep -c FIRSTSTEP_PLAN"],
        "shell around it": ["sh", "-c", f"'{python}' -c '{SHOWS_OURS}'"], "bash job": ["bash", "-c", f"'{python}' -c '{SHOWS_OURS}' & wait"],
        "xargs": ["sh", "-c", f"echo x | xargs '{python}' -c '{SHOWS_OURS}'"], "through env": ["env", "A=b", python, script],
        "through env -i": ["env", "-i", python, "-c", SHOWS_OURS], "through nice": ["nice", python, script], "through timeout": ["timeout", "60", python, script],
        "through nohup": ["nohup", python, "-c", SHOWS_OURS], "awk": ["awk", 'BEGIN { print ENVIRON["PYTHONPATH"] ENVIRON["FIRSTSTEP_PLAN"] }'],
        "child by os.system": [python, "-c", f"import os; os.system({SHELL!r})"],
        "child by popen": [python, "-c", f"import os; print(os.popen({SHELL!r}).read())"],
    }.items()
    for options in ("-I", "-E", "-S", "-IS", "-s", "-B", "-u", "-bb", "-O", "-OO", "-q", "-x", "-W error", "-X dev", "-X utf8", "-P", "-uI", "-Wd -E"):
        yield f"option {options}", [python, *options.split(), script]
    for name in ("does-not-exist", "./does-not-exist", "/", "/etc/passwd", ""):
        yield f"no program {name!r}", [name]


def start_command(name):
    def run(prefix, python, folder):
        found = {key: list(map(str, words)) for key, words in commands(python, folder)}
        try:
            code, out, err = start([*prefix, *found[name]], folder, stdin=subprocess.DEVNULL)
        except (FileNotFoundError, PermissionError) as error:
            return {FileNotFoundError: 127, PermissionError: 126}[type(error)]
        return code if name.startswith("no program") else (code, out, err)

    return run


def starts():
    for name in COMMANDS:
        yield Case("commands", name, start_command(name))


def _names():
    with tempfile.TemporaryDirectory() as folder:
        return [name for name, _ in commands("python", Path(folder))]


COMMANDS = _names()


# --- limits and places -----------------------------------------------------------------------------------------

def limited(kind, soft):
    def run(prefix, python, folder):
        def limit():
            hard = resource.getrlimit(kind)[1]
            resource.setrlimit(kind, (soft, hard if hard == resource.RLIM_INFINITY else max(hard, soft)))

        return start([*prefix, python, "-c", "import resource; print(7 * 6, resource.getrlimit(%d)); raise SystemExit(4)" % kind], folder, preexec_fn=limit)

    return run


def limits():
    for soft in (10, 12, 16, 20, 32, 64, 256):
        yield Case("limits", f"{soft} open files", limited(resource.RLIMIT_NOFILE, soft))
    for soft in (0, 1, 100, 4096, 10**6):
        yield Case("limits", f"files of {soft} bytes", limited(resource.RLIMIT_FSIZE, soft))
    for name in ("CORE", "STACK", "CPU", "AS", "MEMLOCK", "NPROC"):
        kind = getattr(resource, f"RLIMIT_{name}")
        value = {"CORE": 0, "STACK": 8 << 20, "CPU": 100, "AS": 4 << 30, "MEMLOCK": 65536, "NPROC": 10_000}[name]
        yield Case("limits", f"{name} {value}", limited(kind, value))
    yield Case("limits", "no further process", limited(resource.RLIMIT_NPROC, 1))  # for another user than root
    for mask in (0o000, 0o022, 0o077, 0o777):
        yield Case("limits", f"umask {mask:o}", lambda prefix, python, folder, mask=mask: start(
            [*prefix, python, "-c", "import os; print(os.umask(0))"], folder, preexec_fn=lambda: os.umask(mask)))
    for nice in (0, 5, 19):
        yield Case("limits", f"nice {nice}", lambda prefix, python, folder, nice=nice: start(
            [*prefix, python, "-c", "import os; print(os.nice(0))"], folder, preexec_fn=lambda: os.nice(nice)))


def in_place(folder_name, mode=None):
    def run(prefix, python, folder):
        place = folder / folder_name
        place.mkdir(parents=True, exist_ok=True)
        if mode is not None:
            place.chmod(mode)
        try:
            return start([*prefix, python, "-c", SHOWS_WORLD], folder, cwd=place)
        finally:
            place.chmod(0o755)

    return run


def places():
    for name in ("with a blank", "with\nline", "ünïcode", "firststep", "firststep/src/firststep_agent", "-dash", "a" * 200, "%s", "[bold]", "\x1b[31m"):
        yield Case("places", f"working folder {name[:20]!r}", in_place(name))
    for mode in (0o500, 0o555, 0o777):
        yield Case("places", f"working folder of mode {mode:o}", in_place("guarded", mode))
    yield Case("places", "working folder that is gone", lambda prefix, python, folder: start(
        ["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "x", *prefix, python, "-c", "print(1)"], folder))


# --- streams and identity --------------------------------------------------------------------------------------

IDENTITY = {
    "session and group": "import os; print(os.getpgrp() == os.getsid(0))",
    "no child to wait for": "import os\ntry:\n    print(os.waitpid(-1, os.WNOHANG))\nexcept ChildProcessError as e:\n    print(e)",
    "threads": "import os, threading; print(threading.active_count())",
    "recursion limit": "import sys; print(sys.getrecursionlimit())",
    "hooks": "import sys; print(sys.gettrace(), sys.getprofile(), sys.excepthook is sys.__excepthook__, sys.displayhook is sys.__displayhook__)",
    "import sitecustomize": "try:\n    import sitecustomize; print('there')\nexcept ImportError as e:\n    print(e, e.name)",
    "import usercustomize": "try:\n    import usercustomize; print('there')\nexcept ImportError as e:\n    print(e, e.name)",
    "sitecustomize in modules": "import sys; print('sitecustomize' in sys.modules)",
    "main": "import __main__; print(sorted(vars(__main__)))",
    "builtins": "import builtins; print(len(vars(builtins)))",
    "path hooks": "import sys; print([type(h).__name__ for h in sys.path_hooks], len(sys.meta_path))",
    "encodings": "import sys, locale; print(sys.stdout.encoding, sys.stdin.encoding, sys.getfilesystemencoding(), locale.getpreferredencoding())",
    "buffering": "import sys; print(sys.stdout.line_buffering, sys.stdout.write_through, sys.stderr.line_buffering)",
    "warnings": "import warnings; print(warnings.filters)",
    "traceback": "import a_module_that_is_missing",
    "traceback deep": "def f(n):\n    return f(n - 1) if n else 1 / 0\nf(5)",
    "signal handlers": "import signal; print([str(signal.getsignal(n)) for n in sorted(signal.valid_signals())])",
    "timers": "import signal; print(signal.getitimer(signal.ITIMER_REAL))",
    "random": "import random; random.seed(1); print(random.random())",
    "hash": "import os; print(os.environ.get('PYTHONHASHSEED'))",
    "frozen": "import sys; print(sys.flags, sys.orig_argv[1:] if hasattr(sys, 'orig_argv') else '')",
    "executable": "import sys; print(sys.executable, sys.prefix, sys.base_prefix)",
    "import time": "import json, decimal, http.client, unittest; print(len(json.__file__))",
    "subprocess": "import subprocess, sys; print(subprocess.run([sys.executable, '-c', 'import os, sys; print(sorted(os.environ) == sorted(os.environ), sys.path)'], capture_output=True, text=True).stdout)",
    "children's variables": f"import subprocess, sys; print(subprocess.run([sys.executable, '-c', {SHOWS_OURS!r}], capture_output=True, text=True).stdout)",
    "multiprocessing": "import multiprocessing as m\nif __name__ == '__main__':\n    with m.get_context('fork').Pool(2) as p:\n        print(p.map(abs, [-1, -2]))",
    "deep imports": "import asyncio, concurrent.futures, xml.dom.minidom; print('ok')",
    "stdin": "import sys; print(repr(sys.stdin.read()))",
}


def identity():
    for name, code in IDENTITY.items():
        yield Case("identity", name, lambda prefix, python, folder, code=code: start(
            [*prefix, python, "-c", code], folder, input=b"some\nlines\n", start_new_session=True))


# --- odd programs ----------------------------------------------------------------------------------------------

def odd_program(name):
    def run(prefix, python, folder):
        place = folder / "work"
        shutil.rmtree(place, ignore_errors=True)  # some write
        for path, text in {"main.py": odd_programs.PROGRAMS[name], **odd_programs.FILES.get(name, {})}.items():
            (place / path).parent.mkdir(exist_ok=True, parents=True)
            (place / path).write_text(text)
        return start([*prefix, python, *odd_programs.OPTIONS.get(name, ()), "main.py"], folder, cwd=place,
                     env=environment(folder, **odd_programs.VARIABLES.get(name, {})))

    return run


def way(name):
    def run(prefix, python, folder):
        place = folder / "work"
        place.mkdir(exist_ok=True)
        command, text, variables = next(rest for each, *rest in odd_programs.ways(python, place) if each == name)
        return start([*prefix, *command], folder, cwd=place, input=text.encode(), env=environment(folder, **variables))

    return run


def odd():
    for name in odd_programs.PROGRAMS:
        yield Case("odd programs", name, odd_program(name))


def odd_starts():
    with tempfile.TemporaryDirectory() as folder:
        names = [name for name, *_ in odd_programs.ways("python", Path(folder))]
    for name in names:
        yield Case("odd starts", name, way(name))


def cases():
    """All of them."""
    return [*signals(), *dispositions(), *endings(), *descriptors(), *variables(), *starts(), *limits(), *places(), *identity(), *odd(),
            *odd_starts()]


def differences(case, python, folder):
    """[(verb, plain, treated)] where the verb makes a difference."""
    folder.mkdir(parents=True, exist_ok=True)
    expected = case.run([], python, folder)
    found = []
    for verb, prefix in PREFIXES.items():
        got = case.run(prefix(folder), python, folder)
        if json.dumps(got, default=str) != json.dumps(expected, default=str):
            found.append((verb, expected, got))
    return found
