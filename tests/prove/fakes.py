"""Runs that were never made: a machine that answers as it is told."""

import random
from dataclasses import replace

from firststep.prove.run import ComparedRun, Digest, Side

LOSSES = Digest("history", "fit", "d1", 2, values=((0, {"loss": 2.5}), (1, {"loss": 2.25})))
WEIGHTS = Digest("weights", "variables", "w1", 2, values=(("kernel:0", "", "a"), ("bias:0", "", "b")))
PYTHON = Digest("stream", "Python", "p1", position=624)


def a_run(side, purpose, ready=1.0, later=1.0, **fields):
    """Ready after `ready` seconds (None: never), each later moment `later` seconds after the one before."""
    began = ready or 0.0
    usual = {
        "exit_code": 0, "ready": ready, "ready_by": "train", "step20": began + later, "exit": began + 2 * later,
        "step": later / 20, "memory": 500_000_000, "cpu": began + later, "steps": 20,
        "results": (LOSSES, WEIGHTS, PYTHON), "live": ("import-image",) if side is Side.TREATED else (),
    }
    return ComparedRun(side=side, purpose=purpose, **{**usual, **fields})


class Machine:
    """run_once for an experiment: each side's runs as its function of the run's number makes them."""

    def __init__(self, plain=None, treated=None):
        self._of = {Side.PLAIN: plain or {}, Side.TREATED: treated or {}}
        self.made = []

    def run_once(self, side, purpose, how):
        self.made.append((side, purpose, how))
        told = self._of[side]
        fields = told(len(self.made), purpose, how) if callable(told) else dict(told)
        scatter = 1 + 0.004 * (len(self.made) * 7 % 5 - 2)
        run = a_run(side, purpose, **fields)
        return replace(run, **{name: value * scatter for name in ("ready", "step20", "exit", "step")
                               if (value := getattr(run, name)) is not None})


def wild(number, purpose, how):
    """Fields of a side whose time says nothing."""
    return {"ready": random.Random(number).lognormvariate(0, 1)}


def uneven(number, purpose, how):
    """Fields of a side whose time says little."""
    return {"ready": random.Random(number).lognormvariate(0, 0.15)}
