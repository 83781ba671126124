"""The import image stands for files; whatever changes in them, the program must see."""

from __future__ import annotations

import builtins
import os
import re
import time
from importlib.machinery import EXTENSION_SUFFIXES, SourceFileLoader

import pytest

from firststep_agent.boost.image.serving import unchanged_loaders

IMPORT_ALL = """
import importlib, sys
names = ["pack"] + [f"pack.m{n}" for n in range(12)]
modules = [importlib.import_module(name) for name in names]
print([getattr(m, "VALUE", None) for m in modules])
"""


@pytest.fixture
def learned(box):
    """A box whose program has been learned and is served from the image."""
    box.package("pack")
    box.write("program.py", IMPORT_ALL)
    box.plain("program.py")  # writes the bytecode
    time.sleep(0.3)  # what changed a moment ago is not trusted
    box.boost("program.py")
    second = box.boost("program.py")
    assert second.live("import-image"), second.said
    return box


def test_serves_the_same(learned):
    assert learned.boost("program.py").out == learned.plain("program.py").out


def test_its_index_is_read_where_something_is_imported(learned):
    learned.write("reads.py", """
import gc, sys
(index,) = [each for each in gc.get_objects() if str(type(each).__module__).endswith("boost.image.index")]
read = [index.is_read]
if sys.argv[1:]:
    import pack.m1
print(*read, index.is_read)
""")
    assert learned.boost("reads.py").out == "False False\n"
    assert learned.boost("reads.py", "imports").out == "False True\n"


def test_sees_a_file_edited_in_place_with_its_time_put_back(learned):
    path = learned.folder / "pack/m3.py"
    before = path.stat()
    text = path.read_text().replace("VALUE = 3", "VALUE = 9")
    with path.open("r+") as file:
        file.write(text)
    for cached in (learned.folder / "pack/__pycache__").glob("m3.*"):
        cached.unlink()
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "2, 9, 4" in learned.boost("program.py").out


