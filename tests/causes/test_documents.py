"""What the causes say of real programs: recorded ones quickly, those made from the five documents anew.

The documents are five texts that say why TensorFlow starts slowly; their snippets are programs of the zoo. For each the
first three findings must hold a cause that its document names; and on no recorded start may a cause be sure that is not there.
"""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import TARGET

from firststep.analyse.facts import Facts
from firststep.causes import all_causes
from firststep.diagnose import diagnosis
from firststep.model.read_trace import parse_trace

ROOT = Path(__file__).parents[2]
RECORDED = {path.name.partition(".")[0]: path for path in (ROOT / "tests" / "traces").rglob("*.trace.gz")}
SEEDS = ROOT / "zoo" / "seeds"

LOADING = {"slow-module-search", "slow-library-load", "gc-during-startup"}  # whatever imports TensorFlow
GRAPHS = {"slow-graph-construction", "slow-graph-optimisation", "double-trace", "slow-variable-creation", "slow-optimizer-setup"}
STARVED = {"too-few-cpus"}  # the machine on which it was recorded had other work
MADE = {"blocked-on-child-process"}  # the zoo makes a model's file, when it is first wanted, in a process of its own
SURE = {  # recorded start -> causes that may be found with high confidence
    "cloud_metadata_lookup": {"cloud-metadata-lookup"},
    "import_waits_for_socket": LOADING | STARVED | {"blocked-on-network", "slow-graph-construction"},
    "imports_tensorflow_for_nothing": LOADING | {"framework-imported-for-nothing"},
    "keras_mlp": LOADING | STARVED | GRAPHS,
    "library_opened_in_vain": STARVED | {"library-opened-in-vain"},
    "load_and_predict_keras": LOADING | STARVED | GRAPHS - {"double-trace"} | {"discarded-initialisation", "expensive-initialiser"},
    "retracing": LOADING | STARVED | GRAPHS,
    "seeds_pretrained_weights": LOADING | MADE | {"discarded-initialisation", "expensive-initialiser"},
    "seeds_repeated_initialization": LOADING | {"repeated-initialisation", "growing-graph"},
    "seeds_static_graph": LOADING,
    "seeds_variable_initialization": LOADING | GRAPHS,
    "slow_interpreter_start": {"slow-interpreter-start"},
    "slow_name_lookup": {"slow-name-lookup"},
    "stale_bytecode": STARVED | {"stale-bytecode"},
    "text_transformer": LOADING | STARVED | GRAPHS | {"slow-gradient-construction"},
    "v1_session": LOADING | STARVED | {"slow-graph-optimisation", "slow-gradient-construction"},
    "worker_processes": LOADING | STARVED | GRAPHS,
}
STEP = {"slow-graph-construction", "double-trace"}  # the step is turned into a graph, and that twice
DOCUMENTED = {  # recorded start -> what its document names, and this program has
    "seeds_static_graph": {"slow-library-load"},  # shared libraries and the registration of operators: its graph takes no time
    "seeds_pretrained_weights": {"discarded-initialisation"},
    "seeds_repeated_initialization": {"repeated-initialisation", "growing-graph"},
    "seeds_variable_initialization": STEP,
}
PROGRAMS = {  # a document's program -> what the document names, and this program has
    "startup_slow/example1_static_graph": {"slow-library-load", "slow-graph-optimisation"},
    "startup_slow/example2_tensorflow_lite": STEP,
    "startup_slow/example3_eager": {"slow-library-load"},
    "initialization_long/example1_naive": STEP | {"expensive-initialiser"},
    "initialization_long/example3_custom_initializer": STEP | {"expensive-initialiser"},  # the second: WEIGHTS
    "gpu_startup_slow/example1_visible_devices": STEP,  # without a GPU: what it would compile for one
    "gpu_startup_slow/example2_smaller_model --full": STEP | {"oversized-model-for-iteration"},
    "gpu_startup_slow/example3_profiling": STEP | {"profiler-in-first-steps"},
    "repeated_initialization/example1_inefficient": {"repeated-initialisation", "growing-graph"},
    "first_step_long/example1_linear_regression": {"slow-graph-construction", "slow-graph-optimisation"},
    "first_step_long/example2_variable_initialization": STEP,
    "first_step_long/example3_tf_function": {"slow-graph-construction"},
}
CURED = ("repeated_initialization/example2_single_session", "repeated_initialization/example3_tf_function")  # the document's remedies
WEIGHTS = "initialization_long/example2_pretrained_weights"  # loads a file: how much its loading matters, its size decides
LARGE_MODEL = """
import make_models
def wide(tf):
    layers = [tf.keras.layers.Dense(units, activation="relu") for units in (8192, 8192, 10)]
    return tf.keras.Sequential([tf.keras.Input(shape=(784,)), *layers])
make_models.build_wide_mlp = wide
make_models.make("pretrained_model.h5")
"""


