"""What `firststep cache` says and does."""

from __future__ import annotations

import json
import os

import pytest


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
    for name, used in (("old", 1), ("new", 2)):
        path = box.write(f"cache/import-image/{name}.entry", "x" * 800_000)
        os.utime(path, (used, used))
        box.write(f"cache/import-image/{name}.uses", ".")
    assert cache(box, "prune", "--size", "1").out.startswith("removed 1 file,")
    assert {path.name for path in box.cache.glob("*/*")} == {"new.entry", "new.uses"}


def test_clear_leaves_other_files_alone(box):
    learned(box)
    box.write("cache/mine.txt", "kept")
    cache(box, "clear")
    assert [path.name for path in box.cache.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("verb", ["list", "verify", "prune", "clear"])
def test_a_cache_that_boost_refuses_is_left_alone(box, verb):
    kept = box.write("cache/import-image/theirs.entry", "x")
    box.cache.chmod(0o777)
    ran = cache(box, verb)
    assert ran.code == 65 and "can be written by others" in ran.said and "next:" in ran.said
    assert kept.exists()


def test_the_first_run_of_a_program_is_its_learning_run(box):
    box.write("program.py", "import inspect, json; inspect.signature(json.dumps)")
    assert "it has learned, the next start will be faster" in box.boost("program.py").said
    box.boost("program.py")
    assert not list(box.cache.glob("savings/*.tmp"))
    (account,) = box.cache.glob("savings/*.json")
    assert json.loads(account.read_text())["plain_ns"] > 0
