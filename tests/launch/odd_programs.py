"""Programs that do to their process, their children and their modules what few programs do: each prints what it saw.

PROGRAMS: name -> the program. OPTIONS: name -> the interpreter's options. VARIABLES: name -> what is in its environment.
FILES: name -> what lies beside the program, path -> text.
"""

import zipfile

SHOW = """
import json, os, sys
print(json.dumps([sys.argv, sys.path, sorted(os.environ), __name__, os.getcwd()]))
"""
CHILD = "import os, sys; print(sorted(n for n in os.environ if n.startswith(('PYTHON', 'FIRSTSTEP'))), sys.path, 'firststep_agent' in str(sys.path))"

PROGRAMS = {
    # descriptors
    "every descriptor closed, all numbers taken": """
import os
for name in os.listdir("/proc/self/fd"):
    if int(name) > 2:
        try: os.close(int(name))
        except OSError: pass
file = os.open("taken", os.O_RDWR | os.O_CREAT)
for number in range(3, 1100):
    if number != file: os.dup2(file, number)
import decimal, email.message, sqlite3
for number in range(3, 1100): os.write(number, b"x")
import atexit; atexit.register(lambda: os.write(1, b"%d" % os.fstat(file).st_size))
""",
    "numbers move": """
import os, socket, tempfile
print(os.open("/dev/null", 0), socket.socket().fileno(), os.pipe(), os.dup(1), os.memfd_create("x") if hasattr(os, "memfd_create") else 0)
print([n for n in range(3, 900) if os.path.exists(f"/proc/self/fd/{n}")])
""",
    "all are inherited by a program of another kind": """
import os
for name in os.listdir("/proc/self/fd"):
    try: os.set_inheritable(int(name), True)
    except OSError: pass
import subprocess
print([n for n in subprocess.run(["ls", "/proc/self/fd"], close_fds=False, capture_output=True, text=True).stdout.split() if int(n) < 3])
""",
    "a daemon by the book": """
import os, sys, time
read, write = os.pipe()
if os.fork():
    os.close(write); os.wait(); print(os.read(read, 100)); sys.exit(4)
os.setsid(); os.umask(0)
if os.fork(): os._exit(0)
os.chdir("/"); os.dup2(write, 9)
os.closerange(0, 9); os.closerange(10, 4096)
for number in range(3): os.open(os.devnull, os.O_RDWR)
import decimal, json
first = os.open("/dev/null", 0)
os.write(9, b"daemon %d" % first)
""",
    "stderr is a file of its own": """
import os, sys
os.close(2)
print(os.open("errors", os.O_RDWR | os.O_CREAT | os.O_APPEND))
import decimal; sys.stderr.write("mine"); sys.stderr.flush()
import atexit; atexit.register(lambda: print(open("errors").read()))
""",
    # signals
    "waits for signals that are blocked": """
import os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, {10, 12, 34, 17})
import decimal
for n in (10, 12, 34): os.kill(os.getpid(), n)
print(sorted(signal.sigpending()), [signal.sigwait({n}) for n in (10, 12, 34)], sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())))
""",
    "a child's end is told by a signal": """
import os, signal, subprocess
got = []
signal.signal(signal.SIGCHLD, lambda n, f: got.append(n))
subprocess.run(["true"]); subprocess.Popen(["true"]).wait()
pid = os.fork()
if pid == 0: os._exit(3)
print(os.waitpid(pid, 0)[1], set(got))
try: print(os.waitpid(-1, 0))
except ChildProcessError as error: print(error)
""",
    "timers raise through imports": """
import signal, sys
class Now(Exception): pass
def now(*_): raise Now
signal.signal(signal.SIGPROF, now)
raised = 0
for name in ("json", "email.message", "decimal", "xml.dom.minidom", "asyncio", "http.client") * 3:
    for module in [m for m in sys.modules if m.partition(".")[0] == name.partition(".")[0]]: del sys.modules[module]
    try:
        signal.setitimer(signal.ITIMER_PROF, 0.002)
        __import__(name)
        while True: pass
    except Now: raised += 1
print(raised)
""",
    "stops itself and is continued": """
import os, signal, time
if os.fork() == 0:
    time.sleep(0.4); os.kill(os.getppid(), signal.SIGCONT); os._exit(0)
os.kill(os.getpid(), signal.SIGSTOP); os.wait(); print("goes on")
""",
    "wakeup descriptor and faulthandler": """
import faulthandler, os, signal, socket, sys
a, b = socket.socketpair(); b.setblocking(False); a.settimeout(5)
print(signal.set_wakeup_fd(b.fileno()), faulthandler.is_enabled())
signal.signal(10, lambda *_: None); os.kill(os.getpid(), 10); print(a.recv(1))
faulthandler.enable(); faulthandler.register(12, all_threads=True, chain=False); os.kill(os.getpid(), 12)
""",
    "dies of a fault, told by faulthandler": "import faulthandler, os; faulthandler.enable(); os.kill(os.getpid(), 11)",
    # the collector and the interpreter's settings
    "the collector's settings": """
import gc
print(gc.isenabled(), gc.get_threshold(), gc.get_freeze_count(), gc.callbacks, gc.garbage, gc.get_debug())
gc.disable(); print(gc.isenabled()); gc.enable(); gc.set_threshold(5, 5, 5); print(gc.get_threshold(), gc.isenabled())
""",
    "settings of sys": """
import sys, threading
print(sys.getswitchinterval(), sys.getrecursionlimit(), threading.stack_size(), sys.getdlopenflags(), sys.flags, sys.dont_write_bytecode)
print(sys.meta_path, [type(h) for h in sys.path_hooks], sys.warnoptions, sys._xoptions, sys.gettrace(), sys.getprofile())
print([k for k in sys.path_importer_cache if "firststep_agent" in k], len(threading.enumerate()), threading.main_thread().ident == threading.get_ident())
""",
    "audit hooks and unraisable errors": """
import sys
seen = set()
sys.addaudithook(lambda event, args: seen.add(event) if event in ("os.fork", "subprocess.Popen", "os.exec") else None)
class A:
    def __del__(self): raise ValueError("in del")
import os; A(); print(sorted(seen))
""",
    "stack of an import": "import shows_stack",
    "modules of its own by name": "import struct, zlib, signal, select, random, binascii, linecache, copyreg\nprint([m.__file__.rpartition('/')[2] for m in (struct, random, linecache)])",
    "packages of its own by name": "import json, email, logging; print(json.OWN, email.__path__._path if hasattr(email.__path__, '_path') else len(email.__path__), logging.OWN)",
    "a framework's logger": """
import logging, sys
print(sorted(logging.root.manager.loggerDict))
try: import absl.logging as log
except ImportError: raise SystemExit
print(type(logging.getLogger("absl")).__name__, sorted(logging.root.manager.loggerDict))
handler = logging.StreamHandler(sys.stdout)
handler.setFormatter(logging.Formatter("%(filename)s %(lineno)d %(funcName)s %(message)s"))
logging.getLogger("absl").handlers, logging.getLogger("absl").propagate = [handler], False
def says(): log.warning("here")
says()
""",
    # children
    "processes by spawn": """
import multiprocessing, os, sys
def seen(n): return n, sorted(k for k in os.environ if k.startswith(("PYTHON", "FIRSTSTEP"))), os.path.basename(sys.argv[0])
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool: print(pool.map(seen, [1, 2]))
""",
    "processes by forkserver": """
import multiprocessing, os
def seen(n): return n, sorted(k for k in os.environ if k.startswith(("PYTHON", "FIRSTSTEP")))
if __name__ == "__main__":
    with multiprocessing.get_context("forkserver").Pool(2) as pool: print(pool.map(seen, [1, 2]))
""",
    "futures": """
import concurrent.futures, os
def twice(n): return 2 * n
if __name__ == "__main__":
    with concurrent.futures.ProcessPoolExecutor(2) as pool: print(list(pool.map(twice, range(5))))
    with concurrent.futures.ThreadPoolExecutor(2) as pool: print(list(pool.map(twice, range(5))))
""",
    "a chain of exec": f"""
import os, sys
step = int(sys.argv[1]) if len(sys.argv) > 1 else 0
if step == 0: os.execv(sys.executable, [sys.executable, __file__, "1"])
if step == 1: os.execlp("sh", "sh", "-c", f"env | grep -c FIRSTSTEP_PLAN; exec '{{sys.executable}}' '{{__file__}}' 2")
if step == 2: os.execle(sys.executable, sys.executable, __file__, "3", {{}})
{CHILD}
""",
    "children in every way": f"""
import os, subprocess, sys
code = {CHILD!r}
sys.stdout.flush()
os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", code]); os.spawnle(os.P_WAIT, sys.executable, "x", "-c", code, {{"A": "1"}})
os.waitpid(os.posix_spawn(sys.executable, [sys.executable, "-c", code], dict(os.environ), setsid=False), 0)
os.system(f"'{{sys.executable}}' -c '1'"); subprocess.run([sys.executable, "-c", code], env={{}}); subprocess.run([sys.executable, "-I", "-c", code])
subprocess.run("env | grep -c ^FIRSTSTEP_PLAN; true", shell=True); subprocess.run([sys.executable, "-c", code], executable=sys.executable, start_new_session=True)
print(subprocess.getoutput("env | grep PYTHONPATH"))
""",
    "order of a child's variables": """
import os, subprocess, sys
code = "import os; print(list(os.environ.items()), flush=True)"
given = {"Z": "1", "PYTHONPATH": "there", "A": "2", "PATH": os.environ["PATH"]}
subprocess.run([sys.executable, "-c", code], env=given)
os.spawnve(os.P_WAIT, sys.executable, [sys.executable, "-c", code], given)
os.waitpid(os.posix_spawn(sys.executable, [sys.executable, "-c", code], {**given, "PYTHONPATH": ""}), 0)
""",
    "a terminal of its own": """
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: print(os.isatty(0), os.getsid(0) == os.getpid()); sys.stdout.flush(); os._exit(2)
text = b""
try:
    while data := os.read(terminal, 100): text += data
except OSError: pass
print(text, os.waitpid(pid, 0)[1])
""",
    # errors in the program's own words
    "errors of starts": """
import os, subprocess, sys, traceback
for call in (lambda: os.execv("/nowhere", ["x"]), lambda: os.execve("/nowhere", ["x"], {"a": 1}), lambda: os.posix_spawn("/nowhere", ["x"], {}), lambda: os.execv("/bin/true", []),
             lambda: subprocess.Popen(["/nowhere"]), lambda: subprocess.Popen(["true"], cwd="/nowhere"), lambda: subprocess.Popen(["true"], env={"a=": "b\\0"}), lambda: os.fork(1),
             lambda: os.posix_spawn("true"), lambda: subprocess.run([]), lambda: os.execvpe("x", (), {}), lambda: os._exit("x")):
    try: call()
    except BaseException: print(traceback.format_exc())
""",
    "errors of imports": """
import importlib, traceback
for name in ("no_such", "broken", "raises", "loops", "os.nothing", "json.nothing", ".relative", "", "a\\0b"):
    try: importlib.import_module(name)
    except BaseException: print(traceback.format_exc())
try: from os import nothing_there
except ImportError: print(traceback.format_exc())
""",
    "warnings name the line": """
import warnings
warnings.simplefilter("always")
import warns_at
warnings.warn("here"); import imp_like
""",
    "exit within exit": "import atexit, os, sys\natexit.register(lambda: os._exit(5))\natexit.register(lambda: sys.stdout.flush())\nprint('x')",
    "a thread ends it": "import _thread, threading, time\ntry:\n    threading.Thread(target=_thread.interrupt_main).start()\n    time.sleep(5)\nexcept KeyboardInterrupt: raise SystemExit(6)",
    "excepthook": "import sys\nsys.excepthook = lambda *a: print('mine', a[0].__name__, a[2].tb_next)\nimport no_such_module",
    "pickles and copies": "import copy, pickle, os, sys, gc\nprint([pickle.dumps(f)[:200] for f in (os.fork, os.execv, os._exit, gc.collect, sys.settrace)], gc.disable.__name__)",
    "inspects what it calls": """
import inspect, gc, os, re, sys, collections, typing, dataclasses
for f in (os.fork, os._exit, os.execv, os.posix_spawn, gc.enable, gc.disable, gc.collect, re.compile, collections.namedtuple, dataclasses.dataclass, sys.settrace):
    print(f.__name__, f.__module__, f.__qualname__, (f.__doc__ or "")[:30])
""",
    "drops what it may": "import os, signal, resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))\nimport decimal, json\nprint(open('/dev/null').fileno())",
    "no file may grow": "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\nimport decimal; print(1)",
    "another root": "import os\nif os.geteuid() == 0:\n    os.mkdir('root'); os.chroot('root'); os.chdir('/')\n    os.setgid(65534); os.setuid(65534)\ntry: import no_such\nexcept ImportError as e: print(e)\nprint(os.listdir('/')[:0])",
    "another folder, which goes": "import os\nos.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')\nimport decimal\nprint(decimal.Decimal(1) / 3)",
    "environment emptied": "import os, subprocess, sys\nos.environ.clear()\nimport decimal\nprint(subprocess.run([sys.executable, '-c', 'import os; print(sorted(os.environ))'], capture_output=True).stdout)",
    "a module runs another program": "import runpy, sys\nsys.argv = ['x']\nrunpy.run_path('beside.py', run_name='__main__'); runpy.run_module('beside', run_name='__main__', alter_sys=True)",
    "an event loop": "import asyncio\nasync def main():\n    p = await asyncio.create_subprocess_exec('echo', 'x', stdout=-1)\n    print(await p.communicate())\nasyncio.run(main())",
    "tracemalloc": "import tracemalloc\ntracemalloc.start(5); import decimal\nprint(sorted({t.filename for s in tracemalloc.take_snapshot().traces for t in s.traceback if 'firststep' in t.filename}))",
    "a thread imports": "import threading\nfor name in ('json', 'decimal', 'asyncio', 'email.message', 'json'):\n    t = threading.Thread(target=__import__, args=(name,)); t.start(); t.join()\nimport json, decimal, asyncio; print(json.loads('1'), threading.active_count())",
    "reloads": "import importlib, json, os, re, gc, dataclasses\nfor m in (json, re, dataclasses): importlib.reload(m)\nprint(json.dumps(1), re.match('a', 'a'))",
    # what is ours, spoiled
    "rubbish among our files": """
import glob, os
for folder in glob.glob("firststep-*/parts"):
    with open(folder + "/9-9.part", "wb") as file: file.write(os.urandom(9999))
    os.mkfifo(folder + "/8-8.part"); os.symlink("/dev/zero", folder + "/7-7.part"); os.mkdir(folder + "/6-6.part")
import json; print("ran"); raise SystemExit(3)
""",
    "our files are gone": """
import glob, os, shutil, subprocess, sys
for folder in glob.glob("firststep-*"): shutil.rmtree(folder)
import json; print(subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True).stdout); os.fork() or os._exit(0); raise SystemExit(3)
""",
    "functions of os are gone": "import os\nfor name in ('fstat', 'open', 'write', 'close', 'dup2', 'sysconf'): delattr(os, name)\nprint('ran'); raise SystemExit(3)",
    "our modules are gone": "import sys\nfor name in list(sys.modules):\n    if name.startswith('firststep'): del sys.modules[name]\nimport json, decimal; print('ran')",
}
VARIABLES = {"rubbish among our files": {"TMPDIR": "."}, "our files are gone": {"TMPDIR": "."}}
OPTIONS = {
    "settings of sys": ["-X", "dev", "-W", "default"], "errors of imports": ["-X", "no_debug_ranges"], "an event loop": ["-X", "dev"], "futures": ["-X", "frozen_modules=off"],
    "a thread imports": ["-X", "faulthandler"], "modules of its own by name": ["-B"],
}
OWN = ("struct", "zlib", "signal", "select", "random", "binascii", "linecache", "copyreg", "array", "tokenize", "heapq", "fcntl")
FILES = {
    "stack of an import": {"shows_stack.py": "import sys\nf = sys._getframe()\nwhile f:\n    print(f.f_code.co_filename.rpartition('/')[2], f.f_code.co_name, f.f_lineno)\n    f = f.f_back\n"},
    "modules of its own by name": {f"{name}.py": f"print('own {name}')\n" for name in OWN if name not in ("linecache", "random", "signal")},
    "packages of its own by name": {"json/__init__.py": "OWN = 1\n", "email/notes.txt": "", "logging/__init__.py": "from . import part\nOWN = part.X\n", "logging/part.py": "X = 3\n"},
    "errors of imports": {"broken.py": "def f(:\n", "raises.py": "def g():\n    1 / 0\ng()\n", "loops.py": "from loops import nothing\n"},
    "warnings name the line": {"warns_at.py": "import warnings\n" + "".join(f"warnings.warn('{n}', stacklevel={n})\n" for n in range(1, 6)), "imp_like.py": "import warnings\nwarnings.warn('d', DeprecationWarning, stacklevel=2)\n"},
    "a module runs another program": {"beside.py": "import sys\nprint(__name__, sys.argv[0].rpartition('/')[2], __file__.rpartition('/')[2], __spec__)\n"},
}


