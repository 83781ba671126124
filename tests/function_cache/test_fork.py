"""The fork of a proof, on every Python that this machine has: the child goes on as one of `os.fork` does."""

import subprocess
import sys

import pytest
from programs import supported_interpreters

from function_cache.replay_harness import SOURCE

PROGRAM = """
import importlib._bootstrap, _imp, os, sys, threading, time
sys.path.insert(0, sys.argv[1])
from firststep_agent.boost.cache_functions.proof import fork
from firststep_agent.forks import Forks

registered = Forks().register(after_in_child=lambda: os.write(1, b"a handler of the program's"))
holds = sys.argv[2] == "holding"
if sys.argv[2] == "elsewhere":  # another thread is where no other may import
    def hold():
        _imp.acquire_lock()
        held.set()
        time.sleep(0.3)
        _imp.release_lock()
    held = threading.Event()
    threading.Thread(target=hold).start()
    held.wait()
if holds:
    _imp.acquire_lock()

def goes_on(status):
    import colorsys  # has to be looked for
    ended = threading.Thread(target=list)
    ended.start()
    ended.join()
    return status if _imp.lock_held() == holds else 9

pid = fork.child(registered)
if not pid:
    os._exit(goes_on(7))
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
read, write = os.pipe()
for at_once in (False, True):
    let_go = fork.Between()
    if let_go.fork(registered, at_once):
        os.write(write, bytes([goes_on(5)]))
        os._exit(0)
    print(let_go(), os.read(read, 1)[0], goes_on(3))
if holds:
    _imp.release_lock()
print(_imp.lock_held(), len(threading.enumerate()))
"""


@pytest.mark.parametrize("lock", ["free", "holding", "elsewhere"])
@pytest.mark.parametrize("python", supported_interpreters().values())
def test_the_child_goes_on_and_so_does_the_program(python, lock):
    ran = subprocess.run([python, "-W", "error", "-c", PROGRAM, str(SOURCE), lock], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout.splitlines(), ran.stderr) == (0, ["7", "True 5 3", "True 5 3", "False 1"], "")


POLLS = """
import os, sys, threading, time
sys.path.insert(0, sys.argv[1])
from firststep_agent.boost.cache_functions.proof import fork
from firststep_agent.forks import Forks

registered = Forks().register(after_in_child=id)
memory = bytearray(b"x") * (200 << 20)  # a fork takes a while
told, begun, over = [], threading.Event(), False

def poll():
    while not over:
        begun.set()
        try:
            told.append(os.waitpid(-1, os.WNOHANG)[0])
        except ChildProcessError:
            pass
        time.sleep(0.0005)

polls = threading.Thread(target=poll)
polls.start()
begun.wait()
for _ in range(20):
    let_go = fork.Between()
    if let_go.fork(registered, at_once=True):
        os._exit(0)
    time.sleep(0.002)
    assert let_go()
over = True
polls.join()
print(any(told))
"""


def test_a_thread_that_asks_again_and_again_is_told_of_no_process():
    ran = subprocess.run([sys.executable, "-c", POLLS, SOURCE], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.split() == ["False"]


WITHOUT_A_FORK = """
import ctypes, os, sys
sys.path.insert(0, sys.argv[1])
from firststep_agent.boost.cache_functions.proof import fork

own = os.spawnvp(os.P_NOWAIT, "true", ["true"])
os.waitid(os.P_PID, own, os.WEXITED | os.WNOWAIT)

class Library:
    def __init__(self, *arguments, **keywords):
        self.waitpid, self.usleep = plain.waitpid, plain.usleep
        self.fork = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: -1)

plain = ctypes.PyDLL(None)
ctypes.PyDLL = Library
try:
    fork.Between().fork([], at_once=True)
except OSError:
    print(os.waitpid(-1, os.WNOHANG)[0] == own)
"""


def test_who_cannot_fork_waits_for_no_child_of_the_programs():
    ran = subprocess.run([sys.executable, "-c", WITHOUT_A_FORK, SOURCE], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.split() == ["True"], ran.stderr


WAITS = """
import os, sys, threading, time
sys.path.insert(0, sys.argv[1])
from firststep_agent.boost.cache_functions.proof import waiters

def asked(wait):
    child = os.spawnvp(os.P_NOWAIT, "sleep", ["sleep", "100"])
    thread = threading.Thread(target=wait, args=(child,))
    thread.start()
    time.sleep(0.3)
    found = waiters.wait_for_any()
    os.kill(child, 9)
    thread.join()
    return found

print(waiters.wait_for_any(), asked(lambda child: os.wait()), asked(lambda child: os.waitid(os.P_ALL, 0, os.WEXITED)),
      asked(lambda child: os.waitpid(0, 0)), asked(lambda child: os.waitpid(child, 0)), asked(lambda child: os.waitid(os.P_PID, child, os.WEXITED)))
"""


def test_threads_that_wait_for_any_child_are_known():
    ran = subprocess.run([sys.executable, "-c", WAITS, SOURCE], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "True", "True", "True", "False", "False"]


RAISES = """
import _imp, os, signal, sys, threading, time
sys.path.insert(0, sys.argv[1])
from firststep_agent.boost.cache_functions.proof import fork
from firststep_agent.forks import Forks

registered = Forks().register(after_in_child=id)
before = list(registered)
memory = bytearray(b"x") * (200 << 20)  # a fork takes a while
raised = 0

class Now(Exception):
    pass

def now(*_):
    raise Now

signal.signal(signal.SIGALRM, now)
for number in range(40):
    let_go = fork.Between()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0002 + 0.0001 * (number // 2))
        if let_go.fork(registered, number % 2):
            os._exit(0)
        time.sleep(0.1)
    except Now:
        raised += 1
    let_go()
try:
    left = os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    left = None
print(raised, _imp.lock_held(), registered == before, left)
"""


@pytest.mark.parametrize("python", supported_interpreters().values())
def test_a_handler_that_raises_during_the_fork_leaves_no_lock_and_no_process(python):
    ran = subprocess.run([python, "-c", RAISES, str(SOURCE)], capture_output=True, text=True, timeout=60)
    assert ran.stdout.split() == ["40", "False", "True", "None"], ran.stderr


FILES = """
import os, select, sys, time
sys.path.insert(0, sys.argv[1])
from firststep_agent.boost.cache_functions.proof import fork, sandbox
from firststep_agent.forks import Forks

registered = Forks().register(after_in_child=id)
import resource
read, write = os.pipe()
high = os.dup2(write, 900)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
let_go = fork.Between()
if let_go.fork(registered, first=sandbox.close_all):
    time.sleep(5)
    os._exit(0)
assert let_go()
os.close(write)
os.close(high)
print(bool(select.select([read], [], [], 0)[0]))
"""


def test_the_programs_files_are_its_own_once_it_goes_on():
    """A pipe whose other end a copy of the process holds does not end; nor is a port free, or a lock."""
    ran = subprocess.run([sys.executable, "-c", FILES, str(SOURCE)], capture_output=True, text=True, timeout=60)
    assert ran.stdout.split() == ["True"], ran.stderr
