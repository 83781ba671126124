"""What a build has put somewhere is told from what was there before it, and from what the trace puts there after it."""

from types import SimpleNamespace

import pytest

from firststep_agent.boost.cache_functions.reads.built import Built


def states(*objects):
    return {id(each): (each, dict(vars(each))) for each in objects}


@pytest.fixture
def model():
    return SimpleNamespace(name="before", built=False, gone=1)


def built(model, **sets):
    found, before = Built(), states(model)
    vars(model).update(sets)
    del model.gone
    found.attributes(before, states(model))
    return found


def test_only_what_a_build_has_set_is_its_own(model):
    found = built(model, built=True)
    assert found.is_as_left(model, ".built", [True]) and found.is_as_left(model, ".gone", [])
    assert not found.is_as_left(model, ".name", ["before"])
    assert not found.is_as_left(SimpleNamespace(built=True), ".built", [True])


def test_what_is_set_again_is_the_traces(model):
    found = built(model, built=[1])
    assert not found.is_as_left(model, ".built", [[1]])
    assert not found.is_as_left(model, ".built", [])
    assert found.left(model, ".built") == [[1]] and found.left(model, ".name") is None


def test_containers_count_by_what_they_hold():
    filled, kept, tags = [1], {"a": 2}, {3}
    before = {id(each): (each, type(each)(each)) for each in (filled, kept, tags)}
    filled.append(4)
    tags.add(5)
    found = Built()
    found.contents(before, {id(each): (each, type(each)(each)) for each in (filled, kept, tags)})
    assert found.is_as_left(filled, "items", [[(None, 1), (None, 4)]])
    assert not found.is_as_left(filled, "items", [[(None, 1), (None, 4), (None, 6)]])
    assert not found.is_as_left(kept, "entries", [[("a", 2)]])


def alone(found, known=()):
    return [(made, held, place) for made, held, place in found.made({id(each) for each in known})]


def test_what_is_made_is_told_as_builds_alone_leave_it(model):
    found, inner, outer = Built(), SimpleNamespace(called=False), SimpleNamespace()
    before = states(outer)
    outer.inner = inner
    found.attributes(before, states(outer, inner))
    inner.called, inner.name = True, "set by the trace"
    before = states(model, inner)
    inner.built, inner.name = True, "built"
    found.attributes(before, states(model, inner))
    assert alone(found, [outer, model]) == [(inner, {"called": False, "built": True, "name": "built"}, (0, 1))]
    assert alone(found, [outer, model, inner]) == []
