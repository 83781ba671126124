"""A fixed piece of work, timed beside the runs: what it takes longer now than when the baseline was saved, the machine is slower."""

from __future__ import annotations

import marshal
import time

SOURCE = "\n".join(f"def f{number}(x):\n    return [x + {number} for _ in range({number})]" for number in range(60))
ROUNDS = 8


def reference() -> float:
    """Seconds that the work took: compiling, unmarshalling and running Python, as a start does."""
    began = time.perf_counter()
    for _ in range(ROUNDS):
        code = marshal.loads(marshal.dumps(compile(SOURCE, "reference", "exec")))
        names: dict[str, object] = {}
        exec(code, names)  # noqa: S102 - our own words
        for name, function in list(names.items()):
            if callable(function) and name.startswith("f"):
                function(1)
    return time.perf_counter() - began
