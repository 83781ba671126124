"""What a trace depends on: the key of the function cache.

A trace is Python code that ran once; the graph it left is right in another process only if everything that the code read
is equal there. This package finds what that is on the learning run (`learn`), names it by a cheap first-level key
(`identity`) and checks it in a later process (`verify`). What cannot be compared raises `Refused` with the reason.
"""

from . import effects
from .identity import identity
from .learner import Learner as learn
from .paths import access_path, resolve
from .refusal import Passing, Refused
from .roots import Called
from .verify import verify

__all__ = ["Called", "Passing", "Refused", "access_path", "identity", "effects", "learn", "resolve", "verify"]
