"""Objects in words: the expression that a user would write."""

import sys

from firststep_agent.boost.objects import walk, words
from firststep_agent.boost.objects.parts.containers import entries
from firststep_agent.boost.objects.reading import Reading


class Trainer:
    def __init__(self):
        self.settings = {"rate": 0.1, "clip": [1.0], 3: None}


def test_a_dictionarys_value_is_named_by_its_key():
    found = walk.walk([("global trainer", Trainer())], Reading())
    number = next(i for i, value in enumerate(found.objects) if type(value) is dict)
    said = [words.holder(found, number, f"@{index}") for index in range(3)]
    assert said == [("object `Trainer`", f"self.settings[{key!r}]") for key in ("rate", "clip", 3)]
    within = next(i for i, value in enumerate(found.objects) if type(value) is list)
    assert words.holder(found, within, "#0") == ("object `Trainer`", "self.settings['clip'][0]")


def test_a_module_is_named_that_a_walk_has_counted():
    names = [name for name, _ in entries(sys.modules)]
    assert len(names) < len(sys.modules)  # less our own
    found = walk.walk([("global modules", sys.modules)], Reading(), lambda value: ("modules", (), None))
    assert words.holder(found, 0, f"@{len(names) - 1}")[1].endswith(f"[{names[-1]!r}]")


def act(x):
    return x


class Agent:
    def __init__(self, function):
        self.act = function


def test_code_that_has_changed_is_called_so():
    def lines(function):
        return walk.walk([("global agent", Agent(function))], Reading())

    def other(x):
        return x + 1

    before = lines(act).lines
    assert "it was fn" in words.difference(lines(other), before)
    other.__qualname__ = "act"
    assert words.difference(lines(other), before) == "object `Agent`: the code of `self.act` has changed"
    before = walk.walk([("func", act)], Reading()).lines
    assert words.difference(walk.walk([("func", other)], Reading()), before) == "`act`: its code has changed"


def test_an_array_that_holds_other_values_is_called_so():
    import numpy

    def lines(mask):
        return walk.walk([("global agent", Agent(mask))], Reading(values={id(mask)}))

    found = lines(numpy.zeros((4, 2)))
    assert words.difference(found, lines(numpy.ones((4, 2))).lines).startswith("object `Agent`: `self.act` holds other values than it did: array ")
    assert "it was array" in words.difference(found, lines(numpy.ones((4, 3))).lines)
