"""Zero wrong: whatever changes the computation changes the key, or the function is refused."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from programs import TARGET, has_keras_2

pytestmark = [pytest.mark.tensorflow, pytest.mark.suite]  # the filter alone: what stands behind it is tested by the proof and the attacks

HERE = Path(__file__).parent
AGENT = HERE.parents[2] / "src"

# Another result, yet the stored function is the right one: only what it is given differs.
RIGHT_TO_HIT = {
    "swapped_variables_of_one_shape": "captures are bound by path",
    "initializer_constant": "variables keep the values of the new process",
    "class_weights": "weights come with the data",
    "sample_weights": "the signature of another trap's learned function",
}
# Each run gives another result: nothing may ever hit.
UNREPEATABLE = ("clock_baked_in", "date_baked_in", "unseeded_generator_baked_in", "uuid_baked_in", "process_id_baked_in")


# What these traps change does not exist in Keras 2, or does nothing there.
NOT_IN_KERAS_2 = ("epsilon", "float_type", "image_data_format_read_in_call", "layer_dtype_policy_changed", "custom_train_step",
                  "predict_after_an_attribute_changed", "layer_frozen_after_compile")


class Traps:
    """Runs the runner over one folder of state, one process after the other."""

    def __init__(self, folder, python):
        self._folder = folder
        self._python = python

    def run(self, variant, mode, *names):
        (self._folder / "variant.txt").write_text(variant)
        out = self._folder / f"{mode}-{variant}.json"
        environment = {**os.environ, "TRAPS": str(self._folder), "AGENT": str(AGENT), "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([self._python, str(HERE / "runner.py"), mode, str(out), *names], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(out.read_text())


@pytest.fixture(scope="module")
def traps(tmp_path_factory):
    return Traps(tmp_path_factory.mktemp("traps"), TARGET)


@pytest.fixture(scope="module")
def learned(traps):
    return traps.run("A", "learn")


@pytest.fixture(scope="module")
def same(traps, learned):
    return traps.run("A", "check")


@pytest.fixture(scope="module")
def changed(traps, learned):
    return traps.run("B", "check")


def test_every_trap_changes_the_result(learned, changed):
    assert len(learned) >= 50
    known = NOT_IN_KERAS_2 if has_keras_2() else ()
    failed = {n: c["result"] for n, c in {**learned, **changed}.items() if ":" in c["result"] and n not in known}
    assert failed == {}
    assert [n for n in learned if learned[n]["result"] == changed[n]["result"] and n not in known] == []


def test_no_manifest_holds_where_the_result_differs(learned, changed):
    wrong = [n for n, c in changed.items()
             if c["traces"] and all(v == "hit" for _, v in c["traces"]) and c["result"] != learned[n]["result"]]
    assert set(wrong) <= set(RIGHT_TO_HIT)


def test_every_learned_manifest_holds_when_nothing_changed(learned, same):
    missed = {}
    for name, case in learned.items():
        for (function, verdict), (_, again) in zip(case["traces"], same[name]["traces"]):
            if verdict == "learned" and again != "hit":
                missed[name] = (function, again)
    assert missed == {}


def test_most_of_them_are_kept(learned):
    verdicts = [v for n, c in learned.items() if n not in UNREPEATABLE for _, v in c["traces"]]
    assert sum(v == "learned" for v in verdicts) >= 0.8 * len(verdicts)


def test_what_differs_from_run_to_run_is_refused_in_words(learned):
    for name in UNREPEATABLE:
        assert all(v.startswith("refused: ") and ("while it is traced" in v or "tracing changes" in v) for _, v in learned[name]["traces"]), name
    assert "time.time" in learned["clock_baked_in"]["traces"][0][1]


def test_replayed_runs_equal_plain_ones_bit_for_bit(traps):
    plain = {v: traps.run(v, "plain") for v in "AB"}
    first = traps.run("A", "boost")
    confirmed = traps.run("A", "boost")
    replayed = {v: traps.run(v, "boost") for v in "AB"}
    repeatable = [n for n in plain["A"] if n not in UNREPEATABLE]
    assert not any("error" in v for case in replayed["A"].values() for _, v in case["traces"])
    assert [n for n in repeatable if first[n]["result"] != plain["A"][n]["result"]] == []
    assert [n for n in repeatable if confirmed[n]["result"] != plain["A"][n]["result"]] == []
    assert not any(v.startswith("disproved") for case in replayed["A"].values() for _, v in case["traces"])
    assert [n for n in repeatable if replayed["A"][n]["result"] != plain["A"][n]["result"]] == []
    assert [n for n in repeatable if replayed["B"][n]["result"] != plain["B"][n]["result"]
            and not any(v.startswith("disproved") for _, v in replayed["B"][n]["traces"])] == []
    assert sum(any(v == "live" for _, v in replayed["A"][n]["traces"]) for n in repeatable) >= 0.7 * len(repeatable)
