"""The agent has bytecode for every interpreter it was in once, whatever the program wants for itself."""

import os
import shutil
import subprocess
import sys
import time

import pytest

from firststep.launch import agent_bytecode


@pytest.fixture
def agent(tmp_path, monkeypatch):
    folder = tmp_path / "firststep_agent"
    shutil.copytree(agent_bytecode.FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(agent_bytecode, "FOLDER", folder)
    return folder


def wait_for(condition):
    deadline = time.monotonic() + 600
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert condition()


def test_every_module_gets_it_and_a_newer_source_again(agent):
    tag = sys.implementation.cache_tag
    agent_bytecode.ensure(sys.executable, tag)
    compiled = agent / f"__pycache__/run.{tag}.pyc"
    sources = list(agent.rglob("*.py"))
    wait_for(lambda: len(list(agent.rglob(f"*.{tag}.pyc"))) == len(sources))
    newer = compiled.stat().st_mtime + 10
    os.utime(agent / "run.py", (newer, newer))
    before = compiled.read_bytes()
    agent_bytecode.ensure(sys.executable, tag)
    wait_for(lambda: compiled.read_bytes() != before)


def test_it_runs_no_pth_file(agent, tmp_path):
    """Coverage's would measure that process too, and write its data over the program's."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "v")], check=True)
    (site_packages,) = (tmp_path / "v").glob("lib/python3*/site-packages")
    (site_packages / "own.pth").write_text(f"import sys; open({str(tmp_path / 'data')!r}, 'w')\n")
    agent_bytecode.ensure(str(tmp_path / "v/bin/python"), sys.implementation.cache_tag)
    wait_for(lambda: (agent / f"__pycache__/run.{sys.implementation.cache_tag}.pyc").exists())
    assert not (tmp_path / "data").exists()


def test_an_interpreter_that_is_gone_is_no_error(agent):
    agent_bytecode.ensure("/nowhere/python", "cpython-311")
