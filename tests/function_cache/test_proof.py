"""Answers that are proved, disproved and not proved, in real TensorFlow processes."""

import os
import textwrap
from dataclasses import replace
from types import SimpleNamespace
from pathlib import Path

import pytest

from programs import TARGET, has_keras_2
from replay_harness import check_same, lab, set_trust  # noqa: F401

from firststep.launch.session import Session
from firststep.model.plan import OBSERVE_READY, Plan, Until
from firststep.model.read_trace import parse_trace
from firststep_agent.boost.cache_functions.keep import entries
from firststep_agent.boost.cache_functions.proof import watch
from firststep_agent.boost.cache_functions.proof.letter import Letter

pytestmark = pytest.mark.tensorflow

SIMPLE = textwrap.dedent("""
    import tensorflow as tf
    v = tf.Variable(3.)

    @tf.function
    def f(x):
        return v * x

    print([float(f(tf.constant(float(x)))) for x in range(4)], flush=True)
""")


def confirmed(laboratory):
    """(path, entry, its Trust) of the one function that a start has confirmed."""
    kept = entries.Functions(str(laboratory.cache))
    (found,) = [(path, entry, kept.trust(entry)) for path in laboratory.entries() for entry in kept.candidates(path.parent.name)
                if kept.trust(entry).confirmed]
    return found


def tamper(laboratory, **header):
    """The one confirmed entry, with other words in its header; as trusted as before."""
    kept = entries.Functions(str(laboratory.cache))
    path, entry, trust = confirmed(laboratory)
    entry.header = replace(entry.header, **header)
    path.unlink()
    kept.write(SimpleNamespace(hex=entry.key, ingredients={}), entry)
    set_trust(kept, entry, trust)
    return path.with_name(entry.name + path.suffix)


def test_an_answer_that_is_wrong_stops_the_run_and_is_never_given_again(lab):  # noqa: F811
    laboratory = lab(SIMPLE)
    plain = laboratory.plain()
    laboratory.learned()
    path = tamper(laboratory, exact="0" * 64)
    stopped = laboratory.boost(status=watch.EXIT_CODE)
    assert "stopped: `f` (program.py:" in stopped.err and ") was answered from the function cache" in stopped.err and "its graph" in stopped.err
    assert "Traceback" not in stopped.err
    assert stopped.functions("disproved") == ["f"]
    assert path.with_suffix(".bad").exists()
    after = laboratory.boost()
    assert after.out == plain.out and not after.functions("live")


def test_the_first_start_learns_the_second_confirms_the_third_answers(lab):  # noqa: F811
    laboratory = lab(SIMPLE)
    assert laboratory.boost().functions("learned") == ["f"]
    confirming = laboratory.boost()
    assert confirming.functions("confirmed") == ["f"] and not confirming.functions("live")
    answering = laboratory.boost()
    assert answering.functions("live") == answering.functions("proved") == ["f"]
    (path,) = laboratory.entries()
    kept = entries.Functions(str(laboratory.cache))
    (entry,) = kept.candidates(path.parent.name)
    trust = kept.trust(entry)
    assert trust.confirmed and trust.proved == 1 and trust.last > 0


@pytest.mark.suite
def test_what_was_shown_wrong_once_is_not_learned_in_the_next_start(lab):  # noqa: F811
    laboratory = lab(SIMPLE)
    plain = laboratory.plain()
    laboratory.learned()
    tamper(laboratory, exact="0" * 64)
    laboratory.boost(status=watch.EXIT_CODE)
    for _ in range(3):
        after = laboratory.boost()
        assert after.out == plain.out and not after.functions("live") and not after.functions("learned")
    assert "an answer was wrong" in after.reasons("refused")[0]


# A first trace makes the checkpoint's counter, which no name that is read shows; a second one finds it. A seed is another in each start.
HIDDEN = textwrap.dedent("""
    import importlib, sys, types
    import tensorflow as tf

    S = sys.modules["stash"] = types.ModuleType("stash")
    S.checkpoint, S.layer = tf.train.Checkpoint(v=tf.Variable(1.)), tf.keras.layers.Dense(2)

    def stash():
        return importlib.import_module("sta" + "sh")

    @tf.function(autograph=False)
    def f(x):
        stash().checkpoint.save_counter
        return x * 2.

    print(float(f(tf.constant(3.))), int(S.checkpoint.save_counter))
""")


