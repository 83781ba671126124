"""Loads of libraries of custom operations: told as such, and as no other library besides."""

from __future__ import annotations

import re

from firststep.analyse.facts import Facts
from firststep.analyse.spans import Seen, spans

OWN = re.compile(r".*/(?:site|dist)-packages/tensorflow/")  # TensorFlow's: the import of TensorFlow loads them


def custom_operations(given: Facts) -> tuple[Seen, ...]:
    """In order of time."""
    return tuple(one for one in spans(given, "custom-op-library") if not OWN.match(one.span.name))