def ways(python, folder):
    """(name, command, what comes on stdin, variables): one program started in many ways. Writes what they need into `folder`."""
    (folder / "show.py").write_text(SHOW)
    for name in ("app", "package", "package/inner"):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "__init__.py").write_text("")
        (folder / name / "__main__.py").write_text(SHOW)
    with zipfile.ZipFile(folder / "app.pyz", "w") as archive:
        archive.writestr("__main__.py", "import part\n" + SHOW)
        archive.writestr("part.py", "import struct; print('part', __file__.rpartition('/')[2])")
        archive.writestr("struct.py", "print('own struct')")
    (folder / "link.py").unlink(missing_ok=True)
    (folder / "link.py").symlink_to("app/__main__.py")
    for name, text in CUSTOM.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text)
    show = str(folder / "show.py")
    yield from [
        ("a folder", [python, "app", "x"], "", {}), ("a zip file", [python, "app.pyz", "x"], "", {}), ("a link", [python, "link.py"], "", {}),
        ("a package's module", [python, "-m", "package.inner", "-x"], "", {}), ("a program on stdin", [python], SHOW, {}), ("a program on stdin, named", [python, "-", "a"], SHOW, {}),
        ("/dev/stdin", [python, "/dev/stdin", "a"], SHOW, {}), ("options before -c", [python, "-uBsWi", "-c", SHOW, "-c"], "", {}), ("interactive", [python, "-i", "-q", "-c", "x = 1"], "print(x)\n", {}),
        ("a tool of Python's", [python, "-m", "json.tool"], "[1]", {}), ("a tool of Python's with options", [python, "-m", "timeit", "-n", "1", "-r", "1", "-h"], "", {}), ("pdb", [python, "-m", "pdb", "-c", "c", "-c", "q", show], "", {}),
        ("runpy of a missing one", [python, "-m", "no.such"], "", {}), ("a missing file", [python, "no such.py"], "", {}), ("help", [python, "--help"], "", {}), ("version", [python, "-VV"], "", {}),
        ("compile", [python, "-m", "py_compile", "-"], "", {}), ("zipapp", [python, "-m", "zipapp", "app.pyz", "--info"], "", {}), ("site", [python, "-m", "site"], "", {}),
        ("-S and then site", [python, "-S", "-c", "import site; site.main(); " + SHOW.replace("\n", "; ").strip("; ")], "", {}),
        ("a sitecustomize that fails", [python, show], "", {"PYTHONPATH": "failing"}), ("a sitecustomize that ends it", [python, show], "", {"PYTHONPATH": "ending"}),
        ("a sitecustomize that is a package", [python, "-c", "import sitecustomize; print(sitecustomize.X, sitecustomize.__name__)"], "", {"PYTHONPATH": "packaged"}),
        ("a sitecustomize that imports", [python, show], "", {"PYTHONPATH": "importing"}), ("a sitecustomize with a wrong line", [python, show], "", {"PYTHONPATH": "wrong"}),
        ("a sitecustomize that removes itself", [python, "-c", "import sys; print('sitecustomize' in sys.modules, sys.path[1:2])"], "", {"PYTHONPATH": "removing"}),
        ("a sitecustomize that becomes another", [python, show], "", {"PYTHONPATH": "becoming"}), ("usercustomize", [python, "-c", "import usercustomize; print(usercustomize.X)"], "", {"PYTHONPATH": "user"}),
        ("a sitecustomize that looks", [python, show], "", {"PYTHONPATH": "looking"}),
        *[(f"-X {option}", [python, "-X", option, show], "", {}) for option in ("utf8=0", "pycache_prefix=cache", "int_max_str_digits=700", "warn_default_encoding", "showrefcount", "nonsense", "tracemalloc=3")],
        *[(f"{name}={value}", [python, show], "", {name: value}) for name, value in (
            ("PYTHON_CPU_COUNT", "1"), ("PYTHONNODEBUGRANGES", "1"), ("PYTHON_FROZEN_MODULES", "off"), ("PYTHONWARNDEFAULTENCODING", "1"), ("PYTHON_COLORS", "0"), ("PYTHONCASEOK", "1"), ("PYTHONDUMPREFS", "1"),
            ("PYTHONPERFSUPPORT", "1"), ("BASH_ENV", "/nowhere"), ("ENV", "/nowhere"), ("IFS", "x"), ("LD_PRELOAD", ""), ("POSIXLY_CORRECT", "1"), ("CDPATH", "/"), ("PS4", "$(echo hi >&2)"), ("a.b", "c"), ("BASH_FUNC_x%%", "() { :; }"))],
        *[(f"through {' '.join(words)}", [*words, python, show], "", {}) for words in (
            ["setsid", "-w"], ["env", "-u", "HOME"], ["env", "-S", "A=1"], ["stdbuf", "-o0"], ["ionice", "-c3"], ["chrt", "-b", "0"], ["taskset", "1"], ["prlimit", "--nofile=64"],
            ["sh", "-c", 'exec "$@"', "x"], ["bash", "-c", '"$@" && :', "x"], ["bash", "-c", 'trap "echo trapped" EXIT; "$@"', "x"], ["bash", "-c", 'ulimit -v 4000000; "$@"', "x"], ["nohup", "nice", "-n", "3"])],
    ]


CUSTOM = {
    "failing/sitecustomize.py": "1 / 0\n", "ending/sitecustomize.py": "raise SystemExit(9)\n", "packaged/sitecustomize/__init__.py": "from .part import X\n", "packaged/sitecustomize/part.py": "X = 4\n",
    "importing/sitecustomize.py": "import json, decimal, subprocess, threading\n", "wrong/sitecustomize.py": "def f(:\n", "removing/sitecustomize.py": "import sys; del sys.modules[__name__]; sys.path.insert(1, '/first')\n",
    "becoming/sitecustomize.py": "import os\nos.execv('/bin/echo', ['echo', 'another'])\n", "user/usercustomize.py": "X = 8\n",
    "looking/sitecustomize.py": "import os, sys\nprint(sorted(n for n in os.environ if n.startswith(('PYTHON', 'FIRSTSTEP'))), sys.path, __file__.rpartition('/')[2], __spec__.name, sys._getframe().f_back.f_code.co_name)\n",
}
