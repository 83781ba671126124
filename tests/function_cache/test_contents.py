"""What stands in containers, told so that two forks of one process can be compared."""

import pytest

from firststep_agent.boost.cache_functions.proof.contents import digest, items


def itself_often():
    registry = {}
    registry.update({name: {"of": registry, "name": name} for name in range(1000)})
    return registry


def shared():
    one = [1, 2]
    return [one, {"a": one}, (one, one)]


def deep():
    return [[[[[[[["down here"]]]]]]]]


def tuples():
    one = (1, (2, 3))
    return {one, (one, 4), "a"}


@pytest.mark.parametrize("make", [itself_often, shared, deep, tuples])
def test_equal_containers_are_told_alike_wherever_they_lie(make):
    held, told = make(), items(make())
    assert items(held) == told and hash(told) == hash(items(held))


@pytest.mark.parametrize("make, change", [
    (itself_often, lambda made: made[700].update(name="another")),
    (itself_often, lambda made: made[700].update(of=made[3])),
    (shared, lambda made: made[0].append(3)),
    (shared, lambda made: made.__setitem__(0, [1, 2, 3])),
    (deep, lambda made: made[0][0][0][0][0][0][0].append("more")),
    (tuples, lambda made: made.add((1, (2, 4))))])
def test_a_change_is_told(make, change):
    made = make()
    before = items(made)
    change(made)
    assert items(made) != before


OBJECT = object()


@pytest.mark.parametrize("one, other", [
    (-1, -2), (1, True), (1, 1.0), (0.0, -0.0), (0, ""), (2, 2 + (1 << 61) - 1), ("a", b"a"), ("", b""), ([1], (1,)), ([1], {1}),
    ({1}, frozenset([1])), pytest.param(OBJECT, id(OBJECT), id="an object and its address"), ((1, 1), ((1,), (1,))), ({1: 2}, [(1,), (2,)]), ([[]], "again 0")])
def test_what_pythons_hash_takes_for_the_same_has_another_digest(one, other):
    assert digest(items([one])) != digest(items([other]))
    assert digest(items({"held": one})) != digest(items({"held": other}))
    assert digest(items({(one,)})) != digest(items({(other,)})) if one.__hash__ and other.__hash__ else True


def test_a_set_is_told_in_no_order():
    one, other = (1, (2,)), (3, (4,))
    assert items([{one, other}]) == items([{other, one}])
