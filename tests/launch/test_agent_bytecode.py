"""The agent has bytecode for every interpreter it was in once, whatever the program wants for itself."""

import os
import shutil
import sys

import pytest

from firststep.launch import agent_bytecode


@pytest.fixture
def agent(tmp_path, monkeypatch):
    folder = tmp_path / "firststep_agent"
    shutil.copytree(agent_bytecode.FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(agent_bytecode, "FOLDER", folder)
    return folder


def test_every_module_gets_it_and_a_newer_source_again(agent):
    tag = sys.implementation.cache_tag
    agent_bytecode.ensure(sys.executable, tag)
    compiled = agent / f"__pycache__/run.{tag}.pyc"
    assert compiled.exists()
    before = compiled.stat().st_mtime
    os.utime(agent / "run.py", (before + 10, before + 10))
    agent_bytecode.ensure(sys.executable, tag)
    assert compiled.stat().st_mtime != before


def test_an_interpreter_that_is_gone_is_no_error(agent):
    agent_bytecode.ensure("/nowhere/python", "cpython-311")
