"""Which errors of a proof's trace tell of the program, and which of the child that makes it."""

import errno

import pytest

from firststep_agent.boost.cache_functions.proof import own_errors


class ResourceExhaustedError(Exception):
    """As TensorFlow has one."""


def raised_from(cause):
    try:
        try:
            raise cause
        except type(cause):
            raise ValueError("of it")  # noqa: B904  # the context is what counts
    except ValueError as error:
        return error


CHILDS = [OSError(errno.EPERM, "refused"), PermissionError(errno.EACCES, "refused"), OSError(errno.EBADF, "closed"), MemoryError(),
          RuntimeError("can't start new thread"), ResourceExhaustedError("memory")]
PROGRAMS = [ValueError("shape"), FileNotFoundError(errno.ENOENT, "none"), OSError("could not get source code"), TypeError("no bool"),
            RuntimeError("of the program")]


@pytest.mark.parametrize("error", CHILDS, ids=repr)
def test_what_the_child_may_not_do_shows_nothing(error):
    assert own_errors.may_be_of_child(error) and own_errors.may_be_of_child(raised_from(error))


@pytest.mark.parametrize("error", PROGRAMS, ids=repr)
def test_all_else_the_program_would_raise_as_well(error):
    assert not own_errors.may_be_of_child(error) and not own_errors.may_be_of_child(raised_from(error))


def test_errors_that_lead_to_each_other_come_to_an_end():
    one, other = ValueError(), TypeError()
    one.__context__, other.__cause__ = other, one
    assert not own_errors.may_be_of_child(one)
