"""What a trace says: lines printed, warnings and log records, stored on the learning run and said again by a replay.

Warnings are issued again through `warnings`, so that they are counted as shown where they were; printed text is
written as it was; records go to the logger that they came from.
"""

import sys
import warnings


class Speech:
    """Context manager: everything goes out as ever, and `said` keeps it, in order, as JSON-able lists."""

    def __init__(self):
        self.said = []
        self._quiet = 0
        self._undo = []

    def __enter__(self):
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is not None:
                setattr(sys, name, _Tee(stream, name, self))
                self._undo.append((sys, name, stream))
        self._undo.append((warnings, "showwarning", warnings.showwarning))
        warnings.showwarning = self._show(warnings.showwarning)
        self._listen()
        return self

    def __exit__(self, *exception):
        for owner, name, original in reversed(self._undo):
            setattr(owner, name, original)
        self._undo = []
        return False

    def heard(self, stream, text):
        """Text that the program wrote."""
        if not self._quiet:
            self.said.append(["text", stream, text])

    def _show(self, original):
        def showwarning(message, category, filename, lineno, file=None, line=None):
            self.said.append(["warning", category.__module__, category.__qualname__, str(message), filename, lineno])
            self._quiet += 1
            try:
                original(message, category, filename, lineno, file, line)
            finally:
                self._quiet -= 1

        return showwarning

    def _listen(self):
        logging = sys.modules.get("logging")
        if logging is None:
            return
        original, speech = logging.Logger.callHandlers, self

        def callHandlers(logger, record):
            speech.said.append(["log", record.name, record.levelno, record.getMessage()])
            speech._quiet += 1
            try:
                original(logger, record)
            finally:
                speech._quiet -= 1

        self._undo.append((logging.Logger, "callHandlers", original))
        logging.Logger.callHandlers = callHandlers


class _Tee:
    """A stream of the program that is listened to."""

    def __init__(self, stream, name, speech):
        self.__dict__.update(_stream=stream, _name=name, _speech=speech)

    def write(self, text):
        self._speech.heard(self._name, text)
        return self._stream.write(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def __setattr__(self, name, value):
        setattr(self._stream, name, value)


def again(said):
    """Says what a trace said."""
    for kind, *what in said:
        if kind == "text":
            getattr(sys, what[0]).write(what[1])
        elif kind == "warning":
            _warn(*what)
        else:
            import logging

            logging.getLogger(what[0] if what[0] != "root" else None).log(what[1], "%s", what[2])


def _warn(module, name, message, filename, lineno):
    category = getattr(sys.modules.get(module), name, UserWarning)
    owner = next((m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == filename), None)
    registry = vars(owner).setdefault("__warningregistry__", {}) if owner is not None else {}
    warnings.warn_explicit(message, category, filename, lineno, getattr(owner, "__name__", None), registry)
