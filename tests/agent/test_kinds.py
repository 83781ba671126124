"""What an object is, asked past what its class makes of the question."""

import asyncio

from firststep_agent import kinds


class Named:
    """Has a descriptor for its dictionary."""


class Waiting(Named, asyncio.Future):
    """Below a class of C, too, that keeps a dictionary and, before Python 3.12, has no descriptor for it: so are the dictionaries that
    TensorFlow 2.15 tracks, by wrapt's proxies."""


def test_the_dictionary_of_what_stands_below_a_class_that_hides_its_own():
    loop = asyncio.new_event_loop()
    waiting = Waiting(loop=loop)
    waiting.name = "x"
    loop.close()
    assert kinds.own(waiting) == {"name": "x"}
