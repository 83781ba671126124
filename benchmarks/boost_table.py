"""What boost gains, by `prove`: time to first step plain and boosted, what of the saving is there later, equal results."""

import contextlib
from dataclasses import dataclass

from bare_environment import bare_environment
from harness import Row, Table, between, program
from proving import Case, compare, own_cache

from firststep.prove.run import LATER_STEP

PRINTED = "line:^TensorFlow"  # `import tensorflow` has no step: it is ready when the program's next line has run
WITHOUT_FUNCTIONS = ("cache-functions",)
BY_CONTENT = ("cache-functions.replay=false",)  # `--no-replay`
HEADING = ["asked for", "plain", "learning", "boosted", "plain / boosted", "of the saving there at step 20", "at exit",
           "one step, plain / boosted", "results", "live"]
ABOUT = ("Time from spawn to ready, judged by `firststep prove`. *Learning*: the one run that found the cache empty. *At step 20*, *at "
         "exit*: the share of the seconds saved at ready that are still saved there. *One step*: the median of steps 2 to 20. Each "
         "answer of the function cache is proved by a real trace beside the program, which begins when the first step has ended; "
         "the program's end waits for it.")


@dataclass(frozen=True)
class Program:
    """bare: in a read-only environment without bytecode. Further fields as of Case."""

    name: str
    goal: str
    arguments: tuple = ()
    without: tuple = ()
    settings: tuple = ()
    until: str = "first-step"
    cold: bool = False
    bare: bool = False
    compare_output: bool = False

    def measure(self, pairs):
        where = bare_environment() if self.bare else contextlib.nullcontext()
        with where as python, own_cache() as cache:
            command = program(self.name, *self.arguments)
            if python:
                command[0] = python
            case = Case(command, self.until, self.without, self.settings, cold=self.cold, compare_output=self.compare_output)
            return cells(self.goal, compare(case, pairs, cache))


def cells(goal, found):
    """One row of the table, after its title."""
    ready, step = found.effect("ready"), found.effect("one step")
    times = (f"{seconds:.2f} s" for seconds in (ready.plain, found.learning, ready.treated))
    return [goal, *times, between(ready.ratio), found.kept(f"step {LATER_STEP}"),
            found.kept("exit"), between(step.ratio) if step else "–", found.results(), ", ".join(found.live) or "none"]


def row(pairs, before_s, pair_s, *words, **options):
    return Row(Program(*words, **options).measure, pairs, before_s, pair_s)


# Of five pairs the trimmed mean keeps three, and its interval is wider than that of four: 4, 6 or 8.
TABLE = Table("boost", "Time to first step, plain and boosted", HEADING, {
    "import tensorflow": row(12, 8, 5, "import_tensorflow", "≥ 1.6", until=PRINTED),
    "MLP fit, functions not cached": row(6, 11, 6, "keras_mlp", "≥ 1.5", without=WITHOUT_FUNCTIONS),
    "ResNet50 fit, functions not cached": row(6, 50, 28, "resnet50", "≥ 2.0", without=WITHOUT_FUNCTIONS),
    "EfficientNetB0 fit, functions not cached": row(4, 55, 30, "efficientnetb0", "≥ 2.0", without=WITHOUT_FUNCTIONS),
    "MLP fit, functions not cached, page cache dropped": row(5, 11, 10, "keras_mlp", "≥ 1.5", without=WITHOUT_FUNCTIONS, cold=True),
    "import tensorflow, site-packages read-only and without bytecode": row(
        4, 20, 8, "import_tensorflow", "≥ 3", until=PRINTED, bare=True),
    "all its own computation": row(8, 6, 4, "own_computation", "≥ 0.98", until="exit", compare_output=True),
    "ResNet50 fit, by content alone": row(4, 55, 32, "resnet50", "≥ 4", settings=BY_CONTENT),
    "text transformer fit, by content alone": row(4, 33, 15, "text_transformer", "≥ 2.5", settings=BY_CONTENT),
    "ResNet50 fit": row(8, 55, 32, "resnet50", "≥ 7"),
    "EfficientNetB0 fit": row(6, 60, 32, "efficientnetb0", "≥ 7"),
    "text transformer fit": row(6, 33, 15, "text_transformer", "≥ 4"),
    "raw tf.function loop": row(8, 12, 6, "raw_function_loop", "≥ 2.3"),
    "bidirectional LSTM fit": row(6, 20, 10, "bidirectional_lstm", "≥ 3"),
    "GAN with custom train_step": row(6, 16, 9, "gan", "≥ 2.5"),
    "MLP fit": row(6, 11, 6, "keras_mlp", "≥ 2.2"),
    "JPEG pipeline and fit": row(6, 11, 6, "image_pipeline", "not asked"),
    "load_model and predict, ResNet50": row(4, 45, 25, "load_and_predict_resnet", "≥ 1.6"),
    "SavedModel and first request, ResNet50": row(4, 30, 20, "serve_saved_model_resnet", "not asked"),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
