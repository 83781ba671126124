"""In what surroundings a trace is made: what of the process, besides objects of the program's, could give it another course.

A trace that is put off is made in those of then. Compared in starts that learn and confirm, where a function is used so that an answer
would have to make its trace.
"""

import sys

from firststep_agent.boost.cache_functions.reads import whole
from firststep_agent.pythons_own import pythons_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def now() -> "list[Any]":
    """To be compared with another of the same process."""
    return [*whole.process(), sys.path[:], sys.getrecursionlimit(), _numpy(), limits()]


def _numpy() -> "tuple[Any, ...] | None":
    numpy = sys.modules.get("numpy")
    return None if numpy is None else (numpy.geterr(), numpy.geterrcall(), numpy.getbufsize(), numpy.get_printoptions())


def limits() -> "list[tuple[int, int]]":
    """The process's, all of them."""
    resource = pythons_own("resource")
    return [resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")]