def findings(trace):
    whole = Facts(trace)(diagnosis)
    assert not whole.failed
    return whole.findings


def recorded(name):
    return parse_trace(gzip.decompress(RECORDED[name].read_bytes()).decode("ascii"))


def test_every_recorded_start_is_looked_at():
    assert set(SURE) == set(RECORDED)


@pytest.mark.parametrize("name", SURE)
def test_no_cause_is_sure_of_what_is_not_there(name):
    assert {one.id for one in findings(recorded(name)) if one.confidence == "high"} <= SURE[name]


@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_first_three_findings_hold_what_the_document_names(name):
    first = [one.id for one in findings(recorded(name)) if one.id not in MADE][:3]
    assert set(first) & DOCUMENTED[name]


def test_what_dominates_stands_first():
    """The model's file was missing: another process made it, and the program waited for more than half of its start."""
    assert findings(recorded("seeds_pretrained_weights"))[0].id in MADE


def test_every_cause_is_silent_on_five_recorded_starts():
    heard = {name: {one.id for one in findings(recorded(name))} for name in SURE}
    for cause in all_causes():
        silent = [name for name, ids in heard.items() if cause.id not in ids]
        assert len(silent) >= 5, (cause.id, silent)


def told(program, path, **environment):
    """What is found in a document's program, recorded anew; the machine's own part is no cause of the document's."""
    name, *arguments = program.split()
    done = subprocess.run([sys.executable, "-m", "firststep.cli", "record", "-o", str(path), "--", TARGET,
                           str(SEEDS / f"{name}.py"), *arguments], capture_output=True, timeout=900,
                          env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", **environment})
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return [one for one in findings(parse_trace(path.read_text())) if one.group != "machine"]


def test_every_program_of_the_documents_is_looked_at():
    known = {path.relative_to(SEEDS).with_suffix("").as_posix() for path in SEEDS.rglob("*.py")}
    assert {one.split()[0] for one in PROGRAMS} | {WEIGHTS, *CURED} == known


@pytest.mark.suite
@pytest.mark.tensorflow
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_documents_programs(program, tmp_path):
    first = [one.id for one in told(program, tmp_path / "a.trace")[:3]]
    assert set(first) & PROGRAMS[program], first


@pytest.mark.suite
@pytest.mark.tensorflow
@pytest.mark.parametrize("program", CURED)
def test_what_the_document_advises_has_none_of_what_it_names(program, tmp_path):
    assert not [one.id for one in told(program, tmp_path / "a.trace") if one.group == "sessions"]


@pytest.mark.suite
@pytest.mark.tensorflow
def test_loading_weights_leads_where_they_are_as_large_as_the_document_says(tmp_path):
    """"Large models can have hundreds of megabytes": the document's program, with a file of 295 MB."""
    place = {"ZOO_DATA": str(tmp_path / "data"), "PYTHONPATH": str(ROOT / "zoo")}
    subprocess.run([TARGET, "-c", LARGE_MODEL], check=True, capture_output=True, timeout=900, env={**os.environ, **place})
    del place["PYTHONPATH"]
    first = [one.id for one in told(WEIGHTS, tmp_path / "a.trace", **place)[:3]]
    assert set(first) & {"discarded-initialisation", "slow-weight-format", "slow-weight-load"}, first


@pytest.mark.suite
@pytest.mark.tensorflow
def test_small_weights_are_told_after_what_takes_longer(tmp_path):
    """The zoo's own file has 23 MB: of a start of 5 s its loading takes 0.4 and what is overwritten unread 0.1 to 0.2, while the
    import takes more than 4, and three findings are of it: its search for files, Python's collector within it, and whether all of it
    is needed for one prediction. So the document's cause need not be among the first three; it is there, sure, told with its line,
    and stands behind nothing that gains less."""
    found = told(WEIGHTS, tmp_path / "a.trace")
    place, = [number for number, one in enumerate(found) if one.id == "discarded-initialisation"]
    assert found[place].confidence == "high"
    assert found[place].evidence.line.file.endswith("example2_pretrained_weights.py") and found[place].evidence.line.line == 12
    assert all(one.gain.middle_ns > found[place].gain.middle_ns for one in found[:place])
