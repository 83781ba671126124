"""A module of the user's."""

SCALE = 1.0


def scale(x):
    return x * SCALE
