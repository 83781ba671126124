"""Lines that the framework logged before ready and that tell what took time: native ones, as TensorFlow writes them, too."""

from __future__ import annotations

import re
from collections.abc import Mapping

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.model.facts import LogLine

PATTERNS: Mapping[str, str] = {
    "ptx-kernels": r"not built with CUDA kernel binaries compatible with compute capability (?P<what>[\d.]+)",
    "ptx-driver": r"[Rr]elying on (?:the )?driver to perform ptx compilation",
    "ptxas-old": r"Your CUDA software stack is old. We fallback to the NVIDIA driver",
    "library-missing": r"Could not load dynamic library '(?P<what>(?!libnvinfer)[^']+)'",
    "gpu-libraries-missing": r"Cannot dlopen some GPU libraries",
    "no-gpu": r"no CUDA-capable device is detected|failed call to cuInit: (?P<what>[^\s:;]+)",
    "slow-constant-folding": r"Constant folding an instruction is taking > (?P<what>\d+\w*)",
    "trying-algorithm": r"slow_operation_alarm\.cc:\d+\] Trying algorithm \S+ for conv (?P<what>\([^)]*\))",
    "operation-took": r"The operation took (?P<what>[\dhms.]+)",
    "no-bearer-token": r"All attempts to get a Google authentication bearer token failed",
}
"""What a line says -> how it reads. Where each was seen: tests/causes/lines.py."""

_COMPILED = {what: re.compile(pattern) for what, pattern in PATTERNS.items()}


def log_lines(facts: Facts) -> tuple[LogLine, ...]:
    """Lines that say one of PATTERNS, in order of time."""
    found = []
    native = tuple((at, line) for at, line in facts.trace.header.get("log", ()))
    for leg in facts(path):
        for at, line in sorted((*leg.process.log, *(one for one in native if leg.start <= one[0]))):
            for says, pattern in _COMPILED.items():
                match = pattern.search(line)
                if match and at <= leg.end:
                    found.append(LogLine(at, says, (match.groupdict().get("what") or "").strip(), line))
                    break
    return tuple(found)
