"""Where AutoGraph cannot convert what is traced: TensorFlow warns, and traces the function as it is. An answer would hide that."""

import os
import resource

import pytest
from replay_harness import lab  # noqa: F401

from firststep_agent.boost.cache_functions.answer import conversion
from firststep_agent.boost.cache_functions.reads import sources

CONVERTED = """
import os, resource, tempfile
import tensorflow as tf
{before}

@tf.function
def step(x):
    if tf.reduce_sum(x) > 0.0:
        for number in range(20):
            x = tf.tanh(x * 1.5 + float(number))
    return tf.reduce_sum(x)

try:
    found = float(step(tf.ones(3)))
except Exception as error:
    found = type(error).__name__
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(found)
"""
PREPARED = {
    "its folder is gone": "tempfile.tempdir = os.path.abspath('scratch')",
    "its source is gone": "os.path.exists('remove') and os.remove(__file__)",
    "its source is another": "os.path.exists('remove') and open(__file__, 'w').write(')\\n' * 40)",
    "what writes it is replaced": "os.path.exists('remove') and setattr(tempfile, 'NamedTemporaryFile', None)",
    "what reads its lines is replaced": "import linecache; os.path.exists('remove') and setattr(linecache, 'getlines', lambda *a: [])",
    "it may not write": "os.path.exists('remove') and resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))",
}


@pytest.mark.tensorflow
@pytest.mark.parametrize("how", ["its folder is gone", *(pytest.param(how, marks=pytest.mark.suite) for how in [*PREPARED][1:])])
def test_a_function_that_cannot_be_converted_is_not_answered(lab, how):  # noqa: F811
    laboratory = lab(CONVERTED.format(before=PREPARED[how]))
    folder = laboratory.program.parent
    text, scratch, remove = laboratory.program.read_text(), folder / "scratch", folder / "remove"

    def start(kind, goes):
        """One start, whose program is as it was at first."""
        laboratory.program.write_text(text)
        scratch.mkdir(exist_ok=True)
        goes or scratch.rmdir()
        remove.unlink(missing_ok=True) if goes else remove.touch()
        return kind()

    laboratory.program.write_text(text)
    plain = start(laboratory.plain, True)
    for noted in ("learned", "confirmed", "live"):
        ran = start(laboratory.boost, True)
        assert ran.out == plain.out and noted in [what for what, _ in ran.notes], ran.notes
    fails = start(laboratory.plain, False)
    ran = start(laboratory.boost, False)
    assert fails.out == "OperatorNotAllowedInGraphError\n" and ran.out == fails.out, ran.notes
    assert "live" not in [what for what, _ in ran.notes]
    again = start(laboratory.boost, True)
    assert again.out == plain.out and "live" in [what for what, _ in again.notes], again.notes


@pytest.mark.tensorflow
def test_a_trace_that_fails_confirms_nothing(lab):  # noqa: F811
    laboratory = lab(CONVERTED.format(before=PREPARED["its folder is gone"]))
    scratch = laboratory.program.parent / "scratch"
    scratch.mkdir()
    laboratory.boost()
    scratch.rmdir()
    failed = laboratory.boost()
    assert failed.out == "OperatorNotAllowedInGraphError\n" and "confirmed" not in [what for what, _ in failed.notes], failed.notes
    scratch.mkdir()
    assert "confirmed" in [what for what, _ in laboratory.boost().notes]


class Unchanged(sources.Sources):
    """Whatever the tests have loaded, and somebody edits meanwhile."""

    def changed_since(self, since_ns):
        return None


@pytest.mark.parametrize("no_temporary_files", [False, True])
def test_a_folder_is_tried_as_tempfile_would_and_nothing_is_left_in_it(tmp_path, monkeypatch, no_temporary_files):
    import tempfile

    if no_temporary_files:
        monkeypatch.setattr(conversion, "open_own", _as_where_a_file_has_a_name(conversion.open_own))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    numbers = os.listdir("/proc/self/fd")
    assert conversion.hindrance(Unchanged()) is None
    assert not os.listdir(tmp_path) and os.listdir("/proc/self/fd") == numbers
    for folder in (str(tmp_path / "none"), 3, "/proc"):
        monkeypatch.setattr(tempfile, "tempdir", folder)
        assert "AutoGraph finds no folder" in conversion.hindrance(Unchanged())
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    assert conversion.hindrance(Unchanged()) is None  # there is /tmp


def _as_where_a_file_has_a_name(plain):
    def opened(path, flags, *more):
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(conversion.EOPNOTSUPP, "none without a name")
        return plain(path, flags, *more)

    return opened


def test_a_file_that_may_not_grow_has_no_room(tmp_path, monkeypatch):
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        assert "AutoGraph finds no folder" in conversion.hindrance(Unchanged())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_source_that_changed_is_told_whatever_its_time_of_writing_says(tmp_path, monkeypatch):
    import importlib
    import sys
    import time

    monkeypatch.syspath_prepend(str(tmp_path))
    path = tmp_path / "part_of_a_program.py"
    path.write_text("A = 1\n")
    module = importlib.import_module("part_of_a_program")
    try:
        time.sleep(0.05)  # the clock of a file system ticks slowly
        since = time.time_ns()
        told = sources.Sources().changed_since(since)
        assert told is None or str(path) not in told
        time.sleep(0.05)
        path.write_text("A = 2\n")
        os.utime(path, (1, 1))
        assert sources.Sources().changed_since(since) == f"the program's file {path} has changed"
        path.unlink()
        assert sources.Sources().changed_since(since) == f"the program's file {path} is gone"
    finally:
        del sys.modules[module.__name__]
