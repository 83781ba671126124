"""What a proof counts of objects that do something when they go."""

import pytest
from firststep_agent.boost.cache_functions.proof import finalisers

pytestmark = pytest.mark.usefixtures("without_the_collector")


class Says:
    def __del__(self):
        pass


def counted(name):
    return dict(finalisers.now()).get(name, 0)


def test_an_object_in_a_cycle_is_counted():
    name = f"{Says.__module__}.{Says.__qualname__}"
    before, one = counted(name), Says()
    one.itself = one
    del one
    assert counted(name) == before + 1


def test_a_generator_of_a_library_tells_nothing(monkeypatch):
    """One child may have it alone."""
    kept = (number for number in range(3))
    monkeypatch.setattr(finalisers, "is_programs_generator", lambda value: False)
    assert "generator" not in dict(finalisers.now())
    monkeypatch.setattr(finalisers, "is_programs_generator", lambda value: value is kept)
    assert ("generator", 1) in finalisers.now()
