"""What the learning run costs: each boosted run starts with an empty cache. Judged by the machinery of `firststep prove`."""

from harness import Row, Table, between, program
from proving import Case, compare, own_cache

from firststep.prove.statistics import Ratio

WITHOUT_FUNCTIONS = ("cache-functions",)
HEADING = ["asked for", "plain", "learning", "learning / plain at ready", "at exit", "results"]
ABOUT = ("*Results*: whether a learning run computes what the plain one does. Of the slower programs, the table of boost's times has one "
         "learning run each.")


def inverse(ratio):
    """learning / plain from plain / learning."""
    return Ratio(1 / ratio.mid, 1 / ratio.high, 1 / ratio.low if ratio.low else float("inf"))


def row(pairs, before_s, pair_s, name, goal, **options):
    def measure(pairs):
        with own_cache() as cache:
            found = compare(Case(program(name), learning=True, **options), pairs, cache)
        ready, end = found.effect("ready"), found.effect("exit")
        return [goal, f"{ready.plain:.2f} s", f"{ready.treated:.2f} s", between(inverse(ready.ratio)),
                between(inverse(end.ratio)), found.results()]

    return Row(measure, pairs, before_s, pair_s)


TABLE = Table("learning-run", "The learning run", HEADING, {
    "import tensorflow": row(6, 6, 6.5, "import_tensorflow", "≤ 1.1", until="line:^TensorFlow"),
    "MLP fit, functions not cached": row(5, 8, 8, "keras_mlp", "≤ 1.1", without=WITHOUT_FUNCTIONS),
    "MLP fit": row(5, 8, 8, "keras_mlp", "≤ 1.25"),
    "raw tf.function loop": row(5, 8, 8, "raw_function_loop", "≤ 1.25"),
    "GAN with custom train_step": row(5, 10, 10, "gan", "≤ 1.25"),
    "bidirectional LSTM fit": row(5, 12, 12, "bidirectional_lstm", "≤ 1.25"),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
