"""The traps: each function is a tiny program that computes something else under variant B than under variant A.

A case reads `variant()` before it traces anything, changes exactly one thing by it, and returns what the program computed.
Command line and environment are the same in both variants (except where the environment is the thing that changes).
"""

import os


def variant():
    """"A" or "B", from a file: nothing of it shows in the command line or the environment."""
    with open(os.path.join(os.environ["TRAPS"], "variant.txt")) as file:
        return file.read().strip()


def pick(a, b):
    """`a` under variant A, `b` under variant B."""
    return a if variant() == "A" else b
