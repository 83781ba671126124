"""No garbage collection while thousands of short-lived tuples are made: each pass would visit all of TensorFlow."""

import gc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Paused:
    """Context manager: the collector stands still inside, and is as it was afterwards."""

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *error: "Any") -> None:
        if self._was_on:
            gc.enable()
