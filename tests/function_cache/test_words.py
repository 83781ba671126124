"""Objects in words: the expression that a user would write."""

from firststep_agent.boost.objects import walk, words
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
