"""Runs the tests that start TensorFlow against each supported version, each in an environment of its own.

Writes docs/matrix.md. A version that this interpreter cannot install is said, and is no failure.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSIONS = ("2.21", "2.18", "2.16", "2.15")  # newest first
CLOSING = re.compile(r"(\d+ passed.*|\d+ failed.*|no tests ran.*)$")


def environment(version):
    """The interpreter of an environment with that TensorFlow, None where it cannot be made."""
    folder = ROOT / f".venv-{version}"
    python = folder / "bin/python"
    if not (folder / ".ready").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        install = [python, "-m", "pip", "install", "-q", f"tensorflow-cpu=={version}.*", *extra(version)]
        if subprocess.run(install).returncode:
            return None
        (folder / ".ready").touch()
    return python


def extra(version):
    """What old releases need beside what they name themselves."""
    return ["setuptools<81"] if version in ("2.15", "2.16") else []


def row(version):
    python = environment(version)
    if python is None:
        return f"| {version} | cannot be installed for Python {sys.version.split()[0]} | |", True
    env = {**os.environ, "FIRSTSTEP_TEST_PYTHON": str(python)}
    command = [sys.executable, "-m", "pytest", "-q", "-m", "tensorflow and not suite", str(ROOT / "tests")]
    done = subprocess.run(command, env=env, capture_output=True, text=True, cwd=ROOT)
    print(done.stdout[-3000:])
    closing = [line for line in done.stdout.splitlines() if CLOSING.search(line)]
    failed = [line.split(" - ")[0].removeprefix("FAILED ") for line in done.stdout.splitlines()
              if line.startswith("FAILED")]
    return f"| {version} | {closing[-1] if closing else 'did not run'} | {'<br>'.join(failed)} |", done.returncode == 0


def main():
    rows = [row(version) for version in sys.argv[1:] or VERSIONS]
    day = time.strftime("%Y-%m-%d", time.gmtime())
    page = "\n".join([
        "# TensorFlow versions", "",
        f"Written by `make test-matrix` on {day}, Python {sys.version.split()[0]}.", "",
        "| TensorFlow | tests | failed |", "|---|---|---|", *(text for text, _ in rows), "",
    ])
    (ROOT / "docs/matrix.md").write_text(page)
    print(page)
    sys.exit(0 if all(passed for _, passed in rows) else 1)


if __name__ == "__main__":
    main()
