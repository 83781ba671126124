"""The border's own mutation test: each place of the tables, in processes of their own, is gone, has another signature, or raises.

A program that passes through it then runs plainly, recorded and boosted: exit code, output and the last line of its error are
as plainly, and where a place is not found, that is noted. Where the framework itself cannot do without the name, it fails in the
same words. `moved` and `fails` are the agent's alone to meet: the framework goes on, so that what is tried is the agent.

All ways at all places take a processor's evening: `make suite` tries a sample, one way at each place; `-m suite` tries them all. The
places of Keras 2 are there with TensorFlow 2.15 alone, which `make suite` installs beside.
"""

import json
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from programs import TARGET

from firststep.model.plan import OBSERVE_ALL, Plan
from firststep_agent.frameworks.points import READ, all_points

pytestmark = [pytest.mark.tensorflow, pytest.mark.suite]

ROOT = Path(__file__).parents[2]
OBSERVERS = {"frameworks", "steps", "afterwards", "network", "results"}
UNCHANGED = 99  # exit status of a fork in which there was nothing to change in this way
WAYS = ("moved", "fails", "signature", "deleted", "raises")
SEED = 14  # of the sample
KERAS = """
import numpy as np, tensorflow as tf
tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, kernel_initializer="orthogonal"), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(), "mse", metrics=["mae"])
print(model.fit(np.ones((8, 4), "float32"), np.ones((8, 1), "float32"), batch_size=4, verbose=0).history)
print(model.predict(np.ones((2, 4), "float32"), verbose=0).tolist(), model(tf.ones([2, 4])).numpy().tolist())

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    model.optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss

print([float(step(tf.ones([2, 4]))) for _ in range(2)])
"""
LOOP = """
import tensorflow as tf
tf.random.set_seed(1)
w = tf.Variable([1.0, 2.0])

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * x - 1.0) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss

print([float(step(tf.ones([2]))) for _ in range(3)], w.numpy().tolist())
"""
SAVED = """
import os, tempfile
import numpy as np, tensorflow as tf
tf.keras.utils.set_random_seed(1)
folder = tempfile.mkdtemp()
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
for name in ("model.keras", "model.h5"):
    model.save(os.path.join(folder, name))
    loaded = tf.keras.models.load_model(os.path.join(folder, name))
    print(loaded(tf.ones([1, 4])).numpy().tolist())
module = tf.Module()
module.w = tf.Variable(2.0)
module.f = tf.function(lambda x: x * module.w, input_signature=[tf.TensorSpec([], tf.float32)])
tf.saved_model.save(module, os.path.join(folder, "saved"))
loaded = tf.saved_model.load(os.path.join(folder, "saved"))
print(loaded.f(tf.constant(3.0)).numpy())
data = tf.data.Dataset.from_tensor_slices(np.arange(6)).map(lambda x: x + 1).shuffle(4, seed=1).cache().batch(2)
print([one.tolist() for one in data.as_numpy_iterator()])
print(float(tf.function(lambda x: loaded.f(x) + 1.0)(tf.constant(3.0))))
"""
SESSIONS = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * w))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(train)
    print(session.run(w).tolist())
"""


@dataclass(frozen=True)
class Ran:
    """What a program's run showed: exit status, output, the last line of its error; and what the agent wrote down."""

    status: int
    out: str
    last: str
    trace: str
    seen: frozenset = frozenset()

    def shown(self):
        return self.status, self.out, self.last


class Server:
    """Runs programs in forks of one process that has loaded the frameworks (mutating.py)."""

    def __init__(self, folder):
        self._folder = folder
        self._runs = 0
        self._errors = (folder / "server.err").open("w")
        self._process = subprocess.Popen([TARGET, "-X", "faulthandler", str(Path(__file__).with_name("mutating.py")), str(ROOT / "src")],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True)
        self.versions = json.loads(self._process.stdout.readline())  # package -> [2, 21]

    def run(self, text, point=None, how=None, plan=None, places=()):
        """One run of a program, with this point changed; `how` is "seen": it is told which of `places` the agent has looked for.

        Skips the test where there is nothing to change in this way.
        """
        self._runs += 1
        folder = self._folder / str(self._runs)
        folder.mkdir(mode=0o700)
        program = self._folder / "program.py"  # of one name, for it is part of what the cache goes by
        program.write_text(text)
        job = {"folder": str(folder), "program": str(program), "how": how, "plan": None,
               "places": [(one.module, one.attribute) for one in places]}
        if point is not None:
            job.update(module=point.module, attribute=point.attribute, read=point.how == READ)
        if plan is not None:
            (folder / "parts").mkdir()
            job["plan"] = str(folder / "plan.json")
            Path(job["plan"]).write_text(json.dumps(plan.document(str(folder))))
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        status = json.loads(self._process.stdout.readline())
        if status == UNCHANGED:
            pytest.skip("there is nothing to change in this way")
        lines = (folder / "err").read_text().splitlines()
        seen = folder / "seen"
        return Ran(status, (folder / "out").read_text(), lines[-1] if status and lines else "",
                   "".join(part.read_text() for part in folder.glob("parts/*.part")),
                   frozenset(json.loads(seen.read_text())) if seen.exists() else frozenset())

    def close(self):
        self._process.stdin.close()
        self._process.wait(60)
        self._errors.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("forks"))
    yield server
    server.close()


