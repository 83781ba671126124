"""What boost gains: time to first step, plain and boosted in turn, with a cache of its own that has learned."""

import argparse
import os
import tempfile
from pathlib import Path

from harness import interleaved, program, ratio, table, write_section

from firststep.boost.compose import boost_plan
from firststep.boost.outcome import outcome_of
from firststep.launch.session import Session
from firststep.launch.until import parse_until
from firststep.model.plan import OBSERVE_READY, Plan
from firststep.model.read_trace import parse_trace

FIRST_STEP, PRINTED, EXIT = "first-step", "line:^TensorFlow", "exit"
WITHOUT_FUNCTIONS = ("cache-functions",)
NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": "/nonexistent/firststep"}
ROWS = {  # title -> (program, arguments, until, remedies left out, environment, page cache dropped)
    "import tensorflow": ("import_tensorflow", (), PRINTED, (), {}, False),
    "MLP fit": ("keras_mlp", (), FIRST_STEP, WITHOUT_FUNCTIONS, {}, False),
    "ResNet50 fit": ("resnet50", ("--steps", 2), FIRST_STEP, WITHOUT_FUNCTIONS, {}, False),
    "EfficientNetB0 fit": ("efficientnetb0", ("--steps", 2), FIRST_STEP, WITHOUT_FUNCTIONS, {}, False),
    "ResNet50 fit, functions cached": ("resnet50", ("--steps", 2), FIRST_STEP, (), {}, False),
    "EfficientNetB0 fit, functions cached": ("efficientnetb0", ("--steps", 2), FIRST_STEP, (), {}, False),
    "text transformer, functions cached": ("text_transformer", (), FIRST_STEP, (), {}, False),
    "raw tf.function loop, functions cached": ("raw_function_loop", (), FIRST_STEP, (), {}, False),
    "bidirectional LSTM, functions cached": ("bidirectional_lstm", (), FIRST_STEP, (), {}, False),
    "GAN, functions cached": ("gan", (), FIRST_STEP, (), {}, False),
    "MLP fit, functions cached": ("keras_mlp", (), FIRST_STEP, (), {}, False),
    "load and predict ResNet50, functions cached": ("load_and_predict_resnet", (), FIRST_STEP, (), {}, False),
    "MLP fit, page cache dropped": ("keras_mlp", (), FIRST_STEP, WITHOUT_FUNCTIONS, {}, True),
    "import tensorflow, no bytecode": ("import_tensorflow", (), PRINTED, (), NO_BYTECODE, False),
    "its own computation": ("own_computation", (), EXIT, (), {}, False),
}
LEARNING_RUNS = 3  # the third lets what the second learned of the first settle


def drop_page_cache():
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3")


class Start:
    """Starts one row's program under one plan; seconds to ready, and the boosted outcome's live remedies."""

    def __init__(self, command, plan, environment, cold):
        self._command, self._plan, self._cold = command, plan, cold
        self._environment = {**os.environ, **environment}
        self.live = ()

    def __call__(self):
        if self._cold:
            drop_page_cache()
        ended = Session(self._command, self._plan, environment=self._environment, stdout=-3, stderr=-3).run()
        outcome = outcome_of(parse_trace(ended.trace))
        self.live = outcome.live
        return outcome.ttfs_ns / 1e9


def measure(title, pairs):
    name, arguments, until, without, environment, cold = ROWS[title]
    command = program(name, *arguments)
    boosted_plan = boost_plan(parse_until(until), without)
    plain = Start(command, Plan(until=parse_until(until), observe=OBSERVE_READY), environment, cold)
    boosted = Start(command, boosted_plan, environment, cold)
    for _ in range(LEARNING_RUNS):
        boosted()
    ones, others = interleaved(plain, boosted, pairs)
    gained = ratio(ones, others)
    middle = [sorted(times)[len(times) // 2] for times in (ones, others)]
    return [title, f"{middle[0]:.2f} s", f"{middle[1]:.2f} s", f"{gained.mid:.2f}",
            f"{gained.low:.2f}–{gained.high:.2f}", ", ".join(boosted.live), pairs]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("titles", nargs="*", default=[])
    options = parser.parse_args()
    titles = options.titles or [title for title, row in ROWS.items() if not row[-1] or os.geteuid() == 0]
    with tempfile.TemporaryDirectory() as cache:
        os.environ["FIRSTSTEP_CACHE"] = os.path.join(cache, "cache")
        rows = [measure(title, options.pairs) for title in titles]
    heading = ["program", "plain", "boosted", "plain / boosted", "95% interval", "live", "pairs"]
    write_section("boost", "Time to first step, plain and boosted", [*table(heading, rows)])


if __name__ == "__main__":
    main()
