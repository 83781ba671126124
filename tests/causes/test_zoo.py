"""The zoo against the causes: each cause has a program that shows it, and on no program is a cause sure of what is not so.

Every program is recorded once, in what a user would start it in (`benchmarks/circumstances.py`), and its findings are held against the
tables below: what may be found with high confidence, and what must be found.
"""

import os
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest
from circumstances import AROUND, Start, Unavailable, around
from programs import FIRSTSTEP, SUPPORTED, TARGET, interpreters

from firststep.analyse.facts import Facts
from firststep.causes import all_causes
from firststep.diagnose import MATTERS_NS, diagnosis
from firststep.model.read_trace import parse_trace

ZOO = Path(__file__).parents[2] / "zoo"
PROGRAMS = sorted(path.relative_to(ZOO).with_suffix("").as_posix() for path in ZOO.rglob("*.py")
                  if not path.name.startswith("_") and path.name != "make_models.py")
SLOW = {name.removeprefix("slow/").replace("_", "-"): name for name in PROGRAMS if name.startswith("slow/")}
SHOWN = {  # cause -> a program that was not written for it, and shows it
    "blocked-on-network": "import_waits_for_socket",
    "cold-compile-cache": "user_style/jit_compile",
    "discarded-initialisation": "load_and_predict_resnet",
    "double-trace": "gan",
    "eager-where-graph-pays": "eager_loop",
    "framework-imported-for-nothing": "imports_tensorflow_for_nothing",
    "framework-larger-than-needed": "load_and_predict_h5",
    "gc-during-startup": "import_tensorflow",
    "oversized-model-for-iteration": "resnet50",
    "repeated-initialisation": "v1_reinitialise",
    "saved-model-functions-rebuilt": "serve_saved_model_resnet",
    "shuffle-buffer-fill": "shuffle_after_map",
    "slow-gradient-construction": "bidirectional_lstm",
    "slow-graph-construction": "text_transformer",
    "slow-graph-optimisation": "bidirectional_lstm",
    "slow-library-load": "import_tensorflow",
    "slow-module-search": "import_tensorflow",
    "slow-weight-load": "load_and_predict_resnet",
}
NOT_SHOWN = {  # cause -> why no program of the zoo can show it
    "all-devices-visible": "needs two GPUs",
    "autotuned-per-shape": "needs a GPU",
    "disabled-cuda-cache": "needs a GPU",
    "driver-not-resident": "needs a GPU",
    "eager-module-loading": "needs a GPU",
    "kernels-compiled-from-ptx": "needs a GPU that is newer than the build",
    "memory-preallocated": "needs a GPU",
    "ptxas-missing-or-old": "needs a GPU",
    "slow-device-discovery": "needs a GPU: a CPU is found in milliseconds",
    "small-cuda-cache": "needs a GPU that is newer than the build",
    "swapping": "needs a machine with swap space that is short of memory, and harms what else runs there",
}


LOADING = {"slow-module-search", "slow-library-load", "gc-during-startup"}  # whatever imports TensorFlow
GRAPHS = {"slow-graph-construction", "slow-graph-optimisation", "slow-variable-creation"}  # whatever calls a function
TRAINING = {"double-trace", "slow-gradient-construction", "slow-optimizer-setup"}  # whatever trains with Keras or a function
REWRITTEN = ("@tf.function", "tf.function(", ".map(")  # where a program says so, functions of its own are: on a slow machine for long
MACHINE = {"too-few-cpus", "cold-page-cache", "throttled-by-quota", "unwritable-bytecode"}  # of whatever it is that the tests run on
NO_FRAMEWORK = {"own_computation", "slow/cloud_metadata_lookup", "slow/known_slow_version", "slow/library_opened_in_vain",
                "slow/slow_interpreter_start", "slow/slow_name_lookup", "slow/stale_bytecode", "slow/unwritable_bytecode"}
NO_TRAINING = {"import_tensorflow", "imports_tensorflow_for_nothing", "load_and_predict_h5", "load_and_predict_resnet",
               "load_and_predict_saved_model", "serve_saved_model_resnet", "slow/cold_page_cache", "slow/cold_weights",
               "slow/custom_op_library", "slow/expensive_initialiser", "slow/first_execution", "slow/graph_where_eager_pays",
               "slow/slow_model_build", "slow/slow_strategy_setup", "slow/slow_weight_format", "slow/xla_constant_folding"}
