"""Whose a module is that has no file."""

import importlib
import os
import subprocess
import sys
import types

import pytest

from firststep_agent import ownership

PYBIND11 = """
import sys
import tensorflow
from firststep_agent import ownership
status = sys.modules.get("pybind11_abseil.status")
if status is None:
    print("none")
else:
    assert not ownership.is_programs("pybind11_abseil.status")
    status.put_there = lambda: 1  # by the program
    assert ownership.is_programs("pybind11_abseil.status")
"""


@pytest.fixture
def module(monkeypatch):
    def make(name, **held):
        made = types.ModuleType(name)
        vars(made).update(held)
        monkeypatch.setitem(sys.modules, name, made)
        return made
    return make


def test_one_made_by_hand_is_the_programs(module):
    module("by_hand", VALUE=1)
    module("_cython_lookalike")
    module("by_hand.inside", function=lambda: 1, called=len)
    assert all(map(ownership.is_programs, ("by_hand", "_cython_lookalike", "by_hand.inside")))


@pytest.mark.parametrize("folder, programs", [("site-packages", False), ("project", True)])
def test_a_namespace_package_belongs_to_whom_its_folder_belongs(tmp_path, monkeypatch, folder, programs):
    (tmp_path / folder / "space_of_toolkits" / "inner").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path / folder))
    importlib.import_module("space_of_toolkits.inner")
    try:
        assert [ownership.is_programs(name) for name in ("space_of_toolkits", "space_of_toolkits.inner")] == [programs, programs]
    finally:
        for name in ("space_of_toolkits.inner", "space_of_toolkits"):
            del sys.modules[name]


def test_one_with_a_part_in_the_program_is_the_programs(tmp_path, module):
    module("space_of_both", __path__=[str(tmp_path / "site-packages" / "space_of_both"), str(tmp_path / "space_of_both")])
    assert ownership.is_programs("space_of_both")


def test_what_cython_shares_is_nobodys(module):
    module("_cython_3_1_1")
    module("cython_runtime")
    assert not ownership.is_programs("_cython_3_1_1")
    assert not ownership.is_programs("cython_runtime")


@pytest.mark.tensorflow
def test_one_that_pybind11_makes_is_nobodys(target, tmp_path):
    """In a process of its own: one that has TensorFlow starts others unlike a shell does."""
    ended = subprocess.run([target, "-c", PYBIND11], cwd=tmp_path, capture_output=True, text=True, timeout=200,
                           env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(ownership.__file__))})
    assert ended.returncode == 0, ended.stderr
    if "none" in ended.stdout:
        pytest.skip("this TensorFlow has none")


@pytest.mark.parametrize("file", ["_distutils_hack/__init__.py", "_virtualenv.py"])
def test_what_installers_put_into_every_import_reads_nothing_of_the_programs(file):
    """Each import passes it, in a trace as well, and it looks attributes up by names that it makes."""
    assert ownership.owner(f"/usr/lib/python3/site-packages/{file}") == ownership.FRAMEWORK
