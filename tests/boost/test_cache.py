"""What `firststep cache` says and does."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

import pytest

from firststep.cache.savings import Savings, boosted, load_all
from firststep.cache.savings import learned as opened
from firststep.cli._root import run
from firststep.errors import FirststepError
from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry, Functions
from firststep_agent.boost.cache_functions.keep.header import TRACED, Header
from firststep_agent.boost.program import program
from firststep_agent.boost.store import REFUSED, Store


def cache(box, *words):
    return box.plain("-m", "firststep.cli", "cache", *words)


def learned(box):
    box.write("program.py", "print('ran')")
    for _ in range(2):
        box.boost("program.py")
    return next(box.cache.glob("pause-garbage-collection/*.entry"))


def test_lists_programs_and_savings(box):
    learned(box)
    said = cache(box, "list").out
    assert str(box.folder / "program.py") in said
    assert "pause-garbage-collection" in said


def test_verify_removes_what_is_damaged(box):
    path = learned(box)
    assert cache(box, "verify").code == 0
    path.write_bytes(path.read_bytes()[:-1])
    ran = cache(box, "verify")
    assert ran.code == 1 and str(path) in ran.out and not path.exists()


def test_prune_removes_the_least_recently_used_first(box):
    store = Store(str(box.cache), "import-image")
    for digit, used in (("a", 1), ("b", 2)):
        store.write(digit * 32, {}, b"x" * 800_000)
        os.utime(box.cache / f"import-image/{digit * 32}.entry", (used, used))
        box.write(f"cache/import-image/{digit * 32}.uses", ".")
    assert cache(box, "prune", "--size", "1").out.startswith("removed 1 file,")
    assert {path.name for path in box.cache.glob("*/*")} == {f"{'b' * 32}.entry", f"{'b' * 32}.uses"}


def test_prune_removes_what_a_killed_run_left(box):
    Store(str(box.cache), "import-image")
    left = [box.write(f"cache/import-image/.{'a' * 32}.77.{number}.tmp", text)
            for number, text in enumerate(("", "firststep-en", "firststep-entry\n" + "x" * 100, "firststep-entry\n"))]
    for path in left:
        path.chmod(0o600)
        if path != left[-1]:
            os.utime(path, (1, 1))
    assert cache(box, "prune").out.startswith("removed 3 files,")
    assert [path for path in left if path.exists()] == left[-1:]


FOREIGN = [  # beside our entries, in every folder
    "data.tmp", "checkpoint.entry", "{0}.entry", ".{0}.1.2.tmp", "{0}.entry.bak", "{0}", "notes.uses", "{0}.uses/deep.txt",
    "{1}/{0}.entry", "{1}/model.h5", "sub/folder/.{0}.1.2.tmp", "{0}.entry.12.tmp", ".hidden", "savings.json",
]


@pytest.mark.parametrize("verb", ["clear", "prune", "verify", "boost"])
def test_what_others_put_into_the_cache_stays(box, verb):
    """Whatever its name, in the root or in any folder of ours: what does not carry our mark is not touched."""
    learned(box)
    theirs = {}
    for folder in (".", "import-image", "pause-garbage-collection", "cache-functions", "savings", "enabled", "somebody's"):
        for name in FOREIGN:
            name = name.format("f" * 32, "e" * 32)
            path = box.cache / folder / name
            if not path.parent.is_file():
                theirs[box.write(f"cache/{folder}/{name}", f"theirs: {name}")] = f"theirs: {name}"
    for path in theirs:
        os.utime(path, (1, 1))
    if verb == "boost":
        box.boost("program.py")
    else:
        cache(box, verb, *(["--size", "0"] if verb == "prune" else []))
    assert {path: path.read_text() for path in theirs if path.exists()} == theirs
    own = [path for path in box.cache.rglob("*.entry") if path not in theirs]
    assert bool(own) == (verb in ("boost", "verify")) or all(path.parent.name == "savings" for path in own)


@pytest.mark.parametrize("verb", ["list", "functions", "why", "verify", "prune", "clear"])
def test_who_looks_for_a_cache_makes_none(box, verb):
    ended = cache(box, verb)
    assert (ended.code, ended.out.strip()) == (0, f"{box.cache}: nothing is kept yet")
    assert not box.cache.exists()


@pytest.mark.parametrize("verb", ["list", "verify", "prune", "clear", "boost"])
def test_a_folder_that_holds_other_things_is_refused(box, verb):
    """FIRSTSTEP_CACHE on a folder of the user's: a line, and nothing there is touched."""
    names = ["thesis.txt", "import-image/a.entry", f"savings/{'a' * 32}.entry", "cache-functions/x/left.tmp", "prefetch-pages/b"]
    theirs = {box.write(f"cache/{name}", name): name for name in names}
    for path in theirs:
        os.utime(path, (1, 1))
    box.write("program.py", "print('ran')")
    ran = box.boost("program.py") if verb == "boost" else cache(box, verb)
    assert "holds files that are not firststep's" in ran.said
    assert (ran.code, ran.out) == ((0, "ran\n") if verb == "boost" else (65, ""))
    assert {path: path.read_text() for path in box.cache.rglob("*") if path.is_file()} == theirs


