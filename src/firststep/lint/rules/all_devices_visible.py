"""A few GPUs are named, and all are set up.

Symptom: seconds before the first operation, more with every GPU in the machine, although the program uses one.

Why: TensorFlow opens a context on every GPU that it can see and takes its memory, whether or not an operation is ever
placed there; `tf.device("/GPU:1")` says where operations go, not which devices are opened.

Confirmed by: `firststep record`, which lists the devices found and those used. In source, a program that names GPUs by
number, one of them beyond the first, and says nothing of visible devices.

Remedy: `CUDA_VISIBLE_DEVICES=1` in the environment, or `tf.config.set_visible_devices(gpus[1], "GPU")` first.

Source: TensorFlow's guide "Use a GPU"; the document "Why is TensorFlow GPU startup so slow?".

Fix: none; which devices a machine has is not in the source.
"""

from __future__ import annotations

from collections.abc import Iterator

from firststep.lint.findings import LintFinding
from firststep.lint.program import Program, Setting
from firststep.lint.program.devices import SAID, is_program, named_gpus

WORDS = ("gpu:", "GPU:")
VISIBLE = [word for word in SAID if "VISIBLE" in word.upper()]


def concerns(text: str, setting: Setting) -> bool:
    return not setting.is_test


def check(program: Program) -> Iterator[LintFinding]:
    if any(word in program.text for word in VISIBLE) or not is_program(program):
        return
    named = named_gpus(program)
    if named and max(named) > 0 and set(named) != set(range(max(named) + 1)):
        numbers = ", ".join(map(str, sorted(named)))
        yield program.finding(__name__, named[max(named)], f"only GPU {numbers} is named, and every GPU of the machine is opened",
                              "set `CUDA_VISIBLE_DEVICES`, or `tf.config.set_visible_devices` first")