@pytest.mark.suite
def test_what_differs_in_one_trace_of_a_start_is_not_answered_because_another_was_equal(lab):  # noqa: F811
    laboratory = lab(HIDDEN)
    plain = laboratory.plain()
    for _ in range(4):
        ran = laboratory.boost()
        assert ran.out == plain.out and not ran.functions("live"), ran.notes


# The same function is traced in three states that it reads, and that no part of the key shows.
MOVED = textwrap.dedent("""
    import importlib, io, logging, sys, types
    import tensorflow as tf

    S = sys.modules["stash"] = types.ModuleType("stash")
    S.logger, S.graph, S.text, S.layer = logging.getLogger("one"), tf.Graph(), io.StringIO("abcdefgh"), tf.keras.layers.Dense(2)
    S.logger.scale = S.graph.scale = 1

    def stash(name):
        return getattr(importlib.import_module("sta" + "sh"), name)

    def of_logger(x): return x * getattr(stash("logger"), "scale")
    def of_graph(x): return x * getattr(stash("graph"), "scale")
    def of_text(x): return x * stash("text").tell()

    def move():
        S.logger.scale += 1
        S.graph.scale += 1
        S.text.read(1)

    def show():
        print([float(tf.function(body, autograph=False)(tf.constant(2.))) for body in (of_logger, of_graph, of_text)])

    show(); move(); show(); move(); show()
""")


@pytest.mark.suite
def test_a_function_that_is_traced_in_several_hidden_states_stops_no_unchanged_start(lab):  # noqa: F811
    laboratory = lab(MOVED)
    plain = laboratory.plain()
    for _ in range(5):
        ran = laboratory.boost()
        assert ran.out == plain.out and not ran.functions("disproved"), ran.notes


def check_changes_before_its_proof_has_ended(laboratory):
    """The answered start of a program that changes what `f` reads once there is a file `late`."""
    plain = laboratory.plain()
    for _ in ("learned", "confirmed"):
        laboratory.boost({"proof": "after"})
    laboratory.program.with_name("late").touch()
    ran = laboratory.boost({"proof": "after"})
    assert ran.out == plain.out and ran.functions("live") == ["f"] and not ran.functions("disproved"), ran.notes
    assert any("has changed before its proof had ended" in reason for reason in ran.reasons("unproved"))


@pytest.mark.suite
def test_a_file_that_the_program_changes_after_the_trace_stops_nothing(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import os, time
        import tensorflow as tf

        def write(text):
            with open("scale.txt", "w") as file:
                file.write(text)

        @tf.function
        def f(x):
            with open("scale.txt") as file:
                return x * float(file.read())

        write("2")
        print(float(f(tf.constant(3.))))
        if "late" in os.listdir():  # until a copy of the process has traced
            write("5")
            time.sleep(8)
        print(float(f(tf.constant(3.))))
    """))
    check_changes_before_its_proof_has_ended(laboratory)


def test_a_trace_that_moves_what_it_changes_is_traced_a_second_time(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import tensorflow as tf

        tf.keras.utils.set_random_seed(0)
        model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)])  # its first call puts an Input before them

        @tf.function
        def f(x):
            return model(x)

        print(f(tf.ones([2, 2])).numpy().tolist())
    """))
    plain = laboratory.plain()
    learning = laboratory.boost()
    assert learning.out == plain.out and learning.functions("learned") == ["f"] and not learning.functions("error"), learning.notes
    laboratory.boost()
    ran = laboratory.boost()
    assert ran.out == plain.out and not ran.functions("disproved"), ran.notes
    assert ran.functions("proved") == ["f"] or has_keras_2(), ran.notes  # there, the first trace makes variables