OWN = {  # program -> what else it may be found to have with high confidence: each was looked at, with its seconds and its line
    "import_tensorflow": {"framework-imported-for-nothing"},
    "import_waits_for_socket": {"blocked-on-network"},
    "imports_tensorflow_for_nothing": {"framework-imported-for-nothing"},
    "load_and_predict_h5": {"discarded-initialisation"},
    "load_and_predict_keras": {"discarded-initialisation"},
    "load_and_predict_resnet": {"discarded-initialisation"},
    "load_and_predict_saved_model": {"saved-model-functions-rebuilt"},
    "retracing": {"function-made-in-loop", "function-retracing"},
    "seeds/gpu_startup_slow/example3_profiling": {"profiler-in-first-steps"},
    "seeds/initialization_long/example2_pretrained_weights": {"discarded-initialisation"},
    "seeds/repeated_initialization/example1_inefficient": {"growing-graph", "repeated-initialisation"},
    "serve_saved_model_resnet": {"saved-model-functions-rebuilt"},
    "shuffle_after_map": {"shuffle-buffer-fill"},  # 2.3 s of the first step, in which the pipeline had begun and given nothing
    "slow/memory_growing_between_initialisations": {"repeated-initialisation"},
    "slow/xla_constant_folding": {"embedded-constant"},  # its table is used twice within the function: 64 MB of constants
    "v1_reinitialise": {"growing-graph", "repeated-initialisation"},
}


def sure(name):
    """What may be found with high confidence in a program."""
    common = set() if name in NO_FRAMEWORK else LOADING | GRAPHS if name in NO_TRAINING else LOADING | GRAPHS | TRAINING
    if any(word in (ZOO / f"{name}.py").read_text() for word in REWRITTEN):
        common = common | {"slow-autograph"}
    return common | MACHINE | OWN.get(name, set()) | ({name.removeprefix("slow/").replace("_", "-")} if name in SLOW.values() else set())


def test_every_cause_is_shown_by_a_program_or_has_its_reason():
    """A new cause needs a program in `zoo/slow`, named as the cause is, or an entry here."""
    causes = {cause.id for cause in all_causes()}
    assert set(SLOW) | set(SHOWN) | set(NOT_SHOWN) == causes
    assert not set(NOT_SHOWN) & (set(SLOW) | set(SHOWN))
    assert not set(SLOW) & set(SHOWN)
    assert set(SHOWN.values()) <= set(PROGRAMS)
    assert set(AROUND) <= set(SLOW)


def test_the_tables_name_programs_and_causes():
    assert set(OWN) | NO_FRAMEWORK | NO_TRAINING <= set(PROGRAMS)
    assert set().union(*OWN.values(), LOADING, GRAPHS, TRAINING, MACHINE) <= {cause.id for cause in all_causes()}


@contextmanager
def older_python(python, program, folder):
    older = [path for version, path in interpreters().items() if version in SUPPORTED and version < (3, 11)]
    if not older:
        raise Unavailable("needs a Python before 3.11")
    yield Start(older[0])


@contextmanager
def surrounded(program, name, folder):
    cause = name.removeprefix("slow/").replace("_", "-")
    made = older_python if cause == "known-slow-version" else around(program, cause)
    try:
        with made(TARGET, program, folder) as start:
            yield start
    except Unavailable as reason:
        pytest.skip(str(reason))


def recorded(name, folder):
    """The findings of a program of the zoo, recorded in its circumstances."""
    program, path = ZOO / f"{name}.py", folder / "a.trace"
    (folder / "data").mkdir()
    with surrounded(program, name, folder / "data") as start, open(folder / "stderr", "wb") as stderr:  # a file: native lines are read
        start.again()
        done = subprocess.run([*start.before, *FIRSTSTEP, "record", "-o", str(path), "--", start.python, str(program)], cwd=folder,
                              stdout=subprocess.DEVNULL, stderr=stderr, env={**os.environ, **start.environment}, timeout=900)
    assert done.returncode == 0, (folder / "stderr").read_text()[-2000:]
    whole = Facts(parse_trace(path.read_text()))(diagnosis)
    assert not whole.failed
    return whole.findings


@pytest.mark.suite
@pytest.mark.tensorflow
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_found_in_a_program_is_so(name, tmp_path):
    found = recorded(name, tmp_path)
    assert {one.id for one in found if one.confidence == "high"} <= sure(name)
    assert {cause for cause, program in SHOWN.items() if program == name} <= {one.id for one in found}
    if name in SLOW.values():
        check_shown(name, found)


def check_shown(name, found):
    """The cause that the program is named after is among the first three, at the line that ends with `# slow`."""
    cause = name.removeprefix("slow/").replace("_", "-")
    one = next((each for each in found if each.id == cause), None)
    assert one, [each.id for each in found]
    if one.gain.high_ns >= MATTERS_NS:  # what is worth saying though it costs no time stands where it may
        others = [each for each in found if each.group != "machine" or each is one]
        assert one in others[:3], [each.id for each in others]
    lines = [number for number, line in enumerate((ZOO / f"{name}.py").read_text().splitlines(), 1) if line.endswith("# slow")]
    assert ([one.evidence.line.line] if one.evidence.line else []) == lines
