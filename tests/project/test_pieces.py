"""A long run in pieces: no file is left out or counted twice, and nothing is added up that does not belong together."""

import pytest
from pieces import Outcome, added_up, keep, of, parts, read, run_again

TESTS = {"a.py": 18, "b.py": 2, "c.py": 7, "d.py": 7, "e.py": 1}
SAID = """..F.s
=================================== FAILURES ===================================
FAILED of another run, that the test shows
4 passed in 0.10s
=========================== short test summary info ============================
SKIPPED [1] a.py:3: not here
FAILED a.py::test_one[x-y] - assert 1 == 2
3 failed, 12 passed, 1 skipped, 40 deselected, 1 error in 61.20s (0:01:01)
not covered: nothing
"""


def outcome(commit="abc", failed=(), seconds=60.0, **counts):
    return Outcome(commit, counts, list(failed), seconds)


@pytest.mark.parametrize("number", [1, 2, 3, 7])
def test_each_file_is_in_one_part(number):
    dealt = parts(TESTS, number)
    assert len(dealt) == number and sorted(file for part in dealt for file in part) == sorted(TESTS)


def test_parts_are_the_same_in_whatever_order_the_files_were_found():
    assert parts(TESTS, 3) == parts(dict(reversed(TESTS.items())), 3) == [["a.py"], ["c.py", "b.py"], ["d.py", "e.py"]]


def test_a_part_that_is_run_by_another_process_is_added_up(tmp_path):
    kept = tmp_path / "kept.json"
    keep(kept, "a.py", outcome(passed=3, skipped=1))
    assert added_up(read(kept), ["a.py", "b.py"]) is None
    keep(kept, "b.py", outcome(passed=2, failed=["b.py::test_x"]))
    assert added_up(read(kept), ["a.py", "b.py"]) == Outcome("abc", {"passed": 5, "skipped": 1}, ["b.py::test_x"], 120.0)


def test_parts_of_two_commits_are_no_row():
    assert added_up({"a.py": outcome("abc"), "b.py": outcome("def")}, ["a.py", "b.py"]) is None


def test_what_is_no_longer_there_does_not_count():
    assert added_up({"a.py": outcome(passed=3), "gone.py": outcome("old", passed=9)}, ["a.py"]).counts == {"passed": 3}


def test_a_file_that_was_run_again_takes_the_first_ones_place_and_is_named():
    kept = {"a.py": outcome(passed=3), "b.py": run_again(outcome("def", passed=1), outcome("abc", failed=["b.py::x"]))}
    whole = added_up(kept, ["a.py", "b.py"])
    assert (whole.commit, whole.counts, whole.failed, whole.again) == ("abc", {"passed": 4}, [], "b.py again at def")


def test_what_pytest_says_is_read():
    found = of(SAID, 1, "a.py", "abc", 61.0)
    assert found.counts == {"failed": 3, "passed": 12, "skipped": 1, "error": 1}
    assert found.failed == ["a.py::test_one[x-y]"]


@pytest.mark.parametrize("said,status", [("", -9), ("..", 2), ("4 passed in 0.10s\n", 3), ("no tests ran in 0.01s\n", 5)])
def test_a_run_that_broke_off_is_a_failure(said, status):
    assert of(said, status, "a.py", "abc", 1.0).failed == ["a.py did not run to its end"]
