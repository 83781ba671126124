"""Generated models, trained twenty steps plainly, on a learning run and replayed: equal to the last bit."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from replay_harness import Lab

PROGRAM = (Path(__file__).parent / "generated_program.py").read_text()
ACTIVATIONS = st.sampled_from(["relu", "tanh", "gelu", "linear", "softplus"])
UNITS = st.integers(1, 6)


def options(**strategies):
    return st.fixed_dictionaries(strategies)


def one_of(**kinds):
    """One layer: [class name, its options]."""
    return st.one_of([st.tuples(st.just(name), strategy) for name, strategy in kinds.items()])


ANYWHERE = {
    "BatchNormalization": options(momentum=st.sampled_from([0.9, 0.5])),
    "LayerNormalization": options(),
    "Dropout": options(rate=st.sampled_from([0.1, 0.5]), seed=st.one_of(st.none(), st.integers(0, 9))),
    "GaussianNoise": options(stddev=st.just(0.1)),
    "Scale": options(factor=st.sampled_from([0.5, 2.0])),
    "Lambda": options(factor=st.sampled_from([0.5, 1.5])),
    "Dense": options(units=UNITS, activation=ACTIVATIONS, kernel_regularizer=st.sampled_from([None, "l2"])),
}
SHAPES = {
    (5,): one_of(**ANYWHERE),
    (4, 3): one_of(
        **ANYWHERE,
        Conv1D=options(filters=UNITS, kernel_size=st.integers(1, 2), padding=st.just("same"), activation=ACTIVATIONS),
        LSTM=options(units=UNITS, return_sequences=st.just(True)),
        GRU=options(units=UNITS, return_sequences=st.just(True), reset_after=st.booleans()),
        SimpleRNN=options(units=UNITS, return_sequences=st.just(True), unroll=st.booleans()),
    ),
    (6, 6, 2): one_of(
        **ANYWHERE,
        Conv2D=options(filters=UNITS, kernel_size=st.integers(1, 3), padding=st.just("same"), activation=ACTIVATIONS),
        DepthwiseConv2D=options(kernel_size=st.just(2), padding=st.just("same")),
        AveragePooling2D=options(pool_size=st.just(2), strides=st.just(1), padding=st.just("same")),
    ),
}
RATE = {"learning_rate": st.sampled_from([0.01, 0.1]), "schedule": st.booleans()}
OPTIMIZERS = one_of(
    SGD=options(**RATE, momentum=st.sampled_from([0.0, 0.9]), nesterov=st.booleans()),
    Adam=options(**RATE, amsgrad=st.booleans(), clipnorm=st.sampled_from([None, 0.5])),
    RMSprop=options(**RATE, centered=st.booleans()),
    AdamW=options(**RATE, weight_decay=st.sampled_from([0.0, 0.01])),
    Adagrad=options(**RATE),
)


@st.composite
def models(draw):
    shape = draw(st.sampled_from(sorted(SHAPES)))
    return {
        "shape": shape, "layers": draw(st.lists(SHAPES[shape], min_size=1, max_size=4)), "skip": draw(st.booleans()),
        "outputs": draw(st.integers(2, 3)), "frozen": draw(st.booleans()), "optimizer": draw(OPTIMIZERS),
        "loss": draw(st.sampled_from(["mse", "huber", "powered", "locked", "classes"])), "power": draw(st.sampled_from([1.5, 2.0])),
        "metrics": draw(st.lists(st.sampled_from(["mae", "mape"]), unique=True)), "weighted": draw(st.booleans()),
        "trainer": draw(st.sampled_from(["fit", "fit", "batches", "loop", "train_step"])),
        "together": draw(st.integers(1, 3)), "batch": draw(st.integers(2, 9)), "ragged": draw(st.integers(0, 1)),
        "piped": draw(st.booleans()),
        "seed": draw(st.integers(0, 99)),
    }


def check(folder, specs):
    folder.mkdir()
    laboratory = Lab(folder, PROGRAM, alone=True)
    (folder / "models.json").write_text(json.dumps(specs))
    plain, learned, confirmed, replayed = laboratory.plain(), laboratory.boost(), laboratory.boost(), laboratory.boost()
    assert learned.out == confirmed.out == plain.out
    assert replayed.out == plain.out
    assert not replayed.functions("error") and not replayed.functions("failed"), replayed.notes
    assert len(replayed.functions("live")) >= len(specs), replayed.notes


UNHURRIED = {"deadline": None, "phases": [Phase.generate], "suppress_health_check": list(HealthCheck)}


@pytest.mark.suite
@pytest.mark.tensorflow
@settings(max_examples=1, derandomize=True, database=None, **UNHURRIED)
@given(specs=st.lists(models(), min_size=1, max_size=1))
def test_a_generated_model(tmp_path_factory, specs):
    check(tmp_path_factory.mktemp("generated") / "lab", specs)


@pytest.mark.tensorflow
@pytest.mark.suite
@settings(max_examples=25, print_blob=True, **UNHURRIED)
@given(specs=st.lists(models(), min_size=6, max_size=6))
def test_many_generated_models(tmp_path_factory, specs):
    check(tmp_path_factory.mktemp("generated") / "lab", specs)