@pytest.mark.suite
def test_an_optimizer_with_weight_decay_is_answered(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import tensorflow as tf

        tf.keras.utils.set_random_seed(0)
        model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])
        optimizer = tf.keras.optimizers.AdamW(0.1, weight_decay=0.1)
        optimizer.exclude_from_weight_decay(var_names=["bias"])

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(model(x) ** 2)
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
            return loss

        print([float(step(tf.ones([4, 3]))) for _ in range(3)], model.get_weights())
    """))
    plain = laboratory.plain()
    assert laboratory.learned().functions("confirmed") == ["step"]
    ran = laboratory.boost()
    assert ran.out == plain.out and ran.functions("proved") == ["step"], ran.notes


@pytest.mark.suite
def test_small_functions_are_not_replayed_unless_asked(lab):  # noqa: F811
    laboratory = lab(SIMPLE)
    for _ in range(3):
        ran = laboratory.boost({"replay_over_ms": 300})
        assert ran.out == laboratory.plain().out
        assert ran.notes == []
    assert laboratory.entries() == []
    laboratory.learned()
    ran = laboratory.boost({"replay_over_ms": 300})
    assert ran.out == laboratory.plain().out and not ran.functions("live"), ran.notes


def test_no_replay_is_answers_by_content_alone(lab):  # noqa: F811
    laboratory = lab(SIMPLE)
    laboratory.learned()
    ran = laboratory.boost({"replay": False})
    assert ran.out == laboratory.plain().out and not ran.functions("live")


def test_an_effect_of_tracing_is_found_by_the_second_trace(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import tensorflow as tf

        class Note:
            def __call__(self, x):
                object.__setattr__(self, "seen", tuple(x.shape))
                globals()["n" + "umber"] = 3
                return x * 2.

        note = Note()

        @tf.function
        def f(x):
            return note(x)

        f(tf.ones([2, 3]))
        print(note.seen, number)
    """))
    plain = laboratory.plain()
    for _ in range(4):
        ran = laboratory.boost()
        assert ran.out == plain.out
        assert not ran.functions("live")


def test_the_order_of_a_set_of_strings_is_never_relied_on(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import tensorflow as tf

        NAMES = {"one", "two"}

        @tf.function
        def by_global(x):
            for name in NAMES:
                x = x + 1. if name == "one" else x * 2.
            return x

        @tf.function
        def by_code(x):
            for name in {"".join(["o", "ne"]), "two"}:
                x = x + 1. if name == "one" else x * 2.
            return x

        print(sorted({float(f(tf.constant(1.))) for f in (by_global, by_code)}) != [])
    """))
    ran = laboratory.boost()
    assert ran.out == "True\n" and sum("PYTHONHASHSEED" in reason for reason in ran.reasons("refused")) == 2, ran.notes


@pytest.mark.suite
def test_a_program_that_forks_with_handlers_of_its_own_is_not_answered(lab):  # noqa: F811
    laboratory = lab("import os\nos.register_at_fork(after_in_child=lambda: print('seen'))\n" + SIMPLE)
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out and not ran.functions("live")


@pytest.mark.suite
def test_a_program_that_is_given_orphans_meets_none_of_ours(lab):  # noqa: F811
    laboratory = lab("import ctypes, os\nctypes.CDLL(None).prctl(36, 1, 0, 0, 0)\n" + SIMPLE + textwrap.dedent("""
        try:
            print(os.waitpid(-1, os.WNOHANG))
        except ChildProcessError:
            print("none")
    """))
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost({"proof": "beside"})
        assert ran.out == plain.out and not ran.functions("live")


@pytest.mark.suite
def test_the_end_of_a_child_is_not_written_down_as_the_programs(tmp_path):
    """Nor does anything else happen there that happens at the program's end: what watches processes stands in Python's own `_exit`."""
    program = tmp_path / "program.py"
    program.write_text(SIMPLE)
    (tmp_path / "cache").mkdir(mode=0o700)
    plan = Plan(until=Until("exit"), observe=OBSERVE_READY, boost={"cache-functions": {"replay_over_ms": 0, "proof": "wait"}},
                cache=str(tmp_path / "cache"))
    for noted in ("learned", "confirmed", "proved"):
        (process,) = parse_trace(Session([TARGET, str(program)], plan, timeout_s=900).run().trace).processes
        assert noted in {note.what for note in process.notes}
        assert process.errors == ()


def test_children_leave_no_trace(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import os, signal, sys, threading, time
        import tensorflow as tf

        v = tf.Variable(3.)
        opened = open("log.txt", "a")
        threads = [threading.Thread(target=time.sleep, args=(1,)) for _ in range(3)]
        [t.start() for t in threads]

        @tf.function
        def f(x):
            try:
                with open("traces.txt", "a") as file:
                    pass
                os.unlink("traces.txt")
            except OSError:
                pass
            return v * x

        print(float(f(tf.constant(2.))))
        opened.write("one line\\n")
        opened.close()
        try:
            print(os.waitpid(-1, os.WNOHANG))
        except ChildProcessError:
            print("no children")
        print(open("log.txt").read(), [n for n in sorted(os.listdir()) if n.endswith(".txt")])
        os.unlink("log.txt")
    """))
    plain = laboratory.plain()
    for _ in range(3):
        assert laboratory.boost().out == plain.out


