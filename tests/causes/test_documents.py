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
    "seeds_repeated_initialization": LOADING | {"repeated-initialisation", "session-churn", "growing-graph"},
    "seeds_static_graph": LOADING,
    "seeds_variable_initialization": LOADING | GRAPHS,
    "slow_interpreter_start": {"slow-interpreter-start"},
    "slow_name_lookup": {"slow-name-lookup"},
    "stale_bytecode": STARVED | {"stale-bytecode"},
    "text_transformer": LOADING | STARVED | GRAPHS | {"slow-gradient-construction"},
    "v1_session": LOADING | STARVED | {"slow-graph-optimisation", "slow-gradient-construction"},
    "worker_processes": LOADING | STARVED | GRAPHS,
}
DOCUMENTED = {  # recorded start -> what its document names
    "seeds_static_graph": LOADING,
    "seeds_pretrained_weights": {"discarded-initialisation", "slow-weight-format", "slow-weight-load", "expensive-initialiser"},
    "seeds_repeated_initialization": {"repeated-initialisation", "session-churn", "growing-graph"},
    "seeds_variable_initialization": GRAPHS,
}
PROGRAMS = {  # folder of the document -> (what it names, its programs with what is slow in them)
    "startup_slow": (LOADING | GRAPHS, ("example1_static_graph", "example2_tensorflow_lite", "example3_eager")),
    "initialization_long": (GRAPHS | {"expensive-initialiser", "discarded-initialisation", "slow-weight-format", "slow-weight-load"},
                            ("example1_naive", "example2_pretrained_weights", "example3_custom_initializer")),
    "repeated_initialization": ({"repeated-initialisation", "session-churn", "growing-graph"}, ("example1_inefficient",)),
    "first_step_long": (GRAPHS, ("example1_linear_regression", "example2_variable_initialization", "example3_tf_function")),
}


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


@pytest.mark.suite
@pytest.mark.tensorflow
@pytest.mark.parametrize(("document", "program"), [(name, program) for name, (_, programs) in PROGRAMS.items() for program in programs])
def test_the_documents_programs(document, program, tmp_path):
    path = tmp_path / "a.trace"
    done = subprocess.run([sys.executable, "-m", "firststep.cli", "record", "-o", str(path), "--", TARGET,
                           str(SEEDS / document / f"{program}.py")], capture_output=True, timeout=900,
                          env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"})
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    first = [one.id for one in findings(parse_trace(path.read_text())) if one.group != "machine"][:3]
    assert set(first) & PROGRAMS[document][0], first
