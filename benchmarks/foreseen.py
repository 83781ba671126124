"""What the report foresees of each automatic remedy, against what `firststep prove --only REMEDY` measures.

    python benchmarks/foreseen.py [PROGRAM ...]

For each program: one recorded start, the foreseen gain of each remedy from its findings, then interleaved runs of the plain
program against the one with that remedy alone. A row is right where both differ by at most 30% or 100 ms.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAMS = ("zoo/keras_mlp.py", "zoo/text_transformer.py", "zoo/raw_function_loop.py", "zoo/load_and_predict_resnet.py")
FIRSTSTEP = [sys.executable, "-m", "firststep.cli"]
PAIRS = 6
CLOSE, CLOSE_MS = 0.3, 100.0


def foreseen(program: str, folder: Path) -> dict[str, float]:
    """remedy -> milliseconds, by the walk of the recorded start without all that the remedy removes."""
    from firststep.analyse.facts import Facts
    from firststep.analyse.what_if import saved
    from firststep.diagnose import diagnosis
    from firststep.model.read_trace import read_trace

    path = folder / "plain.trace"
    subprocess.run([*FIRSTSTEP, "record", "--stop", "-o", str(path), "--", sys.executable, program], cwd=ROOT, capture_output=True, check=True)
    facts = Facts(read_trace(path))
    findings = [one for one in facts(diagnosis).findings if not one.after_ready]
    remedies = {remedy for one in findings for remedy in one.remedies}
    return {name: saved(facts, [cut for one in findings if name in one.remedies for cut in one.cuts]).middle_ns / 1e6 for name in remedies}


def measured(program: str, remedy: str, folder: Path) -> float:
    """Milliseconds between the medians."""
    out = folder / "proof.json"
    subprocess.run([*FIRSTSTEP, "prove", "--only", remedy, "--runs", str(PAIRS), "--json", str(out), "--", sys.executable, program],
                   cwd=ROOT, capture_output=True, check=False)
    ready = next(metric for metric in json.loads(out.read_text())["metrics"] if metric["name"] == "ready")
    return 1000 * (ready["plain"] - ready["treated"])


def main() -> None:
    for program in sys.argv[1:] or PROGRAMS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for remedy, expected in sorted(foreseen(program, folder).items()):
                seen = measured(program, remedy, folder)
                right = abs(seen - expected) <= max(CLOSE_MS, CLOSE * abs(seen))
                print(f"{program}  {remedy:26} foreseen {expected:7.0f} ms, measured {seen:7.0f} ms  {'right' if right else 'WRONG'}", flush=True)


if __name__ == "__main__":
    main()