def test_bytecode_from_before_an_edit_is_not_kept(box):
    """An edit that leaves the file's size and time: Python goes on with the bytecode that it has, and not any more once that is removed."""
    box.environment.pop("PYTHONDONTWRITEBYTECODE", None)
    box.package("pack")
    box.write("program.py", IMPORT_ALL)
    path = box.folder / "pack/m3.py"
    before, text = path.stat(), path.read_text()
    box.plain("program.py")  # writes the bytecode
    path.write_text(text.replace("VALUE = 3", "VALUE = 9"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    time.sleep(0.3)  # what changed a moment ago is not trusted
    for _ in range(3):
        ran = box.boost("program.py")
        assert "2, 3, 4" in ran.out
    assert ran.live("import-image"), ran.said
    for cached in (box.folder / "pack/__pycache__").glob("m3.*"):
        cached.unlink()
    assert "2, 9, 4" in box.boost("program.py").out


def test_sees_a_package_that_now_shadows_a_module(learned):
    learned.write("pack/m5/__init__.py", "VALUE = 'shadow'\n")
    assert "'shadow'" in learned.boost("program.py").out


def test_sees_a_folder_earlier_on_the_path(learned):
    learned.write("earlier/pack/__init__.py", "VALUE = 'earlier'\n")
    learned.environment["PYTHONPATH"] = str(learned.folder / "earlier")
    learned.write("first.py", "import sys\nsys.path.insert(0, sys.path.pop(1))\nimport pack\nprint(pack.VALUE)\n")
    assert learned.boost("first.py").out == "earlier\n"


def test_sees_a_module_that_is_gone(learned):
    (learned.folder / "pack/m7.py").unlink()
    ran = learned.boost("program.py")
    assert ran.code == 1 and "No module named 'pack.m7'" in ran.said


LOOKS = """
import importlib.resources, importlib.util, inspect, pickle, pkgutil, sys, traceback
import pack, pack.m1
spec = pack.m1.__spec__
print(spec, spec.cached, spec.has_location, spec.parent, spec.submodule_search_locations)
print(pack.__spec__, pack.__path__, pack.__cached__)
print(pack.m1.__file__, pack.m1.__cached__, type(pack.m1.__loader__), vars(pack.m1.__loader__))
print(inspect.getsource(pack.m1.where), pack.m1.where(), pack.m1.where.__code__.co_filename)
print(sorted(name for _, name, _ in pkgutil.iter_modules(pack.__path__)))
print(importlib.resources.files("pack").joinpath("m2.py").read_text())
print(pickle.loads(pickle.dumps(pack.m1.where)) is pack.m1.where)
print([repr(finder) for finder in sys.meta_path], [repr(hook)[:40] for hook in sys.path_hooks])
print(pack.m1.__loader__.get_source("pack.m1"), importlib.util.find_spec("pack.m4"))
for bad in ("pack.nothing", "pack.broken", "pack.raises"):
    try:
        exec(f"import {bad}")
    except Exception:
        traceback.print_exc(file=sys.stdout)
"""


def without_addresses(box, program):
    """What a program prints boosted and plainly."""
    return [re.sub("0x[0-9a-f]+", "0x", ran.out) for ran in (box.boost(program), box.plain(program))]


def test_introspection_is_as_before(learned):
    learned.write("pack/broken.py", "def f(:\n")
    learned.write("pack/raises.py", "1 / 0\n")
    learned.write("looks.py", LOOKS)
    boosted, plain = without_addresses(learned, "looks.py")
    assert boosted == plain


UNUSUAL = """
import importlib, importlib.machinery as machinery, importlib.util, os, sys, types
import pack

def tell(name):
    try:
        module = importlib.import_module(name)
        print(name, module.VALUE, module.__spec__, type(module.__loader__).__name__)
    except Exception as error:
        print(name, type(error).__name__, error)

class Own:
    asked = []
    def find_spec(self, name, path, target=None):
        self.asked.append((name, path and list(path), target))
        return importlib.util.spec_from_loader(name, Loader()) if name == "pack.m2" else None

class Loader:
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        module.VALUE = "own"

tell("pack.m0")
own = Own()
sys.meta_path.insert(0, own)
tell("pack.m1"), tell("pack.m2"), tell("pack.nothing")
sys.meta_path.remove(own)
sys.meta_path.append(own)
tell("pack.m3"), tell("pack.nothing")
print(own.asked)
sys.meta_path.remove(machinery.PathFinder)
tell("pack.m4")
sys.meta_path.insert(0, machinery.PathFinder)
tell("pack.m4")
found = vars(machinery.PathFinder)["find_spec"]
machinery.PathFinder.find_spec = classmethod(lambda cls, name, path=None, target=None: None)
tell("pack.m5")
machinery.PathFinder.find_spec = found
pack.__path__.insert(0, os.path.abspath("other"))
tell("pack.m6"), tell("pack.m7")
del pack.__path__[0]
pack.__path__ = tuple(pack.__path__)
tell("pack.m8")
pack.__path__ = list(pack.__path__)
sys.path_importer_cache[pack.__path__[0]] = None
tell("pack.m9")
del sys.path_importer_cache[pack.__path__[0]]
tell("pack.m9")
print(importlib.import_module("pack.space").__path__)
sys.modules["pack.m10"] = types.SimpleNamespace(VALUE="given", __spec__=None, __loader__=None)
tell("pack.m10")
del sys.modules["pack.m10"]
tell("pack.m10")
print(importlib.reload(sys.modules["pack.m0"]).VALUE)
"""


def test_an_unusual_import_system_finds_what_it_finds_plainly(learned):
    learned.write("other/m6.py", "VALUE = 'other'\n")
    learned.write("pack/space/inner.py", "VALUE = 'inner'\n")
    learned.write("unusual.py", UNUSUAL)
    boosted, plain = without_addresses(learned, "unusual.py")
    assert boosted == plain
    assert "pack.m2 own" in plain and "pack.m6 other" in plain


@pytest.mark.parametrize("damage", ["truncate", "flip head", "flip tail", "empty"])
def test_a_damaged_image_is_ignored(learned, damage):
    entry = next((learned.cache / "import-image").glob("*.entry"))
    data = bytearray(entry.read_bytes())
    if damage == "truncate":
        data = data[: len(data) // 2]
    elif damage == "empty":
        data = bytearray()
    else:
        position = 100 if damage == "flip head" else len(data) - 40
        data[position] ^= 4
    entry.write_bytes(data)
    ran = learned.boost("program.py")
    assert ran.code == 0 and ran.out == learned.plain("program.py").out


def test_bytecode_is_kept_where_python_cannot_keep_it(box):
    box.package("pack")
    box.write("program.py", IMPORT_ALL)
    box.environment["PYTHONDONTWRITEBYTECODE"] = "1"
    time.sleep(0.3)
    first = box.boost("program.py")
    second = box.boost("program.py")
    assert second.live("compile-bytecode"), second.said
    assert first.out == second.out
    assert not list(box.folder.glob("pack/__pycache__/*"))


def test_what_the_compiler_warns_of_in_each_plain_start_is_said_in_each_boosted_one(box):
    """Python may keep no bytecode here: it compiles all of it in each start."""
    box.package("pack")
    box.write("pack/warns.py", "def same(x):\n    return x is 1\n")
    box.write("pack/hushed.py", "import warnings\nwith warnings.catch_warnings():\n"
                                "    warnings.simplefilter('ignore')\n    import pack.again\n")
    box.write("pack/again.py", "def same(x):\n    return x is 'a'\n")
    box.write("program.py", IMPORT_ALL + """
import warnings
before = list(warnings.filters)
for name in ("pack.hushed", "pack.warns"):
    try:
        importlib.import_module(name)
    except SyntaxError as error:
        print(error)
print(warnings.filters == before)
""")
    box.environment["PYTHONDONTWRITEBYTECODE"] = "1"
    time.sleep(0.3)  # what changed a moment ago is not trusted
    for how in ("default", "error::SyntaxWarning"):
        box.environment["PYTHONWARNINGS"] = how
        plain = box.plain("program.py")
        assert (how == "default") == ("SyntaxWarning" in plain.said)
        for _ in range(3):
            ran = box.boost("program.py")
            assert (ran.code, ran.out) == (plain.code, plain.out)
            assert ran.said.count("SyntaxWarning") == plain.said.count("SyntaxWarning"), ran.said
        assert ran.live("compile-bytecode")


def test_an_extension_module_that_was_built_inside_a_package_is_found(learned):
    """Python looks for `__init__.*.so` before `__init__.py`; here the file is none, so that the import fails plainly too."""
    learned.write(f"pack/__init__{EXTENSION_SUFFIXES[0]}", "no library")
    plain, ran = learned.plain("program.py"), learned.boost("program.py")
    assert plain.code == ran.code == 1 and "ImportError" in ran.said and plain.out == ran.out


def test_two_images_with_fixed_times_are_told_apart(tmp_path):
    """Built with the same times, sizes and inodes: only what is in the files differs."""
    from firststep_agent.boost.image.stamps import is_same_content, stamp, stamp_with_content, tells

    path = tmp_path / "module.py"
    path.write_text("VALUE = 1\n")
    kept = path.stat()

    class Fixed:
        st_mtime_ns, st_ctime_ns, st_size, st_ino = 1_000_000_000, 1_000_000_000, kept.st_size, kept.st_ino

    assert not tells(Fixed) and tells(kept) == bool(kept.st_ctime_ns % 10**9)
    known = stamp_with_content(str(path), Fixed)
    assert stamp(Fixed) != known and is_same_content(str(path), Fixed, known)
    path.write_text("VALUE = 2\n")
    assert not is_same_content(str(path), Fixed, known)
    assert not is_same_content(str(path), kept, known)


FIXED_TIMES = """
import os, sys
import firststep_agent.as_found as as_found
import firststep_agent.boost.image.serving as serving
plain = os.stat

def fixed(path, *arguments, **keywords):
    found = plain(path, *arguments, **keywords)
    if not str(path).endswith(".py") or "pack" not in str(path):
        return found
    class Image:
        st_mtime_ns = st_ctime_ns = 1_000_000_000
        st_mtime = st_ctime = 1.0
        st_ino, st_dev, st_size, st_mode = 7, 7, found.st_size, found.st_mode
    return Image

os.stat = as_found.os.stat = serving.stat = fixed
import pack
print([__import__(f"pack.m{number}", fromlist="x").VALUE for number in range(12)])
"""


def test_code_of_another_image_with_the_same_times_sizes_and_inodes_is_not_run(box):
    box.package("pack")
    box.environment["PYTHONDONTWRITEBYTECODE"] = "1"
    box.write("program.py", FIXED_TIMES)
    time.sleep(0.3)
    box.boost("program.py")
    again = box.boost("program.py")
    assert again.live("compile-bytecode"), again.said
    box.write("pack/m3.py", "VALUE = 9\ndef where():\n    return __file__\n")
    assert box.boost("program.py").out == "[0, 1, 2, 9, 4, 5, 6, 7, 8, 9, 10, 11]\n"


def test_an_edit_during_the_learning_run_with_a_clock_set_ahead(box):
    box.environment["PYTHONDONTWRITEBYTECODE"] = "1"  # Python itself would take that of an edit before within the same second
    box.package("pack")
    box.write("ahead.py", IMPORT_ALL + "open('pack/m3.py', 'r+').write('VALUE = 9')\n")
    ahead = box.write("ahead/usercustomize.py", "")
    assert ahead.exists()
    box.write("start.py", "from firststep_agent.as_found import time\nimport firststep_agent.boost.image.learning as learning\n"
                          "from firststep_agent.run import active\nlearner = active().image_session.learner\n"
                          "learner._began += 3600 * 10**9\ntheirs = time.time_ns\ntime.time_ns = lambda: theirs() + 3600 * 10**9\n"
                          "exec(open('ahead.py').read())\n")
    box.plain("-c", "import pack")
    time.sleep(0.3)
    box.boost("start.py")
    box.write("program.py", IMPORT_ALL)
    assert "2, 9, 4" in box.boost("program.py").out


HOOKS = """
import builtins, importlib, sys
from importlib.machinery import FileFinder, PathFinder, SourceFileLoader


def turned(source):
    return source.replace(b"VALUE = ", b"VALUE = 100 + ")


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        spec = PathFinder.find_spec(name, path) if name.startswith("pack.") else None
        if spec is not None:
            turn[sys.argv[1]](spec.loader)
        return spec


def code(loader):
    plain = loader.source_to_code
    loader.source_to_code = lambda source, *more, **options: plain(turned(source), *more, **options)


def execution(loader):
    plain = loader.exec_module

    def exec_module(module):
        plain(module)
        module.VALUE += 100

    loader.exec_module = exec_module


turn = {"code": code, "execution": execution}
if sys.argv[1] in turn:
    sys.meta_path.insert(0, Finder)
elif sys.argv[1] == "class":
    plain = SourceFileLoader.source_to_code
    SourceFileLoader.source_to_code = lambda loader, source, *more, **options: plain(loader, turned(source), *more, **options)
elif sys.argv[1] == "base":
    base = SourceFileLoader.__mro__[2]
    plain = base.get_code
    base.get_code = lambda loader, name: compile("VALUE = 100", name, "exec") if name.startswith("pack.") else plain(loader, name)
elif sys.argv[1] == "data":
    base = SourceFileLoader.__mro__[1]
    plain = base.get_data
    base.get_data = lambda loader, path: turned(plain(loader, path))
elif sys.argv[1] == "compiler":
    compiler = builtins.compile
    builtins.compile = lambda source, *more, **options: compiler(
        turned(source) if isinstance(source, bytes) else source, *more, **options)
elif sys.argv[1] == "folder":
    import pack
    (folder,) = pack.__path__
    finder = sys.path_importer_cache[folder] = FileFinder(folder, *PathFinder.find_spec.__globals__["_get_supported_file_loaders"]())
    finder.find_spec = lambda name, target=None: None
modules = []
for n in range(12):
    try:
        modules.append(importlib.import_module(f"pack.m{n}").VALUE)
    except ImportError as error:
        modules.append(str(error))
print(modules)
"""


@pytest.mark.parametrize("hook", ["code", "execution", "class", "base", "data", "compiler", "folder"])
def test_a_hook_changes_what_it_changes_plainly_and_in_its_own_program_alone(box, hook):
    """What it makes of a module is not learned, and what was learned is not served in its place."""
    box.package("pack")
    box.write("program.py", HOOKS)
    box.environment["PYTHONDONTWRITEBYTECODE"] = "1"
    plain, hooked = (box.plain("program.py", how).out for how in ("none", hook))
    assert plain != hooked
    time.sleep(0.3)  # what changed a moment ago is not trusted
    for how in (hook, "none", "none", hook, hook):
        assert box.boost("program.py", how).out == (plain if how == "none" else hooked)


def test_a_compiler_that_was_replaced_before_makes_nothing_that_is_learned(monkeypatch):
    """By a .pth file, say: in other starts it may not be there."""
    loader = SourceFileLoader("name", "/path.py")
    assert unchanged_loaders()(loader)
    with monkeypatch.context() as patch:
        patch.setattr(builtins, "compile", lambda *arguments, **options: None)
        is_served = unchanged_loaders()(loader)
    assert not is_served


def test_a_folder_named_with_a_slash_at_its_end(box):
    """Python joins paths without it: __file__ is what it is plainly, and the modules are served."""
    box.package("lib/pack")
    box.write("lib/single.py", "")
    box.write("program.py", """
import importlib, os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/lib/")
import pack, single
for module in (pack, single, *(importlib.import_module(f"pack.m{n}") for n in range(12))):
    print(module.__file__, module.__cached__, getattr(module, "__path__", None), module.__spec__.origin, module.__loader__.path)
""")
    plain = box.plain("program.py").out
    time.sleep(0.3)
    assert [box.boost("program.py").out for _ in range(3)] == [plain] * 3


def test_what_the_compiler_says_each_time_is_said_each_time(box):
    """Python keeps no bytecode where it cannot write, and says nothing of that."""
    box.environment.pop("PYTHONDONTWRITEBYTECODE", None)
    box.package("pack")
    box.write("pack/warns.py", "VALUE = 1\nif VALUE is 2: pass\n")
    box.write("pack/__pycache__", "no folder")
    box.write("program.py", IMPORT_ALL + "import pack.warns\n")
    time.sleep(0.3)
    ran = [box.boost("program.py") for _ in range(3)]
    assert ["SyntaxWarning" in one.said for one in ran] == [True] * 3
    assert ran[2].live("compile-bytecode")


def test_the_agents_own_modules_are_learned_once(learned):
    """They come before the index is read, in each start."""
    assert "learned (modules" not in learned.boost("program.py").said


def test_sees_what_changes_without_the_folder_that_names_it(box):
    """A folder of a module's name becomes a package, a link to nothing an extension module: Python would find these first."""
    box.package("pack")
    box.write("pack/m5/notes.txt", "")
    box.write("elsewhere/notes.txt", "")
    (box.folder / f"pack/m6{EXTENSION_SUFFIXES[0]}").symlink_to("../elsewhere/library.so")
    box.write("program.py", IMPORT_ALL)
    plain = box.plain("program.py").out
    time.sleep(0.3)  # what changed a moment ago is not trusted
    assert [box.boost("program.py").out for _ in range(2)] == [plain] * 2
    box.write("pack/m5/__init__.py", "VALUE = 'shadow'\n")
    ran = box.boost("program.py")
    assert "'shadow'" in ran.out and ran.live("import-image")
    box.write("elsewhere/library.so", "no library")
    plain, ran = box.plain("program.py"), box.boost("program.py")
    assert plain.code == ran.code == 1 and "ImportError" in ran.said
