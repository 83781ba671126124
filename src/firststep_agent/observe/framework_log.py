"""What TensorFlow and Keras log from Python while the program starts, as log lines of the trace.

Lines of native code stay where they are, on the program's stderr: docs/decisions, "Native log lines".
"""

import sys

from firststep_agent.clock import now
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Each is made by its own module: absl's is of a class of its own, and one that was there before would stay what it is.
LOGGERS = {"tensorflow.python.platform.tf_logging": "tensorflow", "absl.logging": "absl"}


def start(run: "Any", settings: "dict[str, Any]") -> None:
    for module, logger in LOGGERS.items():
        run.after_import(module, lambda module, name=logger: _watch(run, sys.modules["logging"], name))


def _watch(run: "Any", logging: "Any", name: str) -> None:
    def seen(record):
        if run.ready_ns is None and record.levelno >= logging.WARNING:
            try:
                run.recorder.record("l", now(), f"{record.levelname}:{record.name}:{record.getMessage()}")
            except Exception as error:
                if is_theirs(error):
                    raise
                run.failed("framework-log", error)
        return True

    logger = logging.getLogger(name)
    logger.addFilter(seen)  # a handler would count, and silence Python's last resort
    run.on_ready(lambda: logger.removeFilter(seen))
