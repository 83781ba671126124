"""The objects that the collector knows, by class: there are hundreds of thousands, of which few are wanted."""

import gc
import itertools


class Tracked:
    """Those that there are now."""

    def __init__(self):
        self._values = gc.get_objects()
        self._kinds = list(map(type, self._values))

    def of(self, is_wanted):
        """(object, its class) of each whose class is wanted. is_wanted(class) is asked once a class."""
        wanted = {kind: is_wanted(kind) for kind in set(self._kinds)}
        return itertools.compress(zip(self._values, self._kinds), map(wanted.__getitem__, self._kinds))
