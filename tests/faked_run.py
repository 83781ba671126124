"""The agent's Run without a trace, a session or an interpreter of its own; needs nothing but firststep_agent to be importable."""

import json

from firststep_agent import run
from firststep_agent.forks import Forks
from firststep_agent.frameworks.ways import Ways
from firststep_agent.imports import Imports


class Run(run.Run):
    """What it is told is in `records`, `notes`, `errors` and `training`, and at the end in the file `told`.

    What runs while the program traces is the agent's own code: a function that lies here would be taken for one of the program's.
    """

    def __init__(self, cache=None, told=None, **plan):
        Ways.__init__(self)
        self._told = told
        self.cache, self.plan, self.recorder = cache, plan, self
        self.ready_ns, self.finished = None, False
        self.records, self.notes, self.errors, self.training = [], [], [], []
        self._callbacks = {moment: [] for moment in ("ready", "exit", "fork", "forked", "training", "model")}
        self._forks = Forks()
        self.imports = Imports(self)
        self.on_training(self.training.append)

    def record(self, *items):
        self.records.append(items)

    def note(self, remedy, what, **labels):
        self.notes.append([what, labels])

    def failed(self, where, error, callback=None):
        self.errors.append((where, error))

    def after_fork_in_child(self):
        self._call("fork")

    def finish(self, how):
        self._call("exit")
        self._callbacks["exit"] = []
        if self._told is not None:
            wrong = [" ".join(map(str, items)) for items in self.records]
            wrong += [f"{where}: {type(error).__name__}: {error}" for where, error in self.errors]
            with open(self._told, "w") as file:
                json.dump({"notes": [*self.notes, *(["failed", {"reason": words}] for words in wrong)], "training": self.training}, file)