PLAIN: dict = {}


def plainly(server, text):
    """What the program does where nothing is changed."""
    if text not in PLAIN:
        PLAIN[text] = server.run(text)
        assert PLAIN[text].status == 0, PLAIN[text]
    return PLAIN[text]


def points():
    """Each place in each way; of those outside of the sample, marked. A new place changes nothing about the way of the others."""
    for point in all_points():
        assert point.untried is None or point.untried.strip(), point.name
        if point.untried is None:
            ways = [how for how in WAYS if how != "fails" or point.how == READ]
            chosen = random.Random(f"{SEED} {point.name}").choice(ways)
            of_keras_2 = (pytest.mark.keras_2,) if point.package == "keras" and point.before == (3, 0) else ()
            for how in ways:
                beyond = () if how == chosen else (pytest.mark.beyond_sample,)
                yield pytest.param(point, how, id=f"{point.name}-{how}", marks=(*of_keras_2, *beyond))


@pytest.fixture(scope="module")
def looked_for(server, tmp_path_factory):
    """Names of the places that are looked for where LOOP is learned, confirmed and answered."""
    cache = tmp_path_factory.mktemp("seen")
    plan = boosting(("cache-functions",), cache)
    places = [point for point in all_points() if point.how == READ and point.package in server.versions]
    return frozenset().union(*(server.run(LOOP, how="seen", plan=plan, places=places).seen for _ in range(3)))


def boosting(remedies, cache):
    settings = {remedy: {"replay_over_ms": 0, "proof": "wait"} if remedy == "cache-functions" else {} for remedy in remedies}
    return Plan(observe=("processes", "steps"), boost=settings, cache=str(cache))


def program_for(point, looked_for):
    """The shortest that passes through it."""
    if set(point.users) == {"cache-functions"} and point.name in looked_for:
        return LOOP
    of_sessions = (".client.session", ".training.", ".ref_variable", ".importer", ".ops.variables")
    if set(point.users) != {"cache-functions"} and any(part in point.module for part in of_sessions):
        return SESSIONS
    return SAVED if any(part in point.module for part in ("sav", "checkpoint", "h5py", ".data.", "loader")) else KERAS


@pytest.mark.parametrize("point,how", list(points()))
def test_the_program_runs_as_it_would_plainly(server, looked_for, tmp_path, point, how):
    installed = server.versions.get(point.package)
    if installed is None or not point.exists_in(tuple(installed)):
        pytest.skip(f"{point.package} is another one here, or there is none")
    text = program_for(point, looked_for)
    plain = plainly(server, text)
    if how not in ("moved", "fails"):  # those meet the agent alone
        plain = server.run(text, point, how)
    users = set(point.users)
    if users & OBSERVERS:
        check_recorded(server, text, point, how, plain)
    if users - OBSERVERS:
        check_boosted(server, text, point, how, plain, tmp_path / "cache")


def told(ran):
    """What the agent wrote down, without the header."""
    return "\n".join(line[:600] for line in ran.trace.splitlines() if line.startswith("["))


def check_recorded(server, text, point, how, plain):
    recorded = server.run(text, point, how, Plan(observe=(*OBSERVE_ALL, "results")))
    assert recorded.shown() == plain.shown()
    if how == "moved" and point.how != READ:
        assert f'["missing","{point.module}","{point.attribute}"]' in recorded.trace


def check_boosted(server, text, point, how, plain, cache):
    """The start that learns, the one that confirms, and the one that is answered; one of them where the framework itself fails."""
    remedies = sorted(set(point.users) - OBSERVERS)
    cache.mkdir(mode=0o700)
    plan = boosting(remedies, cache)
    traces = []
    for _ in range(3 if plain.status == 0 and "cache-functions" in remedies else 1):
        boosted = server.run(text, point, how, plan)
        traces.append(boosted.trace)
        assert boosted.shown() == plain.shown(), told(boosted)
    if how == "moved" and point.how != READ and plain.status == 0:  # some places are for what learns alone
        assert f"there is no {point.name}" in "".join(traces)
    if plain.status == 0:
        said = [f',"{what}",' for what in ("live", "learned", "confirmed", "refused", "error")] + ['["e",']
        assert any(word in boosted.trace for word in said), f"nothing is said: {told(boosted)}"
