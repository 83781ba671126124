"""Functions that are used later than at their first call so that an answer would have to be traced for: handed out, called on another
device, or from a function that is traced. That trace stops the start where it comes out as another.

So the start that confirms a function has a child make that trace, at the very moment, and what it shows counts for the answers to come.
"""

import weakref

from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.answer import late
from firststep_agent.boost.cache_functions.proof import work
from firststep_agent.boost.objects.parts.traced import LATE_USE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.boost.cache_functions.answer.bound import Bound
    from firststep_agent.boost.cache_functions.answer.late import Late
    from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry, Functions, Trust
    from firststep_agent.boost.cache_functions.learn.writing import Writing
    from firststep_agent.boost.cache_functions.proof.proof_child import ProofChild
    from firststep_agent.boost.cache_functions.proof.watch import Proofs

_KIND = "late"
_WHY = ("its graph is needed later than at its first call as well, and a trace that is made then differs in {}: a plain run uses the "
        "first one, which an answer does not make")


class LateUses:
    """Of one process. begin(job, kind, entry, worth_ns): a ProofChild, or None where there can be none."""

    def __init__(self, run: "Any", kept: "Functions", writing: "Writing", proofs: "Proofs",
                 begin: "Callable[..., ProofChild | None]") -> None:
        self._run = run
        self._store = kept
        self._writing = writing
        self._begin = begin
        self._open: list[FunctionEntry] = []  # those of which it was not shown
        proofs.heard(self._decided)

    def trial(self, put_off: "Late", bound: "Bound", entry: "FunctionEntry", traced: "Any") -> "Callable[[], None]":
        """What is to be called at the first such use. put_off: the trace that an answer would make then, from before this one. Keeps
        nothing of the program's alive: what is needed then is kept by the traced function itself, as an answer keeps it."""
        reference, changes = weakref.ref(traced), bound.changes
        header: Any = entry.header

        def trace() -> "Any":
            with changes.put_off():
                return put_off.trace(header)

        def begin(function: "Any") -> None:
            if late.draws_beside_others(header):
                self._writing.take_back(entry.place, header.function, late.DRAWN_BESIDE_OTHERS)
                return
            job = work.Job(header.function, function, _nothing, _nothing, trace, lambda: header, function.captured_inputs,
                           header.manifest["files"], header.proof_bound_s, is_late=True)
            if self._begin(job, _KIND, entry, header.trace_ns) is None:
                self._leave_open(entry)

        def first_use() -> None:
            function = reference()
            if function is not None:
                function.__dict__.pop(LATE_USE)(function)

        traced.__dict__[LATE_USE] = begin
        return first_use

    def is_open(self, entry: "FunctionEntry") -> bool:
        """Whether the entry must not answer yet, although a trace beside it was equal."""
        return any(each is entry for each in self._open)

    def _leave_open(self, entry: "FunctionEntry") -> None:
        self._open.append(entry)
        if self._store.trust(entry).confirmed:
            self._store.change_trust(entry, _not_confirmed)

    def _decided(self, proof: "ProofChild", text: str) -> None:
        if proof.kind != _KIND:
            return
        if proof.verdict == work.DIFFERS:
            self._writing.take_back(proof.entry.place, proof.name, _WHY.format(text))
        elif proof.verdict == work.FAILED:
            self._leave_open(proof.entry)
            self._run.note(ID, "unproved", function=proof.name, reason=text)


def _not_confirmed(trust: "Trust") -> None:
    trust.confirmed = False


def _nothing() -> None:
    """It begins in the state in which the function is used."""
