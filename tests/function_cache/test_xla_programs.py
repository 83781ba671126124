"""Programs of XLA: which ones a process finds, and that keeping them never fails a compilation."""

import os
import re
import resource
import sys

import pytest
from firststep_agent.boost.cache_functions.keep import xla_programs
from firststep_agent.frameworks.listening import CALL
from firststep_agent.boost.folders import open_root
from programs import tensorflow_version
from replay_harness import check_replayed, lab  # noqa: F401

COMPILED = """
import hashlib, os, subprocess
os.environ.update(TF_CPP_MIN_LOG_LEVEL="0", TF_CPP_VMODULE="device_executable_persistor=1")
import tensorflow as tf

w = tf.Variable(tf.ones((64, 64)) * .01)


@tf.function(jit_compile=True)
def f(x):
    for i in range(4):
        x = tf.math.tanh(x @ w + float(i))
    w.assign_sub(x * 1e-3)
    return tf.reduce_sum(x)


print([float(f(tf.ones((64, 64)))) for _ in range(20)], subprocess.run(["printenv", "TF_XLA_FLAGS"], capture_output=True).stdout, hashlib.sha256(w.numpy().tobytes()).hexdigest())
"""

FOUND = "Verifying loaded cache entry"  # what TensorFlow says where it is told to talk


class Memory:
    """TensorFlow's files in memory. A name that is not there, or a folder, is an error as TensorFlow raises it."""

    def __init__(self):
        self.files = {}

    def RecursivelyCreateDir(self, folder):
        pass

    def GetChildren(self, folder):
        if not self.files:
            raise RuntimeError(f"{folder} not found")
        return [name.rpartition("/")[2] for name in self.files]

    def ReadFileToString(self, name):
        return self.files[name]

    def WriteStringToFile(self, name, content):
        self.files[name] = content

    def DeleteFile(self, name):
        del self.files[name]

    def compile(self, name, content):
        self.files[f"{xla_programs._FOLDER}/{name}"] = content

    def programs(self):
        return {name.rpartition("/")[2]: content for name, content in self.files.items()}


@pytest.fixture
def process(tmp_path, monkeypatch):
    """process(settings): another process of one program, whose settings are what this dictionary holds at that moment. (its programs,
    its Memory)"""
    open_root(str(tmp_path / "cache")).close()

    def begin(settings):
        memory = Memory()
        monkeypatch.setitem(sys.modules, "tensorflow.python.lib.io._pywrap_file_io", memory)
        monkeypatch.setattr(xla_programs.configuration, "has_devices", lambda: settings.get("has devices", True))
        monkeypatch.setattr(xla_programs.configuration, "of_machine", lambda: settings.get("machine", "this one"))
        monkeypatch.setattr(xla_programs.configuration, "of_compilers", lambda: settings.get("deterministic", False))
        monkeypatch.setattr(xla_programs, "_devices", lambda: "CPU")
        monkeypatch.setattr(xla_programs.os, "putenv", lambda name, value: None)
        monkeypatch.setattr(xla_programs.os, "unsetenv", lambda name: None)
        programs = xla_programs.XlaPrograms(str(tmp_path / "cache"))
        assert programs.may_be_kept()
        programs.settle()
        return programs, memory

    return begin


def test_what_one_process_compiles_the_next_finds_and_adds_to(process):
    for number in range(3):
        programs, memory = process({})
        assert memory.programs() == {f"{n}.pb": b"program %d" % n for n in range(number)}
        memory.compile(f"{number}.pb", b"program %d" % number)
        programs.keep()


def test_what_was_compiled_under_another_setting_is_out_of_sight(process):
    settings = {}
    programs, memory = process(settings)
    memory.compile("a.pb", b"as it was")
    settings["deterministic"] = True
    programs.settle()
    assert memory.programs() == {}
    memory.compile("a.pb", b"deterministic")
    settings["deterministic"] = False
    programs.settle()
    assert memory.programs() == {"a.pb": b"as it was"}
    settings["deterministic"] = True
    programs.settle()
    assert memory.programs() == {"a.pb": b"deterministic"}
    assert process({"deterministic": True})[1].programs() == {"a.pb": b"deterministic"}
    assert process({"deterministic": True, "machine": "with another GPU"})[1].programs() == {}


def test_what_was_compiled_before_the_settings_were_known_is_not_kept(process):
    settings = {"has devices": False}
    programs, memory = process(settings)
    memory.compile("a.pb", b"under what?")
    settings["has devices"] = True
    programs.settle()
    programs.keep()
    assert process({})[1].programs() == {}


