"""Which modules and classes a proof looks at beside those that are imported under their names."""

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
