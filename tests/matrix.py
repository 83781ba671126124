"""Runs the tests that start TensorFlow against each supported version, each in an environment of its own.

Writes docs/matrix.md. Versions may be named (`tests/matrix.py 2.18`): then only their rows are written anew. A version
that this interpreter cannot install is said, and is no failure.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import rows

ROOT = Path(__file__).parents[1]
VERSIONS = ("2.21", "2.18", "2.16", "2.15")  # newest first
CLOSING = re.compile(r"(\d+ (?:passed|failed|error).*?),? in [\d.]+s|no tests ran")
WORDS = ("The tests that start TensorFlow, run against each version by `make test-matrix`, each in an environment of its own; "
         "each row is the last result of one version.")
HEAD = "| TensorFlow | tests | failed | took | on |"


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
    began = time.monotonic()
    python = environment(version)
    here = f"Python {sys.version.split()[0]}"
    if python is None:
        return f"| {version} | cannot be installed for {here} | – | – | {rows.today()}, {here} |", True
    env = {**os.environ, "FIRSTSTEP_TEST_PYTHON": str(python)}
    command = [sys.executable, "-m", "pytest", "-q", "-m", "tensorflow and not suite", str(ROOT / "tests")]
    done = subprocess.run(command, env=env, capture_output=True, text=True, cwd=ROOT)
    print(done.stdout[-3000:], flush=True)
    closing = CLOSING.findall(done.stdout)
    failed = [f"`{line.split(' - ')[0].removeprefix('FAILED ').removeprefix('ERROR ')}`" for line in done.stdout.splitlines()
              if line.startswith(("FAILED ", "ERROR "))]
    cells = [version, closing[-1] if closing else "did not run", "<br>".join(failed) or "–", rows.minutes(began),
             f"{rows.today()}, {here}"]
    return "| " + " | ".join(cells) + " |", done.returncode == 0


def main():
    results = {}
    for version in sys.argv[1:] or VERSIONS:
        results[version] = row(version)
        rows.write(ROOT / "docs/matrix.md", "TensorFlow versions", WORDS, HEAD,
                   {name: text for name, (text, _) in results.items()}, VERSIONS)
    print((ROOT / "docs/matrix.md").read_text())
    sys.exit(0 if all(passed for _, passed in results.values()) else 1)


if __name__ == "__main__":
    main()