def test_the_newest_stay(process, monkeypatch):
    monkeypatch.setattr(xla_programs, "_MOST", 3)
    for number in range(5):
        programs, memory = process({})
        memory.compile(f"{number}.pb", b"x")
        programs.keep()
    assert sorted(process({})[1].programs()) == ["2.pb", "3.pb", "4.pb"]
    monkeypatch.setattr(xla_programs, "_LARGEST", 10)
    programs, memory = process({})
    memory.compile("large.pb", b"x" * 9)
    programs.keep()
    assert sorted(process({})[1].programs()) == ["4.pb", "large.pb"]


def test_two_processes_keep_what_both_have_compiled(process):
    first, memory_of_first = process({})
    memory_of_first.compile("a.pb", b"a")
    second, memory_of_second = process({})
    memory_of_second.compile("b.pb", b"b")
    second.keep()
    sys.modules["tensorflow.python.lib.io._pywrap_file_io"] = memory_of_first
    first.keep()
    assert process({})[1].programs() == {"a.pb": b"a", "b.pb": b"b"}


def test_a_forked_child_keeps_nothing(process, monkeypatch):
    programs, memory = process({})
    memory.compile("a.pb", b"a")
    monkeypatch.setattr(xla_programs.os, "getpid", lambda: os.getppid())
    programs.keep()
    programs.settle()
    monkeypatch.undo()
    assert memory.programs() == {"a.pb": b"a"}
    assert not list(os.scandir(programs._path + "/cache-functions")) if os.path.exists(programs._path + "/cache-functions") else True


def test_files_that_fail_leave_the_compilation_alone(process):
    programs, memory = process({})
    memory.compile("a.pb", b"a")
    memory.ReadFileToString = None
    programs.keep()
    programs.settle()


def test_the_flag_is_there_while_tensorflow_looks_for_devices_alone(process, monkeypatch):
    """A process that the program starts before that may be another TensorFlow."""
    settings, told, done = {"has devices": False}, [], []
    programs, _ = process(settings)
    monkeypatch.setattr(xla_programs.os, "putenv", lambda name, value: told.append(value))
    monkeypatch.setattr(xla_programs.os, "unsetenv", lambda name: told.append(None))
    monkeypatch.delenv("TF_XLA_FLAGS", raising=False)
    listen = programs.looking(lambda: done.append(True))
    assert told == []
    for there in (False, True):
        settings["has devices"] = there
        assert list(listen()) == [CALL] and bool(done) is there
        assert told[0].startswith("--tf_xla_persistent_cache_directory=ram://") and told[1:] == [None]
        told.clear()
    monkeypatch.setattr(xla_programs.os, "getpid", lambda: 1)
    assert list(listen()) == []  # in a child that was forked


def test_flags_of_the_programs_own_stay(process, monkeypatch):
    monkeypatch.setenv("TF_XLA_FLAGS", "--tf_xla_persistent_cache_directory=/mine")
    monkeypatch.setattr(xla_programs, "_devices", lambda: "CPU")
    assert not xla_programs.XlaPrograms("/nowhere").may_be_kept()


@pytest.mark.tensorflow
def test_a_disk_that_takes_nothing_fails_no_compilation(lab):  # noqa: F811
    """TensorFlow makes an error of the step of it: seen with a full disk."""
    laboratory = lab(COMPILED)
    plain = laboratory.plain()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
    try:
        assert laboratory.boost().out == plain.out
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.tensorflow
@pytest.mark.suite
def test_a_program_is_found_in_the_second_start_of_its_function(lab):  # noqa: F811
    laboratory = lab(COMPILED)
    check_replayed(laboratory, ["f"])
    if tensorflow_version() < (2, 16):
        return  # no programs are kept there
    (kept,) = laboratory.cache.glob("cache-functions/*.entry")
    before = kept.stat().st_mtime_ns
    again = laboratory.boost()
    assert again.out == laboratory.plain().out
    assert FOUND in again.err
    assert not re.search("XlaSerializedCacheEntry|AOT result|machine feature", again.err), again.err  # nothing that a plain start does not say
    content = bytearray(kept.read_bytes())
    content[-1] ^= 1
    kept.write_bytes(content)
    again = laboratory.boost()
    assert again.out == laboratory.plain().out and FOUND not in again.err
    assert kept.stat().st_mtime_ns > before and kept.read_bytes() != content
