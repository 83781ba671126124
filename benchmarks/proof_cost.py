"""What the proof of the function cache's answers costs: memory and processor time of the children that trace beside the program."""

import os
import subprocess
import threading
import time
from pathlib import Path

from harness import Row, Table, between, middle, program, ratio
from proving import own_cache

from firststep.boost.compose import boost_plan
from firststep.launch.session import Session
from firststep.model.plan import Plan

LEARNING_RUNS = 2
EVERY_S = 0.05
HEADING = ["asked for", "peak memory, plain", "boosted / plain", "processor time, plain", "boosted / plain"]
ABOUT = ("From spawn to exit, children that prove answers included. *Memory*: the proportional set size (what processes share is counted "
         "once), looked at every 50 ms, of all processes that the start made, at its highest. *Processor time*: user and system, of the "
         "same processes, as they were last seen.")


class Watched(threading.Thread):
    """Looks at all processes of this program's process group, the children that nobody is parent of among them."""

    def __init__(self):
        super().__init__(daemon=True)
        self.peak = 0
        self._used = {}
        self._own = os.getpid()
        self._over = threading.Event()

    def run(self):
        while not self._over.wait(EVERY_S):
            self.peak = max(self.peak, sum(map(self._looked_at, self._processes())))

    def end(self):
        """Seconds of processor time of all that was seen."""
        self._over.set()
        self.join()
        return sum(self._used.values()) / os.sysconf("SC_CLK_TCK")

    def _processes(self):
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(words[2]) == os.getpgid(0) and int(name) != self._own and words[0] != "Z":
                self._used[name] = int(words[11]) + int(words[12])
                yield name

    @staticmethod
    def _looked_at(name):
        try:
            lines = Path("/proc", name, "smaps_rollup").read_text().splitlines()
        except OSError:
            return 0
        return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def cost(command, plan):
    """(peak bytes, seconds of processor time) of one start, and what comes of it."""
    watched = Watched()
    watched.start()
    try:
        ended = Session(command, plan, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run()
        if ended.exit_code:
            raise RuntimeError(f"{' '.join(command)} ended with exit code {ended.exit_code}")
        time.sleep(2 * EVERY_S)
    finally:
        used = watched.end()
    return watched.peak, used


def row(name, pairs, before_s, pair_s):
    def measure(pairs):
        if os.getpgrp() != os.getpid():
            os.setpgid(0, 0)  # what is counted is told by its process group
        with own_cache():
            plan = boost_plan()
            plain = Plan().but(until=plan.until, observe=plan.observe)
            for _ in range(LEARNING_RUNS):
                cost(program(name), plan)
            found = [(cost(program(name), plain), cost(program(name), plan)) for _ in range(pairs)]
        memory, used = ([[side[which] for side in pair] for pair in found] for which in range(2))
        cells = ["memory ≤ 1.3"]
        for values, form in ((memory, lambda v: f"{v / 2**20:.0f} MiB"), (used, lambda v: f"{v:.1f} s")):
            plains, boosts = zip(*values)
            cells += [form(middle(plains)), between(ratio(boosts, plains))]
        return cells

    return Row(measure, pairs, before_s, pair_s)


TABLE = Table("proof-cost", "What the proof costs", HEADING, {
    "ResNet50 fit": row("resnet50", 3, 50, 45),
    "text transformer fit": row("text_transformer", 3, 30, 25),
    "bidirectional LSTM fit": row("bidirectional_lstm", 3, 20, 20),
    "GAN with custom train_step": row("gan", 3, 20, 16),
    "raw tf.function loop": row("raw_function_loop", 3, 20, 12),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
