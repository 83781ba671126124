"""Submodules that one function finds and runs are what importlib's own functions would have made of them."""

from __future__ import annotations

import re
import sys
import time

import pytest
from programs import supported_interpreters

INTERPRETERS = list(supported_interpreters().values()) or [sys.executable]

PACKAGE = {
    "__init__.py": "",
    "plain.py": "import sys\nbefore = [n for n in vars()], __spec__._initializing, list(sys.modules)[-1]\nVALUE = 1\n",
    "raises.py": "from pack import plain\ndef deep():\n    raise ValueError('no')\ndeep()\n",
    "missing.py": "import pack.nothing\n",
    "broken.py": "def f(:\n",
    "leaves.py": "import sys\ndel sys.modules[__name__]\n",
    "replaced.py": "import sys, types\nsys.modules[__name__] = types.SimpleNamespace(VALUE='in its place')\n",
    "first.py": "from . import second\nfrom .second import VALUE\n",
    "second.py": "from . import first\ntry:\n    first.VALUE\nexcept AttributeError as error:\n    print(error)\n"
                 "try:\n    from .first import VALUE\nexcept ImportError as error:\n    print(error)\nVALUE = 2\n",
    "inner/__init__.py": "from . import leaf\nimport pack.inner.leaf as again\nfrom .. import plain\n",
    "inner/leaf.py": "import sys\nprint(sys.modules['pack.inner'].__spec__._initializing, hasattr(sys.modules['pack.inner'], 'leaf'))\n",
    "holder/__init__.py": "import sys, types\nclass Closed(types.ModuleType):\n    __slots__ = ()\n"
                          "    def __setattr__(self, name, value):\n        raise AttributeError(name)\n"
                          "sys.modules[__name__].__class__ = Closed\n",
    "holder/part.py": "VALUE = 3\n",
    "swapped/__init__.py": "",
    "swapped/part.py": "import sys, types\nclass Closed:\n    __slots__ = '__path__', '__spec__'\n"
                       "there = Closed()\nthere.__path__, there.__spec__ = sys.modules['pack.swapped'].__path__, None\n"
                       "sys.modules['pack.swapped'] = there\n",
    "slow.py": "import time\nSTARTED = time.monotonic()\ntime.sleep(0.3)\nVALUE = STARTED\n",
    "asks.py": "import sys, threading\nseen = []\ndef other():\n    import pack.slow\n    seen.append(pack.slow.VALUE)\n"
               "threads = [threading.Thread(target=other) for _ in range(4)]\n[t.start() for t in threads]\n"
               "import pack.slow\n[t.join() for t in threads]\nprint(len(seen), set(seen) == {pack.slow.VALUE})\n",
    "patched.py": "VALUE = 4\n",
    "unloaded.py": "VALUE = 5\n",
}

PROGRAM = """
import importlib._bootstrap as bootstrap, importlib._bootstrap_external as external, sys, traceback, warnings
warnings.simplefilter("always")
import pack

def tell(name):
    try:
        __import__(name)
    except BaseException:
        traceback.print_exc(file=sys.stdout)
    module = sys.modules.get(name)
    parent = sys.modules.get(name.rpartition(".")[0])
    print(name, list(sys.modules)[-4:], list(getattr(module, "__dict__", ())), getattr(module, "before", None))
    print({key: value for key, value in getattr(module, "__dict__", {}).items()
           if key in ("__name__", "__doc__", "__package__", "__loader__", "__spec__", "__path__", "__file__", "__cached__")})
    print(getattr(getattr(module, "__spec__", None), "_initializing", "-"), vars(parent.__spec__) if parent.__spec__ else "-",
          getattr(parent, name.rpartition(".")[2], "-") is module)

for name in ("plain", "raises", "missing", "broken", "leaves", "replaced", "first", "inner", "holder", "swapped", "asks"):
    tell("pack." + name)
with warnings.catch_warnings(record=True) as caught:
    tell("pack.holder.part"), tell("pack.swapped.part")
print([(str(w.message), w.category.__name__) for w in caught])
print([name for name in bootstrap._module_locks if name.startswith("pack")], bootstrap._blocking_on)

made = external.SourceFileLoader.exec_module
external.SourceFileLoader.exec_module = lambda self, module: vars(module).update(VALUE="patched")
tell("pack.patched"), print(sys.modules["pack.patched"].VALUE)
external.SourceFileLoader.exec_module = made
del sys.modules["pack.patched"]
loaded = bootstrap._load_unlocked
bootstrap._load_unlocked = lambda spec: print("loads", spec.name) or loaded(spec)
tell("pack.patched")
bootstrap._load_unlocked = loaded
tell("pack.unloaded")
sys.modules["pack.unloaded"] = None
tell("pack.unloaded")
"""


