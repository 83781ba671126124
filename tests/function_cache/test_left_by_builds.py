"""What a build has left behind is told from what was there before it: a run's own number is no part of it, whatever else is."""

import types
import uuid

import pytest

from firststep_agent.boost.cache_functions.keep import left


class Mode:
    def __init__(self, scale):
        self.scale, self.run = scale, uuid.uuid4().hex


class Built:
    """As a layer of the program's, with what it was given."""

    def __init__(self):
        self.run = uuid.uuid4().hex
        self.modes = [Mode(0.5), Mode(2.0)]
        self.given = types.SimpleNamespace(run=uuid.uuid4().hex, scale=0.5)
        self.noted = {"run": uuid.uuid4().hex, "sizes": [1.0, uuid.uuid4().hex]}
        self.loss = (Mode(1.0), uuid.uuid4().hex)
        self.within = {"deep": [(Mode(1.0), uuid.uuid4().hex), (Mode(1.0), uuid.uuid4().hex)]}


ELSEWHERE = Mode(0.5), Mode(0.5), Mode(2.0)


def first(one):
    one.mode = one.modes[0]


def second(one):
    one.mode = one.modes[1]


def sets_on_it(one):
    one.mode = one.modes[0]
    one.modes[0].scale = 4.0


def sets_in_a_list(one):
    one.mode = one.modes[0]
    one.noted["sizes"][0] = 3.0


def sets_an_item(one):
    one.mode = one.modes[0]
    one.noted["more"] = 1.0


def turns_round(one):
    one.mode = one.modes[0]
    one.modes.reverse()


def sets_on_what_was_given(one):
    one.mode = one.modes[0]
    one.given.scale = 1.0


def takes_all(one):
    one.mode = one.modes[0]
    one.all = [one, one.modes, one.given, one.noted, one.loss]


def takes_others(one):
    one.mode = one.modes[0]
    one.all = [one, one.modes, one.given, one.noted, one.loss[:1]]


def takes_a_pair(one):
    one.mode = one.within["deep"][0]


def takes_the_other_pair(one):
    one.mode = one.within["deep"][1]


def from_elsewhere(one):
    one.mode = ELSEWHERE[0]


def otherwise_from_elsewhere(one):
    one.mode = ELSEWHERE[2]


def makes(one):
    one.mode = Mode(0.5)
    one.mode.run = "given"


def makes_otherwise(one):
    one.mode = Mode(0.25)
    one.mode.run = "given"


KINDS = (first, second, sets_on_it, sets_in_a_list, sets_an_item, turns_round, sets_on_what_was_given, takes_all, takes_others,
         takes_a_pair, takes_the_other_pair,
         from_elsewhere, otherwise_from_elsewhere, makes, makes_otherwise)


def left_by(build):
    target = Built()
    before = left.Unbuilt(target)
    build(target)
    return before.digest([])


@pytest.mark.parametrize("build", KINDS)
def test_what_is_built_likewise_is_equal_in_each_start(build):
    assert left_by(build) == left_by(build)


def test_what_is_built_otherwise_is_told():
    assert len({left_by(build) for build in KINDS}) == len(KINDS)
