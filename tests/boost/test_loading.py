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


SHOWS = "import sys, traceback\nsys.modules['__main__'].tell(traceback.extract_stack())\n"
MORE_LINES = """
import importlib, types, warnings
warnings.simplefilter("always")
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "pack.asked":
            tell(traceback.extract_stack())
        if name in ("pack.fails", "at_the_top"):
            raise ValueError(name)
class Closed(types.ModuleType):
    __slots__ = ()
    def __setattr__(self, name, value):
        raise AttributeError(name)
import first.shows, closed
sys.meta_path.insert(0, Finder)
import pack.asked
closed.__class__ = Closed
for name in ("pack.fails", "at_the_top", "leaves", "many.m1.none", "json.none", "none.none"):
    try:
        importlib.import_module(name)
    except Exception as error:
        tell(traceback.extract_tb(error.__traceback__)), print(repr(error), repr(error.__cause__), repr(error.__context__))
with warnings.catch_warnings(record=True) as caught:
    import closed.shows
print([(str(each.message), each.filename, each.lineno) for each in caught])
"""


@pytest.mark.parametrize("python", INTERPRETERS)
def test_lines_of_importlib_are_its_own(box, python):
    """While a module's code runs, and where there is no module; from Python 3.10 on at each place where something of the program's runs or
    fails, and in as many frames."""
    box.package("many", 16)
    for name in ("pack", "first", "closed"):
        box.write(f"{name}/__init__.py", {"pack": ""}.get(name, SHOWS))
        box.write(f"{name}/shows.py", SHOWS)
    for name in ("pack/asked.py", "pack/fails.py", "leaves.py"):
        box.write(name, "import sys\nsys.modules.pop('leaves', None)\n")
    more = "" if python == supported_interpreters().get((3, 9)) else MORE_LINES
    box.write("program.py", "import many" + "".join(f", many.m{number}" for number in range(16)) + LINES + more)
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


FINDERS = """
import importlib, sys
for number in range(20):
    importlib.import_module(f"many.m{number}")
asked, plain = [], sys.meta_path[:]

class Finder:
    def __init__(self, do=lambda finder: None):
        self.do = do
    def find_spec(self, name, path=None, target=None):
        asked.append(name)
        self.do(self)

class Nothing:
    pass

def tries(number, where, do):
    sys.modules.pop(f"many.m{number}")
    sys.meta_path.insert(where, Finder(do))
    try:
        print(importlib.import_module(f"many.m{number}").VALUE, end=" ")
    except Exception as error:
        print(type(error).__name__, error, end=" ")
    print(asked)
    asked.clear()
    sys.meta_path[:] = plain

def comes_last(finder):
    sys.meta_path.remove(finder)
    sys.meta_path.append(Finder())

for where in range(4):
    tries(where, where, sys.meta_path.remove)
    tries(4 + where, where, comes_last)
tries(8, 0, lambda finder: len(asked) < 5 and sys.meta_path.insert(0, Finder()))
tries(9, 0, lambda finder: sys.meta_path.insert(1, Nothing()))
tries(10, 0, lambda finder: sys.meta_path.clear())
def imports_another(finder):
    if not asked[1:]:
        sys.meta_path.insert(0, Finder())
        del sys.modules["many.m12"]
        importlib.import_module("many.m12")
tries(11, 1, imports_another)
sys.path_importer_cache = {folder: None for folder in sys.path_importer_cache}
tries(13, 0, lambda finder: None)
"""


def test_finders_that_come_and_go_while_they_are_asked(box):
    """Importlib goes through sys.meta_path itself, as it is by then."""
    box.package("many", 20)
    box.write("program.py", FINDERS)
    plain = box.plain("program.py")
    time.sleep(0.3)  # what changed a moment ago is not trusted
    boosted = [box.boost("program.py") for _ in range(2)]
    assert [ran.out for ran in boosted] == [plain.out] * 2 and "ModuleNotFoundError" in plain.out, plain.said
    assert boosted[1].live("import-image") or boosted[1].live("compile-bytecode"), boosted[1].said
