"""How long a step waits for the first batch that it fetches itself."""

from types import SimpleNamespace

import pytest
from programs import tensorflow_version

from firststep_agent.observe import first_batches, samples
from firststep_agent.observe.samples import Sampler
from firststep_agent.observe.turns import Turns


def of_kind(process, kind):
    return [span for span in process.spans if span.kind == kind]


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value):
    small = bytes([value & 127])
    return small if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


def model(root, *others):
    """A ModelProto of parts (elements, nanoseconds), the first of which gives to the program."""
    found = b""
    for number, (elements, ns) in enumerate((root, *others), 1):
        part = field(1, number) + field(2, b"Map") + field(8, elements) + field(9, ns) + b"\x61" + b"1" * 8  # a double, too
        found += field(1, field(1, number) + field(2, part))
    return found + field(2, 1)


@pytest.mark.parametrize(("parts", "told"), [
    (((0, 0), (0, 0)), (0, False)), (((0, 70_000), (0, 0)), (0, False)), (((0, 0), (1, 0)), (0, True)),
    (((0, 0), (0, 0), (0, 10**12)), (0, True)), (((3, 0), (300, 10**12)), (3, True))])
def test_counts_of_a_pipeline(parts, told):
    assert first_batches.counts(*first_batches.parts(model(*parts))) == told


def watch(monkeypatch, *models):
    told = iter(models)
    monkeypatch.setattr(first_batches, "_model", lambda resource: next(told))
    one = first_batches.FirstBatch(type("Iterator", (), {"_iterator_resource": None})())
    first_batches._watches.append(one)
    for at in range(len(models)):
        first_batches.look(100 * (at + 1))
    return one


def test_only_what_a_look_has_seen_is_a_wait(monkeypatch):
    idle, waiting, given = model((0, 0), (0, 0)), model((0, 0), (0, 9)), model((1, 0), (2, 9))
    for looks, wait in (((idle, waiting, waiting, given), (150, 300)), ((idle, idle, waiting, given), (200, 300)),
                        ((idle, given, given), (150, 150)), ((given,), (150, 150)), ((), (150, 150))):
        *told, labels = watch(monkeypatch, *looks).end(150, 900)  # until a part has begun the call was busy with something else
        assert tuple(told) == wait and set(labels) == {"iterator"}
    assert watch(monkeypatch, waiting, b"\x0a\x7f").end(50, 900) is None  # nothing is claimed where a look failed


def test_further_elements_of_a_long_call_are_told(monkeypatch):
    """`steps_per_execution`: whether the second batch was waited for, nobody knows."""
    waiting, one, two = (model((given, 0), (2, 9)) for given in (0, 1, 2))
    assert watch(monkeypatch, waiting, one, two, one).end(50, 900)[2]["elements"] == 2
    late = watch(monkeypatch, waiting, one)
    monkeypatch.setattr(first_batches, "_model", lambda resource: two)
    assert late.end(50, 50 + 10**9)[2]["elements"] == 2
    assert not first_batches._watches


def test_what_worked_for_the_first_element_is_told_of_a_long_call(monkeypatch):
    """Also of one that has ended, and that the model forgets."""
    waiting, given = model((0, 0), (0, 2_000_000_000), (9, 30_000_005)), model((1, 70_000))
    assert "worked" not in watch(monkeypatch, waiting, given).end(50, 900)[2]
    late = watch(monkeypatch, waiting, given)
    monkeypatch.setattr(first_batches, "_model", lambda resource: given)
    assert late.end(50, 50 + 10**9)[2]["worked"] == [["Map", 2_030_000_005]]
    assert first_batches.worked(first_batches.times(first_batches.parts(given)[0])) == {}


def test_a_forked_process_looks_at_nothing_of_its_parents(monkeypatch):
    """An operation that is begun there may never end."""
    monkeypatch.setattr(samples, "looks", [first_batches.look])
    Sampler.restart_after_fork(SimpleNamespace(_kernel=None, _turns=Turns(), _run=SimpleNamespace(finished=True)))
    assert samples.looks == []


@pytest.mark.tensorflow
@pytest.mark.skipif(tensorflow_version() < (2, 17), reason="this TensorFlow cannot be asked how far an input pipeline is")
def test_the_wait_for_a_steps_first_batch_is_no_execution(record, target, write):
    """The step of `fit` fetches its batch within its graph. Seen for what Python makes and for what TensorFlow does; a batch that is
    at hand takes no time; where the pipeline keeps no counts it is not asked, for TensorFlow would warn; the executions are rid of it."""
    ran = record([target, write("fits.py", """
import sys, time, numpy as np, tensorflow as tf
x, y = np.ones((4, 4), "float32"), np.ones((4, 1), "float32")
def slow(part):
    time.sleep(1)
    return part
def generator():
    time.sleep(1)
    yield x, y
@tf.function
def busy(part):
    large, end = tf.ones((400, 400)), tf.timestamp() + 1
    while tf.timestamp() < end:
        large = tf.linalg.matmul(large, large) * 1e-3
    return part + 0 * large[0, 0]
def uncounted(data):
    options = tf.data.Options()
    options.autotune.enabled = False
    return data.with_options(options)
at_hand = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
signature = tf.TensorSpec((4, 4)), tf.TensorSpec((4, 1))
for data in (at_hand.map(lambda a, b: (tf.ensure_shape(tf.py_function(slow, [a], tf.float32), (4, 4)), b)),
             tf.data.Dataset.from_generator(generator, output_signature=signature),
             at_hand.map(lambda a, b: (busy(a), b), num_parallel_calls=2).prefetch(1), at_hand, uncounted(at_hand)):
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse", jit_compile=False)
    model.fit(data, verbose=0)
    print(time.monotonic_ns(), flush=True)
""")], "--until", "exit")
    assert ran.code == 0 and b"analytical model" not in ran.err and b"NOT_FOUND" not in ran.err, ran.err.decode()[-2000:]
    process = ran.trace.processes[0]
    assert not process.errors
    ends = [int(line) for line in ran.out.split()]
    steps = [span for span in of_kind(process, "first-execution") if "multi_step" in span.name or "one_step_on_iterator" in span.name]
    waits = of_kind(process, "data-first-element")
    fits = [[one for one in waits if begin < one.start < end] for begin, end in zip([0, *ends], ends)]
    assert [len(found) for found in fits] == [1, 1, 1, 1, 0], fits
    seconds = [(found[0].end - found[0].start) * 1e-9 for found in fits[:4]]
    assert all(0.7 < each < 2 for each in seconds[:3]) and seconds[3] < 0.2, seconds
    worked = [max((ns for name, ns in found[0].labels.get("worked", ()) if "Map" in name), default=0) * 1e-9 for found in fits[:4]]
    assert worked[0] > 0.7 and worked[2] > 0.7 and worked[3] < 0.2, worked
    called = [{stack[-1].function for at, stack in process.called if found[0].start < at < found[0].end} for found in fits[:4]]
    assert called == [{"slow"}, {"generator"}, set(), set()]
    assert [at for at, _ in process.worked] == sorted({at for at, _ in process.called})  # what all threads have worked by then
    made = {span.labels["iterator"] for span in of_kind(process, "data-iterator")}
    assert {one.labels["iterator"] for one in waits} <= made
    assert all(any(step.start <= one.start and one.end <= step.end for step in steps) for one in waits)