NO_STRANGER = """
import os
import tensorflow as tf
v = tf.Variable(3.)

@tf.function
def f(x):
    for _ in range(300):
        x = tf.identity(x)
    return v * x

def children(after):
    try:
        print(after, os.waitpid(-1, os.WNOHANG))
    except ChildProcessError:
        print(after, "none")

"""


def test_no_child_is_met_when_an_answer_has_been_given(lab):  # noqa: F811
    """The process that the proof's child was forked from is gone before any line of the program's runs."""
    laboratory = lab(NO_STRANGER + "f(tf.constant(2.)); children('a call')")
    laboratory.learned()
    starts = [laboratory.boost({"proof": "after"}) for _ in range(3)]  # where no verdict comes, the next start confirms
    assert any(start.functions("live") for start in starts)
    assert all(start.out and "(" not in start.out for start in starts)


@pytest.mark.suite
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one processor")
def test_on_one_processor_everything_is_traced(lab):  # noqa: F811
    laboratory = lab("import os\nos.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})\n" + SIMPLE)
    laboratory.learned()
    ran = laboratory.boost()
    assert ran.out == laboratory.plain().out and not ran.functions("live")


@pytest.mark.parametrize("initializer, because", [
    ("tf.random_normal_initializer()", "random stream"),
    pytest.param("lambda s, dtype=None: tf.random.normal(s)", "may be another each time", marks=pytest.mark.suite)])
def test_builds_that_draw_are_left_to_the_trace(lab, initializer, because):  # noqa: F811
    laboratory = lab(textwrap.dedent(f"""
        import numpy as np
        import tensorflow as tf

        tf.keras.utils.set_random_seed(0)

        class Own(tf.keras.layers.Layer):
            def build(self, shape):
                self.w = self.add_weight(shape=(shape[-1], 4), initializer={initializer})

            def call(self, x):
                return x @ self.w

        layer, dense = Own(), tf.keras.layers.Dense(4, kernel_initializer={initializer})

        @tf.function
        def step(x):
            return tf.reduce_sum(layer(x)) + tf.reduce_sum(dense(x))

        print(float(step(tf.ones((8, 3)))), np.asarray(layer.w).tolist(), dense.get_weights()[0].tolist())
        print(tf.random.uniform([1]).numpy(), np.random.rand())
    """))
    because = "creates variables" if has_keras_2() else because
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out
        assert any(because in reason for reason in ran.reasons("refused")), ran.notes
        assert not ran.functions("error"), ran.notes


