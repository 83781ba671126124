"""The tapes that record in this thread, taken away for a while: a trace that is made under two where it was made under one differentiates
otherwise what it calls."""

import contextlib
import gc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Tapes:
    """All that it takes of TensorFlow is looked up when it is made."""

    def __init__(self) -> None:
        from tensorflow.python import pywrap_tfe
        from tensorflow.python.eager import context, record, tape
        from tensorflow.python.framework import constant_op

        self._kind, self._may_record, self._context = tape.Tape, record.could_possibly_record, context.context
        self._add, self._remove, self._watch = (pywrap_tfe.TFE_Py_TapeSetAdd, pywrap_tfe.TFE_Py_TapeSetRemove,
                                                pywrap_tfe.TFE_Py_TapeWatch)
        self._watching, self._tensor = pywrap_tfe.TFE_Py_TapeSetPossibleGradientTypes, constant_op.convert_to_eager_tensor

    @contextlib.contextmanager
    def taken_away(self) -> "Iterator[bool]":
        """Gives whether nothing records meanwhile: what runs forward (`ForwardAccumulator`) cannot be taken away."""
        taken = [each for each in self._all() if self._records(each)] if self._may_record() else []
        for each in taken:
            self._remove(each)
        try:
            yield not self._may_record()
        finally:
            for each in taken:
                self._add(each)

    def can_be_taken_away(self) -> bool:
        """Whether nothing would record then."""
        with self.taken_away() as nothing_records:
            return nothing_records

    def _all(self) -> "list[Any]":
        """TensorFlow's own objects of all tapes of the process: it tells of none, and nothing refers to all of them."""
        return [each._tape for each in gc.get_objects() if type(each) is self._kind]

    def _records(self, tape: "Any") -> bool:
        """Whether it is one of this thread's: then it watches for this thread what it is told to watch."""
        probe = self._tensor(0.0, self._context())
        self._watch(tape, probe)
        return bool(self._watching([probe]))