LEARN = """
import importlib, pathlib
for file in [*pathlib.Path("pack").rglob("*.py"), *pathlib.Path("many").rglob("*.py")]:
    try:
        importlib.import_module(".".join(file.with_suffix("").parts).replace(".__init__", ""))
    except BaseException:
        pass
"""


@pytest.mark.parametrize("python", INTERPRETERS)
def test_effects_are_those_of_importlib(box, python):
    for name, text in PACKAGE.items():
        box.write(f"pack/{name}", text)
    box.package("many", 16)
    box.write("learn.py", LEARN)
    box.write("program.py", PROGRAM)
    box.plain("learn.py", python=python)
    time.sleep(0.3)  # what changed a moment ago is not trusted
    box.boost("learn.py", python=python)
    ran = box.boost("program.py", python=python)
    assert ran.live("import-image") or ran.live("compile-bytecode"), ran.said  # where bytecode is kept, or where it is not
    plain, boosted = (_told(out) for out in (box.plain("program.py", python=python).out, ran.out))
    assert [pair for pair in zip(plain, boosted) if pair[0] != pair[1]] == []
    assert len(plain) == len(boosted)


def _told(output):
    """Lines, without addresses and without the frames of importlib's, which show where importlib itself fails."""
    return [re.sub("0x[0-9a-f]+", "0x", line) for line in output.splitlines() if "<frozen importlib" not in line]


LINES = """
import sys, traceback
def tell(frames):
    print([(frame.filename, frame.name, frame.lineno) for frame in frames if frame.filename.startswith("<frozen importlib")])
import pack.shows
try:
    import pack.nothing
except ImportError as error:
    tell(traceback.extract_tb(error.__traceback__))
"""


@pytest.mark.parametrize("python", INTERPRETERS)
def test_lines_of_importlib_are_its_own(box, python):
    """While a module's code runs, and where there is no module."""
    box.package("many", 16)
    box.write("pack/__init__.py", "")
    box.write("pack/shows.py", "import sys, traceback\nsys.modules['__main__'].tell(traceback.extract_stack())\n")
    box.write("program.py", "import many" + "".join(f", many.m{number}" for number in range(16)) + LINES)
    plain = box.plain("program.py", python=python).out
    time.sleep(0.3)  # what changed a moment ago is not trusted
    boosted = [box.boost("program.py", python=python) for _ in range(2)]
    assert [ran.out for ran in boosted] == [plain] * 2 and "exec_module" in plain
    assert boosted[1].live("import-image")


DEADLOCK = """
import threading, sys
import pack
import pack.plain
results = []
def run(name):
    __import__(name)
    results.append(name)
sys.modules["pack"].meet = threading.Barrier(2)
threads = [threading.Thread(target=run, args=("pack." + name,)) for name in ("left", "right")]
[t.start() for t in threads]
[t.join(20) for t in threads]
print(sorted(results), [t.is_alive() for t in threads])
"""


def test_two_modules_that_import_each_other_from_two_threads_do_not_wait_for_ever(box):
    for own, other in (("left", "right"), ("right", "left")):
        box.write(f"pack/{own}.py", f"import sys\nmeet = getattr(sys.modules['pack'], 'meet', None)\nif meet:\n    meet.wait()\n"
                                    f"import pack.{other}\n")
    box.write("pack/__init__.py", "")
    box.write("pack/plain.py", "")
    box.package("many", 16)
    box.write("learn.py", LEARN)
    box.write("program.py", DEADLOCK)
    box.plain("learn.py")
    time.sleep(0.3)
    box.boost("learn.py")
    ran = box.boost("program.py")
    assert ran.live("import-image"), ran.said
    assert ran.out == "['pack.left', 'pack.right'] [False, False]\n"
