"""firststep: why a TensorFlow program starts slowly, and how to make it start fast. This package is the tool."""

from __future__ import annotations

from firststep.marks import keras_callback, mark, phase, result

TYPE_CHECKING = False  # the module `typing` would cost each start 10 ms
if TYPE_CHECKING:
    from typing import Any

__all__ = ["keras_callback", "mark", "phase", "result"]


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext firststep` in IPython and Jupyter."""
    from firststep.jupyter import load_ipython_extension as load

    load(shell)