def test_clear_leaves_other_files_alone(box):
    learned(box)
    box.write("cache/mine.txt", "kept")
    cache(box, "clear")
    assert {path.name for path in box.cache.iterdir()} == {"mine.txt", ".firststep-cache"}


@pytest.mark.parametrize("verb", ["list", "verify", "prune", "clear"])
def test_a_cache_that_boost_refuses_is_left_alone(box, verb):
    kept = box.write("cache/import-image/theirs.entry", "x")
    box.cache.chmod(0o777)
    ran = cache(box, verb)
    assert ran.code == 65 and "can be written by others" in ran.said and "next:" in ran.said
    assert kept.exists()


@pytest.mark.parametrize("verb", ["prune", "clear"])
def test_nothing_is_removed_from_a_cache_that_is_read_only_and_that_is_said(box, verb, monkeypatch):
    learned(box)
    monkeypatch.setenv("FIRSTSTEP_CACHE", str(box.cache))
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # root may write anywhere
    with pytest.raises(FirststepError) as error:
        run(["cache", verb])
    assert error.value.exit_code == 74 and "read-only" in error.value.message()
    assert list(box.cache.rglob("*.entry"))


def test_the_first_run_of_a_program_is_its_learning_run(box):
    box.write("program.py", "import inspect, json; inspect.signature(json.dumps)")
    assert "it has learned, the next start will be faster" in box.boost("program.py").said
    box.boost("program.py")
    assert not list(box.cache.glob("savings/.*"))
    (account,) = load_all(box.cache)
    assert account.plain_ns > 0 and account.runs == 1


def keep(box, key, missed=None, **ingredients):
    words = {"name": "step", "code": "c", "TensorFlow": "2", **ingredients}
    entry = FunctionEntry(Header("step", form=TRACED, manifest={}), {"library": key.encode()})
    Functions(str(box.cache)).write(SimpleNamespace(hex=key, ingredients=words), entry, missed)


def test_why_a_function_was_learned_anew(box):
    keep(box, "a" * 32)
    assert "there was no entry of this name" in " ".join(cache(box, "why").out.split())
    keep(box, "b" * 32, code="d", TensorFlow="3", signature="s")
    keep(box, "c" * 32, code="d", TensorFlow="3")
    assert "signature differs from the nearest one's" in " ".join(cache(box, "why", "step").out.split())
    keep(box, "c" * 32, code="d", TensorFlow="3", missed="its global `RATE` is 2, it was 1")
    assert "RATE" in cache(box, "why", "step").out
    assert "no function is kept of the name other" in " ".join(cache(box, "why", "other").out.split())


def test_functions_are_listed_by_their_program(box):
    keep(box, "a" * 32)
    said = cache(box, "list").out
    assert "programs that are not known" not in said and f"[{sys.prefix}]" in said and "cache-functions" in said
    line = " ".join(cache(box, "functions").out.split())
    assert line.startswith("step learned") and line.endswith(f", of {program()}")
    assert cache(box, "verify").code == 0


