"""Whether operations run at once here, or only become part of a graph."""

import sys


def eager() -> bool:
    """Whether TensorFlow, if it is there at all, runs operations at once here. Initialises nothing."""
    context = sys.modules.get("tensorflow.python.eager.context")
    return context is None or context.executing_eagerly()


def no_tape() -> bool:
    """Whether no gradient tape records what happens here."""
    pywrap_tfe = sys.modules.get("tensorflow.python.pywrap_tfe")
    return pywrap_tfe is None or pywrap_tfe.TFE_Py_TapeSetIsEmpty()