@pytest.mark.suite
def test_objects_among_the_arguments_are_captured_from_and_count(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import tensorflow as tf

        class Settings:
            def __init__(self, rate):
                self.rate = rate

        class Model(tf.Module):
            def __init__(self):
                self.weight = tf.Variable(5.)

        @tf.function
        def f(model, settings, x):
            model.weight.assign_add(x)
            return x * settings.rate * model.weight

        model = Model()
        print([float(f(model, Settings(float(open("rate.txt").read())), tf.constant(2.))), float(model.weight)])
    """))
    rate = laboratory.program.parent / "rate.txt"
    rate.write_text("3")
    plain = laboratory.plain()
    assert laboratory.learned().functions("confirmed") == ["f"]
    ran = laboratory.boost()
    assert (ran.out, ran.functions("proved")) == (plain.out, ["f"]), ran.notes
    rate.write_text("4")
    changed = laboratory.boost()
    assert changed.out == laboratory.plain().out != plain.out
    assert not changed.functions("live")


@pytest.mark.suite
def test_what_the_classes_of_containers_among_the_arguments_hold_counts(lab):  # noqa: F811
    """Classes that nothing of the function leads to, and no module holds."""
    laboratory = lab(textwrap.dedent("""
        import typing
        import tensorflow as tf

        def main(rate):
            class Pair(typing.NamedTuple):
                a: tf.Tensor
                b: tf.Tensor

            class Batch(dict):
                def rate(self):
                    return rate

            class Inner(tf.experimental.ExtensionType):
                a: tf.Tensor

            class Outer(tf.experimental.ExtensionType):
                inner: typing.Tuple[Inner, ...]

            Pair.rate = Inner.rate = rate

            @tf.function
            def pair(p):
                return p.a * p.rate

            @tf.function
            def batch(b):
                return b["a"] * b.rate()

            @tf.function
            def outer(o):
                return o.inner[0].a * o.inner[0].rate

            x = tf.constant(2.)
            print(float(pair(Pair(x, x))), float(batch(Batch(a=x))), float(outer(Outer((Inner(x),)))))

        main(float(open("rate.txt").read()))
    """))
    rate = laboratory.program.parent / "rate.txt"
    rate.write_text("3")
    laboratory.learned()
    assert laboratory.boost().functions("live") == ["pair", "batch", "outer"]
    rate.write_text("4")
    changed = laboratory.boost()
    assert changed.out == laboratory.plain().out
    assert not changed.functions("live") and len(changed.functions("learned")) == 3, changed.notes


def test_a_miss_says_what_of_the_key_no_entry_has(lab):  # noqa: F811
    laboratory = lab(SIMPLE)
    assert laboratory.boost().reasons("learned") == [None]
    laboratory.program.write_text(SIMPLE.replace("return v * x", "return v * x * 2."))
    assert laboratory.boost().reasons("learned") == ["no entry has this key: code differs from the nearest one's"]


SHARES = """
import importlib, mmap, multiprocessing, sys, types
import numpy as np, tensorflow as tf

held = sys.modules["held"] = types.ModuleType("held")
held.lock, held.array, held.region = multiprocessing.RLock(), multiprocessing.RawArray("d", 4), mmap.mmap(-1, 4096)
held.mapped = np.memmap("mapped.bin", dtype="f4", mode="w+", shape=(8,))

def find():
    return importlib.import_module("he" + "ld")  # which no filter finds

@tf.function(autograph=False)
def f(x):
    return x * 2

@tf.function(autograph=False)
def g(x):
    find().array[0] += 1
    find().mapped[0] += 1
    find().region[0] += 1
    return x

print(f(tf.ones([])).numpy(), g(tf.ones([])).numpy())
print(list(held.array), held.mapped[:2], held.region[0], held.lock)
"""


@pytest.mark.suite
def test_memory_that_the_program_shares_with_others_is_the_childs_own(lab):  # noqa: F811
    check_same(lab(SHARES), ["f"])  # with a lock of multiprocessing, as every progress bar has one


@pytest.mark.suite
def test_what_a_trace_once_contradicted_is_learned_anew_beside_what_is_another_in_each_start(lab, monkeypatch):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import os, time, types
        import tensorflow as tf

        STARTED = time.time_ns()
        held = types.SimpleNamespace(size=property(len, doc="a" * int(os.environ["LENGTH"])))

        @tf.function
        def f(x):
            return x * len(held.size.__doc__)

        print(float(f(tf.constant(3.))))
    """))
    for length in ("5", "6"):
        monkeypatch.setenv("LENGTH", length)
        plain = laboratory.plain()
        starts = [laboratory.boost() for _ in range(4)]
        assert all(ran.out == plain.out for ran in starts), [ran.notes for ran in starts]
        assert starts[-1].functions("proved") == ["f"], [ran.notes for ran in starts]


