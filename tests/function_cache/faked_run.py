"""As much of the agent's Run as the function cache uses; needs nothing but firststep_agent to be importable."""

import gc
import json
import os

from firststep_agent.frameworks.ways import Ways
from firststep_agent.imports import Imports


class Run(Ways):
    """What it is told is in `notes` and `training`, and at the end in the file `told`."""

    def __init__(self, cache, told=None):
        Ways.__init__(self)
        self._told = told
        self.cache, self.plan, self.recorder = cache, {}, self
        self.notes, self.training, self.callbacks = [], [], {"ready": [], "exit": [], "fork": []}
        self.imports = Imports(self)
        self._know_fork_handlers()

    def _know_fork_handlers(self):
        handler = self.after_fork_in_child
        os.register_at_fork(after_in_child=handler)
        self.fork_handlers = next(each for each in gc.get_referrers(handler) if type(each) is list)

    def after_fork_in_child(self):
        for callback in self.callbacks["fork"]:
            callback()

    def record(self, *items):
        self.notes.append(["failed", {"reason": " ".join(map(str, items))}])

    def before_import(self, name, callback):
        self.imports.before(name, callback)

    def after_import(self, name, callback):
        self.imports.after(name, callback)

    def on_ready(self, callback):
        self.callbacks["ready"].append(callback)

    def on_exit(self, callback):
        self.callbacks["exit"].append(callback)

    def on_fork(self, callback):
        self.callbacks["fork"].append(callback)

    def on_training(self, callback):
        pass

    def note(self, remedy, what, **labels):
        self.notes.append([what, labels])

    def on_model(self, callback):
        pass

    def mark_model(self):
        pass

    def mark_training(self, name):
        self.training.append(name)

    def failed(self, where, error, callback=None):
        self.notes.append(["failed", {"reason": f"{where}: {type(error).__name__}: {error}"}])

    def finish(self, how):
        for callback in self.callbacks["exit"]:
            callback()
        self.callbacks["exit"] = []
        if self._told is not None:
            with open(self._told, "w") as file:
                json.dump({"notes": self.notes, "training": self.training}, file)
