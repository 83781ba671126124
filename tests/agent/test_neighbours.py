"""firststep beside the tools that get into a program by the same doors. Installs them into an environment of its own."""

import subprocess

import pytest
from programs import TARGET

pytestmark = pytest.mark.suite
PACKAGES = ["ddtrace", "opentelemetry-distro", "coverage"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    folder = tmp_path_factory.mktemp("neighbours")
    subprocess.run([TARGET, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin/python", "-m", "pip", "install", "-q", *PACKAGES], check=True)
    project = folder / "project"
    (project / "editable_package").mkdir(parents=True)
    (project / "editable_package/__init__.py").write_text("where = __file__\n")
    (project / "pyproject.toml").write_text(
        "[build-system]\nrequires = ['setuptools']\nbuild-backend = 'setuptools.build_meta'\n"
        "[project]\nname = 'editable-package'\nversion = '1'\n[tool.setuptools]\npackages = ['editable_package']\n")
    subprocess.run([folder / "bin/python", "-m", "pip", "install", "-q", "-e", project], check=True)
    return folder / "bin"


@pytest.mark.parametrize("command", [
    ["ddtrace-run", "python"],
    ["opentelemetry-instrument", "python"],
    ["coverage", "run"],
    ["python"],
], ids=lambda words: words[0])
def test_both_are_in_the_program(record, plain, write, environment, command, monkeypatch):
    monkeypatch.setenv("PATH", f"{environment}:/usr/bin:/bin")
    monkeypatch.setenv("DD_TRACE_ENABLED", "false")
    monkeypatch.setenv("DD_INSTRUMENTATION_TELEMETRY_ENABLED", "false")
    monkeypatch.setenv("DD_REMOTE_CONFIGURATION_ENABLED", "false")
    loaded = {"ddtrace-run": "ddtrace", "opentelemetry-instrument": "opentelemetry", "coverage": "coverage",
              "python": "editable_package"}[command[0]]
    program = write("main.py", f"import sys, json, editable_package\nprint({loaded!r} in sys.modules)\nsys.exit(3)\n")
    command = [str(environment / command[0]), *(str(environment / word) if word == "python" else word
                                               for word in command[1:]), program]
    expected = plain(command)
    got = record(command)
    assert (got.out, got.code) == (expected.stdout, expected.returncode) == (b"True\n", 3)
    last = got.trace.processes[-1]
    assert "json" in {span.name for span in last.spans if span.kind == "import"} | set(last.header["preloaded"])
