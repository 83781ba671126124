"""The objects that the collector knows, by class: there are hundreds of thousands, of which few are wanted."""

import gc
import itertools


class Tracked:
    """Those that there are now."""

    def __init__(self):
        self._values = gc.get_objects()
        self._kinds = list(map(type, self._values))
        self._numbers = list(map(id, self._kinds))
        self._by_number = dict(zip(self._numbers, self._kinds))  # a class of the program's may make its own of being hashed

    def of(self, is_wanted):
        """(object, its class) of each whose class is wanted. is_wanted(class) is asked once a class."""
        wanted = {number: is_wanted(kind) for number, kind in self._by_number.items()}
        return itertools.compress(zip(self._values, self._kinds), map(wanted.__getitem__, self._numbers))
