"""Keeps firststep's own lines out of the stacks that TensorFlow stores with each node and shows in its errors."""

import contextlib
import os
import sys

_HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_STAND_INS = "<frozen importlib._bootstrap>"  # the file that observe.wrapping's stand-ins say they are from
_FILTERS = ("tensorflow.python.util.traceback_utils", "keras.src.utils.traceback_utils")


def install(run):
    """Tracebacks that TensorFlow and Keras cut down to the user's lines leave out the agent's as well."""
    for name in _FILTERS:
        run.after_import(name, _exclude)


def _exclude(module):
    module._EXCLUDED_PATHS = (*module._EXCLUDED_PATHS, _HERE)


def hidden():
    """Context manager: nodes made inside carry no frames of the agent's files."""
    tf_stack = sys.modules.get("tensorflow.python.util.tf_stack")
    if tf_stack is None:
        return contextlib.nullcontext()
    return _filter_class(tf_stack)()


def _filter_class(tf_stack):
    made = vars(tf_stack).get("_firststep_filter")
    if made is None:

        class OwnFiles(tf_stack.StackTraceFilter):  # type: ignore[name-defined]
            def get_filtered_filenames(self):
                if self.parent is None:
                    return _own_files()
                return _own_files() | self.parent.get_filtered_filenames()

        made = tf_stack._firststep_filter = OwnFiles
    return made


_known: tuple = (0, frozenset())


def _own_files():
    """The agent's source files that are loaded."""
    global _known
    if _known[0] != len(sys.modules):
        files = [getattr(m, "__file__", None) for n, m in list(sys.modules.items()) if n.startswith("firststep_agent")]
        _known = (len(sys.modules), frozenset([*(f for f in files if f), _STAND_INS]))
    return _known[1]
