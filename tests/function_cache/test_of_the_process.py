"""What a trace asks of the process is as it is plainly, in every start; and no answer stands where the child that proves it sees another."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import supported_interpreters
from replay_harness import check_same, lab  # noqa: F401

SOURCE = Path(__file__).parents[2] / "src"

STREAMS = """
import contextlib, io, logging, sys, warnings
import tensorflow as tf

X, OUT, shown = tf.constant([1., 2.]), sys.stdout, warnings.showwarning

class Held: pass
held = Held()
held.out = sys.stdout

@tf.function
def asks(x):
    print("by a name of its own", file=held.out)
    print("the process's own", file=sys.__stdout__)
    is_text = isinstance(sys.stdout, io.TextIOWrapper) and type(sys.stdout) is io.TextIOWrapper
    return x + float(is_text) + 10 * float(sys.stdout is sys.__stdout__ is held.out)

@tf.function
def prints(x, stream=sys.stdout):
    tf.print("value", x, output_stream=stream)
    tf.print("value", x, output_stream=OUT)
    return x

@tf.function
def asks_of_warnings(x):
    return x + float(warnings.showwarning is shown) + 2 * float(warnings.showwarning.__module__ == "warnings")

@tf.function
def keeps(x):
    held.kept = sys.stdout
    return x * 2

@tf.function
def logs(x):
    logging.warning("the first record makes the handler")
    return x * 3

@tf.function
def says(x):
    warnings.warn("odd")
    with contextlib.redirect_stdout(io.StringIO()) as aside:
        print("aside")
    print("back", len(aside.getvalue()))
    return x * 3

@tf.function
def hides(x):
    sys.stdout = io.StringIO()
    print("hidden")
    sys.stdout = sys.__stdout__
    print("shown")
    return x * 4

for function in (asks, prints, asks_of_warnings, keeps, logs, says, hides):
    print(function.__name__, function(X).numpy(), type(sys.stdout).__name__)
print(held.kept is sys.stdout, logging.root.handlers[0].stream is sys.stderr, "write" in vars(sys.stdout), "write" in vars(sys.stderr))
"""

LATER = """
import os, resource, sys, tempfile
import numpy as np
import tensorflow as tf

X = tf.constant([1., 2.])
folder = tempfile.mkdtemp()
os.chdir(folder)
for name in ("there", "goes"):
    with open(os.path.join(folder, name), "w") as file:
        file.write("abc")

@tf.function
def relative(x): return x + float(len(open("there").read()))

@tf.function
def absolute(x): return x + float(len(open(os.path.join(folder, "goes")).read()))

@tf.function
def divides(x): return x + min(9., float(np.float64(1.) / np.float64(0.)))

@tf.function(autograph=False)
def caught(x): return x + float(sys.exc_info()[1].args[0] if sys.exc_info()[1] else 0.)

@tf.function
def warns(x):
    import warnings
    warnings.warn("odd")
    return x + 1

with np.errstate(all="ignore"):
    print(relative(X).numpy(), absolute(X).numpy(), divides(X).numpy(), warns(X).numpy())
try:
    raise ValueError(3)
except ValueError:
    print(caught(X).numpy())
os.remove(os.path.join(folder, "goes"))
os.chdir("/")
with np.errstate(all="raise"):
    import warnings
    warnings.simplefilter("error")
    for function in (relative, absolute, divides, caught, warns):
        print(function.get_concrete_function(X)(X).numpy())
"""

HANDED_ON = """
import asyncio, codecs, functools, hashlib, locale, os, signal, sys, threading
import tensorflow as tf

codecs.register_error("counts", hashlib.md5().update)

X = tf.constant([1., 2.])

@tf.function
def mapped(x): return x + float(list(map(os.isatty, [0]))[0])

@tf.function
def partial(x): return x + float(functools.partial(os.isatty, 0)())

held = functools.partial(os.isatty, 0)

@tf.function(autograph=False)
def kept(x): return x + float(held())

@tf.function
def timer(x):
    list(map(signal.setitimer, [signal.ITIMER_REAL], [500.]))
    return x + 1

@tf.function(autograph=False)
def limit(x): return x + float(sys.getrecursionlimit())

def watch(*arguments): pass

@tf.function(autograph=False)
def profiled(x):
    sys.setprofile(watch)
    return x + 1

