"""The wheel, as a user gets it: built, installed in a clean environment, and tried on a program in another one."""

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
