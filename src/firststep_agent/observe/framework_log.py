"""What TensorFlow and Keras log from Python while the program starts, as log lines of the trace.

Lines of native code stay where they are, on the program's stderr: docs/decisions, "Native log lines".
"""

from firststep_agent.clock import now
from firststep_agent.signals import is_theirs

LOGGERS = ("tensorflow", "absl")


def start(run, settings):
    run.after_import("logging", lambda module: _watch(run, module))


def _watch(run, logging):
    def seen(record):
        if run.ready_ns is None and record.levelno >= logging.WARNING:
            try:
                run.recorder.record("l", now(), f"{record.levelname}:{record.name}:{record.getMessage()}")
            except Exception as error:
                if is_theirs(error):
                    raise
                run.failed("framework-log", error)
        return True

    loggers = [logging.getLogger(name) for name in LOGGERS]
    for logger in loggers:
        logger.addFilter(seen)  # a handler would count, and silence Python's last resort
    run.on_ready(lambda: [logger.removeFilter(seen) for logger in loggers])