@tf.function(autograph=False)
def profiled_for_a_while(x):
    sys.setprofile(watch)
    sys.setprofile(None)
    return x + float(len(os.environ["HOME"]))

@tf.function(autograph=False)
def domain(x):
    locale.textdomain("odd")
    return x + 1

@tf.function(autograph=False)
def registered(x):
    list(map(codecs.lookup_error("counts"), [b"a"]))
    return x + 1

worker, event = threading.Thread(target=int), threading.Event()
worker.start()
worker.join()

@tf.function
def alive(x): return x + float(worker.is_alive())

@tf.function(autograph=False)
def shown(x): return x + float("stopped" in repr(worker))

@tf.function(autograph=False)
def awaited(x): return x + float(event.wait(0.01))

@tf.function(autograph=False)
def looped(x): return x + float(asyncio._get_running_loop() is None)

@tf.function
def named(x): return x + float(len(os.uname().nodename) > 0)

@tf.function
def limited(x): return x + float(os.sysconf("SC_OPEN_MAX") > 0)

@tf.function
def harmless(x): return x * max([1., 2.], key=abs) + float(sorted(["b", "a"], key=str.lower)[0] == "a") + functools.reduce(max, [1., 2.])

for function in (mapped, partial, kept, timer, limit, domain, registered, alive, shown, awaited, looped, named, limited,
                 profiled_for_a_while, harmless, profiled):
    print(function.__name__, function(X).numpy(), signal.getitimer(signal.ITIMER_REAL)[0] > 0, sys.getprofile() is watch)
sys.setprofile(None)
print(locale.textdomain(None), codecs.lookup_error("counts").__self__.hexdigest())
"""


@pytest.mark.suite
@pytest.mark.tensorflow
def test_where_it_prints(lab):  # noqa: F811
    check_same(lab(STREAMS), ["asks", "prints", "asks_of_warnings", "says", "hides"])


@pytest.mark.suite
@pytest.mark.tensorflow
def test_a_function_that_is_handed_out_in_other_surroundings(lab):  # noqa: F811
    check_same(lab(LATER), [])


@pytest.mark.suite
@pytest.mark.tensorflow
def test_functions_of_c_that_are_given_to_others_to_call(lab):  # noqa: F811
    ran = check_same(lab(HANDED_ON), ["harmless"])
    assert sum("to others to call" in reason or "asks something of this process" in reason for reason in ran.reasons("refused")) >= 10


ASKS = """
import json, signal, sys
sys.path.insert(0, sys.argv[1])
exec(sys.argv[2])
from firststep_agent.boost.cache_functions.reads import whole
print(json.dumps(dict(whole.process()), default=str))
"""
ASIDE = {
    "what the standard streams are": ["", "import os; os.close(0)", "import io; sys.stdout = io.StringIO(); sys.stdout = sys.__stderr__"],
    "the process's timers and signals": ["", "signal.setitimer(signal.ITIMER_PROF, 900)", "signal.signal(signal.SIGUSR1, print)"],
}


@pytest.mark.parametrize("part", ASIDE)
def test_what_the_child_that_proves_has_not_counts(part):
    found = set()
    for act in ASIDE[part]:
        done = subprocess.run([sys.executable, "-c", ASKS, str(SOURCE), act], capture_output=True, text=True, check=True)
        found.add(json.dumps(json.loads(done.stdout or done.stderr)[part]))
    done = subprocess.run([sys.executable, "-c", ASKS, str(SOURCE), ""], capture_output=True, text=True, check=True, stdin=subprocess.PIPE)
    found.add(json.dumps(json.loads(done.stdout)[part]))
    assert len(found) == len(ASIDE[part]) + (part == "what the standard streams are" and not os.isatty(0))


NAMED = """
import functools, os, sys
sys.path.insert(0, sys.argv[1])
from firststep_agent.boost.objects import bytecode

def f(x):
    os.getcwd(); map(os.fstat, [x]); a = os.path.join; len(x); b = functools.partial(os.isatty, 0)
    return os.getpid() + x.other(a, b)

print(*sorted(".".join(each) for each in bytecode.handed_on(f.__code__) if len(each) > 1))
"""


@pytest.mark.parametrize("python", supported_interpreters().values())
def test_what_code_loads_and_does_not_call(python):
    done = subprocess.run([python, "-c", NAMED, str(SOURCE)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["os.fstat", "os.isatty", "os.path", "os.path.join"]
