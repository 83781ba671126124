"""An error in a callback of ours: an event in the trace, and where the callback is a remedy's, what that remedy says as well."""

import types

import pytest

from firststep_agent.run import Run


class Watched(Run):
    """As much of a Run as writes errors down."""

    def __init__(self, *remedies):
        self.plan = {"boost": dict.fromkeys(remedies, {})}
        self.records, self.recorder = [], self

    def record(self, *items):
        self.records.append(items)

    @property
    def said(self):
        return [(kind, items[1]) for kind, *items in self.records]


def callback_of(module):
    return types.FunctionType((lambda: 1 / 0).__code__, {"__name__": module})


@pytest.mark.parametrize("module,remedy", [
    ("firststep_agent.boost.cache_functions", "cache-functions"),
    ("firststep_agent.boost.cache_functions.learn.writing", "cache-functions"),
    ("firststep_agent.boost.overlap", None),  # not in this plan
    ("firststep_agent.boost.traces.initialise", None),  # a room that remedies share
    ("firststep_agent.observe.steps", None),
    ("program.boost.cache_functions", None),
])
def test_a_remedy_says_what_went_wrong_in_its_callbacks(module, remedy):
    run = Watched("cache-functions", "prebuild-variables")
    run._callbacks = {"exit": [callback_of(module)]}
    run._call("exit")
    assert run.said == [("e", "exit")] + ([("r", remedy)] if remedy else [])
    assert "ZeroDivisionError" in run.records[0][-1]
