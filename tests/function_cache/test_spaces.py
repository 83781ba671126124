"""Which modules and classes a proof looks at beside those that are imported under their names."""

import sys
import threading
import types

import pytest
from firststep_agent.boost.cache_functions.proof import spaces
from firststep_agent.boost.cache_functions.proof.tracked import Tracked


def library_module(name):
    module = types.ModuleType(name)
    module.__file__ = pytest.__file__
    return module


def failed_import():
    """The error of an import that left its module in a frame, as TensorFlow's do that try one name after the other."""
    module = library_module("pytest.left_over")
    try:
        raise ImportError("another name is tried", id(module))
    except ImportError as error:
        return error


def test_a_module_that_only_an_ended_frame_holds_is_not_looked_at():
    error = failed_import()
    kept = {"module": library_module("pytest.kept")}
    found = spaces.now(Tracked())
    assert id(kept["module"]) in found
    assert error.args[1] not in found


@pytest.mark.parametrize("made, counts", [([], False), ({}, False), (None, False), ([1], True), (0, True)])
def test_what_a_framework_makes_empty_in_a_thread_is_as_if_it_were_not_there(monkeypatch, made, counts):
    """A trace asks a thread-local for its stack, which is made then; the other of two forks has not asked."""
    module = library_module("pytest.of_threads")
    module.local = threading.local()
    monkeypatch.setitem(sys.modules, "pytest.of_threads", module)
    before = dict(spaces.of_modules(["pytest.of_threads"]))
    module.local.stack = made
    assert (dict(spaces.of_modules(["pytest.of_threads"])) != before) is counts
