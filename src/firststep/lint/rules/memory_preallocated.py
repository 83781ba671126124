"""Several GPUs are used, and the memory of each is taken whole at the start.

Symptom: a pause before the first operation on every GPU, and no room for another process on any of them.

Why: without memory growth TensorFlow reserves nearly all memory of every GPU that it sees when the first one is used,
in turn.

Confirmed by: `firststep record`, which reads the framework's own lines about the devices and their memory. In source, a
program that makes a strategy for several GPUs, or names one beyond the first (by its number, or by the counter of a loop
whose numbers the source tells), and says nothing of memory growth, visible devices or memory limits, by a call or by an
environment variable. One finding for each file; modules that only define things are left alone.

Remedy: `tf.config.experimental.set_memory_growth(gpu, True)` for each GPU, before anything uses one; or
`tf.config.set_visible_devices`.

Source: TensorFlow's guide "Use a GPU", section "Limiting GPU memory growth"; the document "Why is TensorFlow GPU
startup so slow?".

Fix: memory growth is set before the strategy is made. Unsafe: memory that grows may fragment, and is taken by others
meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program, Setting
from firststep.lint.program.blocks import statement_of
from firststep.lint.program.changes import LOOPS
from firststep.lint.program.devices import is_program, named_gpus, says_how, strategies
from firststep.lint.program.functions import enclosing

WORDS = ("Strategy", "gpu:", "GPU:")
GROWTH = "for gpu in tf.config.list_physical_devices(\"GPU\"):\n    tf.config.experimental.set_memory_growth(gpu, True)\n"


def concerns(text: str, setting: Setting) -> bool:
    return not setting.is_test


def check(program: Program) -> Iterator[LintFinding]:
    if says_how(program) or not is_program(program):
        return
    places = [*strategies(program), *(call for number, call in sorted(named_gpus(program).items()) if number > 0)]
    if places:
        place = min(places, key=lambda call: call.lineno)
        bindings = program.scope.names.get("tf", [])
        known = len(bindings) == 1 and bindings[0].imported == "tensorflow" and enclosing(place, *LOOPS) is None  # a second time fails
        fix = Fix("let memory grow", edits.insert_before(program.position(statement_of(place)), GROWTH)) if known else None
        yield program.finding(__name__, place, "the memory of every GPU is taken whole: neither memory growth nor visible devices are set",
                              "call `tf.config.experimental.set_memory_growth` for each GPU first", fix)
