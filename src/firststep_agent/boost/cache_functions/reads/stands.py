"""Where TensorFlow is listened to while a trace is watched, and only then: in the walks over the program's objects before and after it,
and in a child that traces again, its functions are its own."""

import sys

from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.reads import executed
from firststep_agent.boost.cache_functions.reads.watch import values
from firststep_agent.frameworks.points import points_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.frameworks.points import Point
    from firststep_agent.frameworks.standing import Listening

_ADDS = "tensorflow.python.framework.op_def_library", "_apply_op_helper"


class Unheard(Exception):
    """What stands where a trace is listened to cannot be listened to."""


class Stands:
    """Those of one run. A context manager; `scope` is its While (frameworks/door.py)."""

    def __init__(self, run: "Any") -> None:
        self.scope, _ = run.door.scope("watched trace")
        self._needed: dict[Point, Listening | None] = {}  # Point -> the Listening there, None before there is one
        for module, attribute, listener in values.LISTENERS:
            (point,) = points_at("tensorflow", module, attribute)
            run.wrap(point, listener, ID, until=self.scope, installed=self.needs(point), overridden=True)
        (adds,) = points_at("tensorflow", *_ADDS)
        run.put(adds, executed.pausing, ID, until=self.scope)

    def needs(self, point: "Point") -> "Callable[[Any, Listening], None]":
        """Nothing is known of a trace unless who listens at `point` hears of it. What the door is to call when it stands there."""
        self._needed[point] = None
        return lambda plain, listening: self._needed.update({point: listening})

    def __enter__(self) -> None:
        self.scope.__enter__()

    def __exit__(self, *error: object) -> None:
        self.scope.__exit__()

    def check(self) -> None:
        """Raises Unheard where one that is needed does not stand, while this is open."""
        for point, listening in self._needed.items():
            if point.module in sys.modules and (listening is None or not listening.place.stands):
                raise Unheard(f"{point.name}, or what a class below has of that name, is none of TensorFlow's functions")
