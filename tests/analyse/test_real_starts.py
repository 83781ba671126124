"""Real programs, recorded as a user would, and what the analysis makes of them."""

from pathlib import Path

import pytest

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.import_tree import import_tree
from firststep.analyse.libraries import libraries
from firststep.analyse.partition import partition
from firststep.analyse.processes import processes, unwatched
from firststep.analyse.source_lines import source_lines
from firststep.analyse.tracing import tracing
from firststep.report.places import source

ZOO = Path(__file__).parents[2] / "zoo"
SPIN = "import time\nend = time.monotonic() + {seconds}\nwhile time.monotonic() < end:\n    pass\n"


def explained(recorded):
    """The facts of a start whose phases add up and of which nearly everything is explained."""
    facts = Facts(recorded.trace)
    whole = facts(partition)
    assert sum(whole.phases.values()) == whole.wall_ns == recorded.trace.end - recorded.trace.spawned[0]
    assert whole.phases[phases.UNACCOUNTED] <= whole.wall_ns * 0.01 + 20_000_000
    return facts


def test_the_users_own_module_is_the_users_code_and_a_librarys_is_not(record, target, write):
    write("mine.py", SPIN.format(seconds=0.4))
    program = write("program.py", "import decimal\nimport mine\n")
    facts = explained(record([target, program]))
    assert facts(partition).phases[phases.USER] > 300_000_000
    assert facts(source_lines)[0].line.file.endswith("mine.py")
    names = {module.name for module in facts(import_tree).modules}
    assert {"mine", "decimal"} <= names
    assert not any(name.startswith("firststep_agent") for name in names)


def test_time_in_a_library_is_the_librarys_with_the_users_line(record, target, write):
    program = write("program.py", "import subprocess\n\nsubprocess.run(['sleep', '0.5'])\n")
    facts = explained(record([target, program]))
    row = facts(libraries)[0]
    assert (row.package, row.called, row.line.line) == ("subprocess", "run", 3)
    assert row.ns > 300_000_000


def test_a_child_that_shuts_us_out_is_named(record, target, write):
    program = write("program.py", "import subprocess, sys\nsubprocess.run([sys.executable, '-I', '-c', 'pass'])\n")
    facts = explained(record([target, program]))
    assert ["-I" in one.reason for one in facts(unwatched)] == [True]


def test_a_program_that_replaces_itself_is_followed(record, target, write):
    write("real.py", SPIN.format(seconds=0.3))
    program = write("program.py", "import os, sys\nos.execv(sys.executable, [sys.executable, 'real.py'])\n")
    facts = explained(record([target, program]))
    assert facts(source_lines)[0].line.file.endswith("real.py")
    assert [process.on_path for process in facts(processes)] == [True, True]


def test_workers_are_watched(record, target, write):
    program = write(
        "program.py",
        "import multiprocessing, time\n\ndef work():\n    end = time.monotonic() + 0.3\n    while time.monotonic() < end:\n"
        "        pass\n\nif __name__ == '__main__':\n    child = multiprocessing.get_context('spawn').Process(target=work)\n"
        "    child.start()\n    child.join()\n")
    facts = explained(record([target, program]))
    assert {process.origin for process in facts(processes)} == {"start"}
    assert len(facts(processes)) >= 2


def test_a_kill_leaves_what_was_seen(record, target, write):
    program = write("program.py", SPIN.format(seconds=0.8) + "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    recorded = record([target, program])
    whole = Facts(recorded.trace)(partition)
    assert recorded.code == -9
    assert sum(whole.phases.values()) == whole.wall_ns
    assert whole.phases[phases.USER] > 200_000_000


@pytest.mark.tensorflow
def test_a_keras_program_is_explained_by_its_phases(record, target):
    facts = explained(record([target, str(ZOO / "keras_mlp.py"), "--steps", "1", "--epochs", "1"]))
    times = facts(partition).phases
    for phase in (phases.IMPORTS, phases.NATIVE, phases.TRACING, phases.VARIABLES, phases.DATA, phases.OPTIMISATION):
        assert times[phase] > 0, phase
    assert times[phases.IMPORTS] + times[phases.NATIVE] + times[phases.COLLECTION] > times[phases.USER]
    known = facts(tracing)
    assert known.ns == pytest.approx(known.framework_ns, rel=0.05)
    assert facts.trace.ready.kind == "train"



CONVERTED = """import time
import tensorflow as tf


class Model(tf.Module):
    @tf.function
    def step(self, x):
        total = 0.0
        for i in tf.range(2):
            if total > 3.0:
                time.sleep(0.4)
                total += 1.0
        return self.more(x) + total

    def more(self, x):
        def inner():
            time.sleep(0.3)
            return x
        return inner()


model = Model()
print(model.step(tf.ones([])).numpy())
"""


@pytest.mark.tensorflow
def test_lines_that_autograph_has_converted_are_the_programs_own(record, target, write):
    program = write("program.py", CONVERTED)
    facts = explained(record([target, program]))
    found = {one.line.line: one for one in facts(source_lines) if one.line.file == str(program)}
    assert found[11].self_ns > 300_000_000 and found[17].self_ns > 200_000_000
    assert found[11].function.endswith("step") and found[17].function.endswith("inner")
    assert found[23].total_ns >= found[9].total_ns + found[13].total_ns > 500_000_000
    assert source(found[11].line, facts.trace) == "time.sleep(0.4)"
    assert not any("autograph_generated" in one.line.file for one in facts(source_lines))