@pytest.mark.suite
def test_a_function_that_a_fresh_thread_calls_leaves_what_any_other_would(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import threading
        import tensorflow as tf

        print(tf.keras.__name__.partition(".")[0], bool(__import__("tensorflow.python.keras.backend")))

        @tf.function
        def f(x):
            return x * 2.

        def call(number):
            print(float(tf.reduce_sum(f(tf.ones([number])))))

        for number in range(1, 5):
            thread = threading.Thread(target=call, args=(number,), name="worker")
            thread.start()
            thread.join()
    """))
    plain = laboratory.plain()
    laboratory.learned()
    ran = laboratory.boost()
    assert ran.out == plain.out and ran.functions("proved") == ["f"] * 4, ran.notes


def test_what_a_trace_prints_to_a_file_in_the_place_of_stdout_is_proved(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import io, os, sys, tempfile
        import tensorflow as tf

        @tf.function
        def f(x):
            print("traced", x.shape)
            return x * 2.

        plain, sys.stdout = sys.stdout, io.TextIOWrapper(tempfile.TemporaryFile(buffering=0), write_through=True)  # as pytest does
        result = float(f(tf.constant(3.)))
        sys.stdout.seek(0)
        said, sys.stdout = sys.stdout.read(), plain
        print(result, said)
    """))
    plain = laboratory.plain()
    laboratory.learned()
    ran = laboratory.boost()
    assert ran.out == plain.out and ran.functions("proved") == ["f"], ran.notes


def test_who_writes_under_another_name_is_refused(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import sys
        import tensorflow as tf

        say = sys.stdout.write

        def made():
            tell = say

            @tf.function
            def f(x):
                tell("traced\\n")
                return x * 2.

            return f

        print(float(made()(tf.constant(3.))))
    """))
    ran = laboratory.boost()
    assert ran.out == laboratory.plain().out and "writes to a file (write)" in ran.reasons("refused")[0], ran.notes


def test_why_the_state_could_not_be_told_is_heard():
    told = Letter()
    with pytest.raises(RuntimeError, match="the state before could not be told$"):
        told.heard("before", lambda: True)
    told.tell_why_not(ValueError("no\nsuch " + "state" * 200))
    with pytest.raises(RuntimeError, match=r"could not be told \(ValueError: no such state(state)+s?t?a?t?\)$"):
        told.heard("before")
    told.tell([])
    assert told.heard("before") == []


IGNORES_CHILDREN = """
import os, signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
import tensorflow as tf

v = tf.Variable(2.0)

@tf.function
def step(x):
    return tf.sin(x * v)

print(step(tf.constant(3.0)).numpy(), signal.getsignal(signal.SIGCHLD))
"""


def test_a_program_that_ignores_its_childrens_ends_is_answered(lab):  # noqa: F811
    """The kernel takes the children of such a process itself, and so those of its copy."""
    laboratory = lab(IGNORES_CHILDREN)
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out
    assert ran.functions("live") == ["step"] == ran.functions("proved"), ran.notes


@pytest.mark.suite
def test_who_edits_the_program_while_it_runs_stops_nothing(lab):  # noqa: F811
    """AutoGraph reads the source when it traces, and the copy that proves does so later than a plain run."""
    laboratory = lab(textwrap.dedent("""
        import os, time
        import tensorflow as tf

        @tf.function
        def f(x):
            return x * 2.

        print(float(f(tf.constant(3.))))
        if "late" in os.listdir():  # until a copy of the process has traced
            with open(__file__) as file:
                text = file.read()
            with open(__file__, "w") as file:
                file.write(text.replace("x * 2.", "x * 5."))
            time.sleep(8)
        print(float(f(tf.constant(3.))))
    """))
    check_changes_before_its_proof_has_ended(laboratory)
