"""What the `.pth` files of an interpreter cost: they run before anything of ours can watch.

Measured again, in an interpreter of its own, after the program became ready; only where the interpreter's own start took
long enough for it to matter.
"""

from __future__ import annotations

import json
import subprocess

MATTERS_NS = 60_000_000  # an interpreter alone starts in 10 to 40 ms
TIMEOUT_S = 20.0
_PROBE = """
import os, site, sys, time
seen, original = [], site.addpackage
def timed(folder, name, known):
    started = time.perf_counter_ns()
    result = original(folder, name, known)
    seen.append([folder + "/" + name, time.perf_counter_ns() - started])
    return result
site.addpackage = timed
site.execsitecustomize = site.execusercustomize = lambda: None
site.main()
import json
print("\\n" + json.dumps(seen), flush=True)
os._exit(0)  # what a `.pth` file wants done at the end, as coverage's, is not for this process
"""


def measure(executable: str, environment: dict[str, str]) -> list[list[str | int]]:
    """[[path, ns], …] of each `.pth` file, costliest first; empty where that cannot be told."""
    try:
        done = subprocess.run([executable, "-S", "-c", _PROBE], env=environment, capture_output=True, text=True,
                              timeout=TIMEOUT_S)
        seen: list[list[str | int]] = json.loads(done.stdout.splitlines()[-1])
    except (OSError, ValueError, IndexError, subprocess.SubprocessError):
        return []
    return sorted(seen, key=lambda item: -int(item[1]))
