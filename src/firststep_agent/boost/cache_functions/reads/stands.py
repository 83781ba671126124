"""Where TensorFlow is listened to while a trace is watched, and only then: in the walks over the program's objects before and after it,
and in a child that traces again, its functions are its own."""

from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.reads import executed
from firststep_agent.boost.cache_functions.reads.watch import values
from firststep_agent.frameworks.points import points_at

_ADDS = "tensorflow.python.framework.op_def_library", "_apply_op_helper"


class Unheard(Exception):
    """What stands where a trace is listened to cannot be listened to."""


class Stands:
    """Those of one run. A context manager; `scope` is its While (frameworks/door.py)."""

    def __init__(self, run):
        self.scope, _ = run.door.scope("watched trace")
        self._listening: list = []
        for module, attribute, listener in values.LISTENERS:
            (point,) = points_at("tensorflow", module, attribute)
            run.wrap(point, listener, ID, until=self.scope, installed=self.needs, overridden=True)
        (adds,) = points_at("tensorflow", *_ADDS)
        run.put(adds, executed.pausing, ID, until=self.scope)

    def needs(self, plain, listening):
        """Nothing is known of a trace unless this one hears of it."""
        self._listening.append(listening)

    def __enter__(self):
        self.scope.__enter__()

    def __exit__(self, *error):
        self.scope.__exit__()

    def check(self):
        """Raises Unheard where one that is needed does not stand, while this is open."""
        for listening in self._listening:
            if not listening.place.stands:
                raise Unheard(f"{listening.place.name}, or what a class below has of that name, is none of TensorFlow's functions")
