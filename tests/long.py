"""Runs the long tests (`-m suite`) and records the result, folder by folder, in docs/suite.md."""

import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
OUTCOME = re.compile(r"^(PASSED|FAILED|SKIPPED|ERROR)\s+(\S+)", re.M)


def main():
    command = [sys.executable, "-m", "pytest", "-m", "suite", "-q", "-rA", "--no-header", "--show-capture=no", *sys.argv[1:]]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    print(done.stdout[-6000:], done.stderr[-2000:])
    rows = {}
    for outcome, where in OUTCOME.findall(done.stdout.partition("short test summary info")[2]):
        file = where.partition("::")[0] if "::" in where else "skipped"
        rows.setdefault(file, {}).setdefault(outcome.lower(), []).append(where.partition("::")[2])
    lines = [f"| {file} | {len(found.get('passed', []))} | {'<br>'.join(found.get('failed', []) + found.get('error', [])) or '–'} |"
             for file, found in sorted(rows.items())]
    closing = done.stdout.strip().splitlines()[-1].strip("= ")
    page = ["# The long tests", "", "Fuzzing, kills, races, matrices: `make suite`. Last result:", "",
            f"*{time.strftime('%Y-%m-%d', time.gmtime())}, Python {sys.version.split()[0]}, "
            f"{(time.monotonic() - began) / 60:.0f} minutes: {closing}*", "",
            "| file | passed | failed |", "|---|---|---|", *lines, ""]
    (ROOT / "docs/suite.md").write_text("\n".join(page))
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