def test_what_is_listed_fits_into_a_terminal_but_for_words_that_are_longer(box):
    keep(box, "a" * 32)
    keep(box, "b" * 32, code="d", TensorFlow="3", signature="s")
    learned(box)
    for verb in ("list", "functions", "why"):
        for line in cache(box, verb).out.splitlines():
            assert len(line) <= 80 or len(line.split()) == 1, line


def test_functions_of_an_older_firststep_are_no_entries_and_go(box):
    Store(str(box.cache), "cache-functions")
    old = box.write(f"cache/cache-functions/{'a' * 32}/{'b' * 32}.entry", "FIRSTSTEP-FUNCTION-4\n")
    old.chmod(0o600)
    assert "programs that are not known" in cache(box, "list").out
    cache(box, "verify")
    assert not old.exists()


def test_notes_on_refusals_that_count_no_longer_are_pruned(box):
    store = Store(str(box.cache), "cache-functions")
    for name in ("c" * 32, "d" * 32):
        assert store.keep_beside("a" * 32, name, REFUSED, {"reason": "it reads a clock"}) is None
    old, fresh = (box.cache / "cache-functions" / ("a" * 32) / f"{name * 32}.refused" for name in "cd")
    os.utime(old, (0, 0))
    cache(box, "prune")
    assert fresh.exists() and not old.exists()


def test_what_lies_beside_an_entry_that_is_gone_is_pruned_when_nobody_can_be_about_to_write_one(box):
    store = Store(str(box.cache), "cache-functions")
    keep(box, "a" * 32)
    (entry,) = box.cache.glob("cache-functions/*/*.entry")
    names = (entry.stem, "c" * 32)
    suffixes = (".trust", ".uses", ".12.34.answering", ".bad")
    for name in names:
        for suffix in suffixes:
            store.keep_beside("a" * 32, name, suffix, {})
    store.keep_beside("a" * 32, "d" * 32, ".trust", {})
    for path in entry.parent.iterdir():
        os.utime(path, (0, 0)) if path.stem != "d" * 32 else None
    cache(box, "prune")
    left = {path.name for path in entry.parent.iterdir()}
    assert left == {entry.name, *(entry.stem + suffix for suffix in suffixes), "c" * 32 + ".bad", "d" * 32 + ".trust"}


def test_a_module_that_lies_where_the_program_begins_is_another_one_elsewhere(box):
    for folder in ("a", "b/train"):
        (box.folder / folder).mkdir(parents=True)
    (box.folder / "a" / "train.py").touch()
    a, b, other = (program(["python", "-m", "train.part"], str(box.folder / folder)) for folder in ("a", "b", "b/train"))
    assert a == f"-m train.part in {box.folder / 'a'}" and b == f"-m train.part in {box.folder / 'b'}" and other == "-m train.part"


def test_what_is_called_another_name_in_each_start_is_one_program():
    assert program(["python", "/dev/fd/63"]) == program(["python", "/proc/self/fd/5"]) == program(["python", "-"]) == "stdin"
    code = "from multiprocessing.forkserver import main; main({}, 7, ['__main__'])"
    assert program(["python", "-c", code.format(4)]) == program(["python", "-c", code.format(5)]) == "-c multiprocessing.forkserver"
    one, another = (f"from multiprocessing.pool import Pool; print({n})" for n in range(2))
    assert program(["python", "-c", one]) != program(["python", "-c", another])


def test_starts_that_end_at_once_are_all_counted(box):
    account = Savings("/p.py", "3", "/v", "c", 10)
    opened(box.cache, account)
    for _ in range(2):  # each has read it before the other one was written
        boosted(box.cache, account, 5)
    (now,) = load_all(box.cache)
    assert (now.runs, now.saved_ns) == (2, 10)


@pytest.mark.parametrize("gone", [False, True])
def test_a_program_that_leaves_its_folder_finds_what_it_has_learned(box, gone):
    box.write("program.py", "import os\nopen('large.bin').read()\nos.mkdir('elsewhere'); os.chdir('elsewhere')\n"
              + "os.rmdir('../elsewhere')" * gone)
    box.write("large.bin", "x" * (1 << 18))
    first = box.boost("program.py").said
    if not gone:
        (box.folder / "elsewhere").rmdir()
    again = box.boost("program.py").said
    assert "learned (files" in first and "learned (files" not in again and "error:" not in first + again, first + again
