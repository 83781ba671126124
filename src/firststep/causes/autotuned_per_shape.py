"""XLA tries several algorithms for each convolution, anew for every shape and in every process.

Symptom: on a GPU the first step stands still, and XLA logs "Trying algorithm eng0{} for conv ... is taking a while".

Why: cuDNN has many algorithms for one convolution, and which is the fastest depends on its shapes and on the GPU. XLA runs them all to
see, and forgets what it saw when the process ends. A slow one that is tried takes seconds by itself.

Confirmed by: XLA's own lines, which it writes for each try that takes over a second, and how long it then took. Shorter tries are many
and not told, so that this is the least.

Remedy: fixed shapes, by padding, and smaller or fewer kinds of convolutions. What was chosen can be kept:
`XLA_FLAGS=--xla_gpu_dump_autotune_results_to=FILE` in one start, `--xla_gpu_load_autotune_results_from=FILE` in the next ones. Another
algorithm rounds otherwise: results may differ in their last bits, as they may from one plain run to the next.

Source: `xla/service/slow_operation_alarm.cc`, `conv_algorithm_picker.cc`; keras-team/keras-cv#2406 (many tries of over a second).
"""

from __future__ import annotations

import re

from firststep.analyse.facts import NATIVE_LOG, Facts
from firststep.analyse.log_lines import log_lines
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.causes._logged import said
from firststep.model.findings import Evidence, Found, Gain
from firststep.model.words import count, duration

GROUP = "devices"
WATCHED = ("framework-log", NATIVE_LOG)
FACTS = (log_lines, partition, path)
REMEDIES: tuple[str, ...] = ()
SHARE = (0.5, 1.0)  # one algorithm of each convolution has to run
SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def find(given: Facts) -> Found | None:
    lines = said(given, "trying-algorithm", "operation-took")
    tries = [one for one, then in zip(lines, lines[1:]) if one.says == "trying-algorithm" and then.says == "operation-took"]
    took = sum(_ns(then.what) for one, then in zip(lines, lines[1:]) if one in tries)
    if not tries:
        return None
    most = min(took, given(partition).wall_ns)  # several may be tried at once
    shapes = len({one.what for one in tries})
    return Found("algorithms are tried out", Evidence(
        f"{count(len(tries), 'slow try', 'slow tries')} for {count(shapes, 'convolution')} took {duration(took)}"),
        "pad to fixed shapes; keep results (firststep explain)", "high",
        gain=Gain(round(most * SHARE[0]), round(most * SHARE[1])), whatever_it_gains=True)


def _ns(words: str) -> int:
    """`1m2.5s`, as XLA writes a time."""
    return round(sum(float(number) * SECONDS[unit] for number, unit in re.findall(r"([\d.]+)(ms|h|m|s)", words)) * 1e9)
