"""The wheel, as a user gets it: built, installed in a clean environment, and tried on a program in another one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LARGEST = 2_000_000  # bytes
UNWANTED = ("scipy", "numpy", "pytest", "tensorflow")


@pytest.mark.suite
def test_a_wheel_in_a_clean_environment_and_a_program_in_another(tmp_path):
    def run(*words, **options):
        return subprocess.run([str(word) for word in words], cwd=tmp_path, check=True, capture_output=True, text=True, **options)

    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, ROOT)
    wheel, = tmp_path.glob("firststep-*.whl")
    assert wheel.stat().st_size < LARGEST
    for name in ("tool", "other"):
        run(sys.executable, "-m", "venv", name)
    tool, other = tmp_path / "tool" / "bin", tmp_path / "other" / "bin" / "python"
    run(tool / "python", "-m", "pip", "install", "-q", wheel)
    listed = run(tool / "python", "-m", "pip", "list", "--format", "freeze").stdout.lower()
    assert not any(f"{name}==" in listed for name in UNWANTED)
    (tmp_path / "prog.py").write_text("import json, firststep\nwith firststep.phase('mine'):\n    print('ran')\n")
    (tmp_path / "firststep.toml").write_text(f"[programs.p]\ncommand = ['{other}', 'prog.py']\nruns = 3\ntime = {{ total = '10 min' }}\n")
    firststep = tool / "firststep"
    recorded = run(firststep, "record", "-o", "a.trace", "--", other, "prog.py")
    assert recorded.stdout == "ran\n" and "named by your program: mine" in recorded.stderr
    assert run(firststep, "boost", "--", other, "prog.py").stdout == "ran\n"
    run(firststep, "diff", "a.trace", "a.trace")
    assert "neutral" in run(firststep, "check").stdout
    assert "nothing found" in run(firststep, "lint", "prog.py").stderr + run(firststep, "lint", "prog.py").stdout
    for verb in ("report", "history", "explain", "prove", "doctor", "cache", "bug", "enable", "disable"):
        run(firststep, verb, "--help")


@pytest.mark.suite
@pytest.mark.parametrize("installer", ["pipx", "uv"])
def test_the_page_installs_with_what_people_install_tools_with(tmp_path, installer):
    """`pipx install .` and `uv tool install .`, typed in a checkout, in a home folder of its own."""
    page = (ROOT / "docs" / "install.md").read_text()
    line = re.search(rf"^{installer} (?:tool )?install \.", page, re.MULTILINE)[0]
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "apps"], check=True)
    subprocess.run([tmp_path / "apps" / "bin" / "python", "-m", "pip", "install", "-q", installer], check=True)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PIPX_", "UV_", "XDG_", "VIRTUAL_ENV"))}
    environment = {**kept, "HOME": str(tmp_path), "PATH": f"{tmp_path}/apps/bin:{tmp_path}/.local/bin:{os.environ['PATH']}",
                   "UV_PYTHON": sys.executable, "PIPX_DEFAULT_PYTHON": sys.executable}
    subprocess.run(["bash", "-c", line], cwd=ROOT, env=environment, check=True, capture_output=True)
    (tmp_path / "prog.py").write_text("print('ran')\n")

    def run(*words):
        done = subprocess.run(["firststep", *map(str, words)], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    found = subprocess.run(["bash", "-c", "command -v firststep"], env=environment, capture_output=True, text=True).stdout
    assert found.startswith(str(tmp_path))
    assert run("record", "-o", "a.trace", "--", sys.executable, "prog.py") == "ran\n"
    assert "firststep" in run("report", "a.trace")
    remove = "pipx uninstall firststep" if installer == "pipx" else "uv tool uninstall firststep"
    assert remove in page
    subprocess.run(["bash", "-c", remove], cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert not (tmp_path / ".local" / "bin" / "firststep").exists()
