"""Finds the entry that answers a trace, binds it, has it proved, or says why none does."""

from firststep_agent import clock, counted, streams
from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.answer import conversion, late, replay
from firststep_agent.boost.cache_functions.answer.saving import SavingNote
from firststep_agent.boost.cache_functions.keep import builds, captures, outputs, uids
from firststep_agent.boost.cache_functions.key import guards
from firststep_agent.boost.cache_functions.proof import ledger, proof_child, sandbox, watch, work
from firststep_agent.boost.cache_functions.reads.sources import Sources
from firststep_agent.boost.cache_functions.reads.watch import modules
from firststep_agent.boost.objects import gradients, roots
from firststep_agent.boost.traces import speech
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from firststep_agent.boost.cache_functions.answer.bound import Bound
    from firststep_agent.boost.cache_functions.answer.owed import Owed
    from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry, Functions
    from firststep_agent.boost.cache_functions.keep.refusal_notes import Refusals
    from firststep_agent.boost.cache_functions.reads.repeated import Repeated

_UNPROVED = 2  # proofs in a row without a verdict: the end of a start waits no longer for one than for an answer's
_TOO_LATE = ("its graph is needed as well, and a trace of it comes out as another than at its first call: something that it reads may have "
             "changed since. A plain run would use the graph of then, which cannot be made any more. {}")
_NOT_AGAIN = "It is not taken from the cache from the next start on: start the program again"
_STAYS = "It could not be taken out of the cache ({}): empty that (`firststep cache clear`) before the program is started again"
_LEFT_OPEN = "It could not be taken out of the cache ({}): start the program once more, it will be traced plainly all the same"
_HANDED_OUT = "it is handed out by get_concrete_function: what that gives has its graph"
_WATCHED = 3  # times as long as plainly a trace takes that is watched, as the one that is learned from is: 1.5 to 3 were seen
_WAS_TOO_LATE = "its graph was needed later than its first call, and a trace gave another then"


class LookUp:
    """What a look-up gave. lazy: the answer; confirm: an entry that is to be compared with a real trace before it may answer;
    plainly: why an entry that holds does not answer in this start; reason: why none that an earlier start has written holds. All None
    where nothing is stored.
    """

    def __init__(self, lazy: "Any" = None, reason: "str | None" = None, confirm: "FunctionEntry | None" = None,
                 plainly: "str | None" = None, differs: "Iterable[str]" = (), tried: bool = False) -> None:
        self.lazy = lazy
        self.reason = reason
        self.confirm: Any = confirm
        self.plainly = plainly
        self.tried = tried  # whether it was tried in vain before
        self.differs = list(differs)  # parts of the program's state that are not what they were when it was learned


class Lookup:
    """Asks the store on behalf of one process."""

    def __init__(self, run: "Any", kept: "Functions", refusals: "Refusals", create: "Callable[..., Any]", proofs: "watch.Proofs",
                 settings: "dict[str, Any]", owed: "Owed", replay_over_ns: int, cheap: str) -> None:
        self._run = run
        self._store = kept
        self._refusals = refusals
        self._create = create
        self._proofs = proofs
        self._replays = settings.get("replay", True)
        self._waits = settings.get("proof") == "wait"
        self._owed = owed
        self._replay_over_ns = replay_over_ns
        self._cheap = cheap
        proofs.heard(self._decided)

    def find(self, trace: "Any") -> "LookUp":
        """A LookUp."""
        if not self._replays:
            return LookUp()
        reasons, confirm = [], None
        for entry in self._store.candidates(trace.primary):
            if entry.header.trace_ns < self._replay_over_ns:  # it was learned where less was asked for
                continue
            trust = self._store.trust(entry)
            entry.header.trace_ns, entry.proof_ns = trust.trace_ns or entry.header.trace_ns, trust.proof_ns
            if entry.header.trace_ns * _WATCHED < self._replay_over_ns and entry.header.signature == trace.signature:
                return LookUp(plainly=self._cheap)
            reason, at_large = self._mismatch(trace, entry)
            if reason is None:
                differs = sorted({*at_large, *trace.whole.differences(entry.header.whole)})
                is_unforgiven = bool(differs) and _reads_anywhere(entry.header)
                if trust.holds(differs) and not is_unforgiven and not self._store.was_left(entry):
                    return self._answer(trace, entry)
                if trust.doubts(differs) or is_unforgiven:  # no trace would make it answer here: another entry is learned
                    reason = "what it was learned from differs in " + ", ".join(differs[:3])
                elif confirm is None:
                    confirm = LookUp(confirm=entry, differs=differs, tried=trust.unproved >= _UNPROVED)
            if reason is not None and reason not in reasons and self._store.was_there(entry):
                reasons.append(reason)
        return confirm or LookUp(reason="; or ".join(reasons[:3]) or None)

    def _mismatch(self, trace: "Any", entry: "FunctionEntry") -> "tuple[str | None, Sequence[str]]":
        """Why an entry does not hold here, or None; places that its trace may have read, and that are others."""
        from firststep_agent.boost.cache_functions.reads.verify import verified

        try:
            reason = self._otherwise(trace, entry.header)
            if reason:
                return reason, ()
            found = verified(entry.header.manifest, trace.function)
            return found.reason, found.differs
        except Exception as error:
            if is_theirs(error):
                raise
            return f"{type(error).__name__}: {error}", ()

    def _otherwise(self, trace: "Any", header: "Any") -> "str | None":
        """Why an entry does not hold here, whatever its trace has read, or None."""
        if header.signature != trace.signature:
            return "it was learned with other arguments"
        if late.draws_beside_others(header):
            return late.DRAWN_BESIDE_OTHERS
        if streams.stands_elsewhere(header.drawn):
            return f"{streams.NUMPYS}, which its trace draws from, stands elsewhere than when it was learned"
        if counted.stand_otherwise(header.asked):
            return "what it says a limited number of times has been said another number of times"
        return speech.changed(header.loggers) or speech.goes_otherwise(header.said)

    def _answer(self, trace: "Any", entry: "FunctionEntry") -> "LookUp":
        if guards.is_handed_out():
            return LookUp(plainly=_HANDED_OUT)
        hindrance = self._proofs.hindrance()
        if hindrance is not None:
            return LookUp(plainly=f"its answer could not be proved: {hindrance}")
        sources = Sources()
        hindrance = conversion.hindrance(sources)
        if hindrance is not None:
            return LookUp(plainly=hindrance)
        if not self._proofs.ledger.affords_answer(entry.header.trace_ns / 1e9, (clock.now() - trace.started_ns) / 1e9):
            return LookUp(plainly=ledger.NOT_WORTH_IT)
        lazy, reason = self._bind(trace, entry, sources)
        if lazy is None:
            return LookUp(reason=reason)
        self._proofs.ledger.answered(entry.header.trace_ns / 1e9)
        uids.move(trace.func_graph, entry.header.uids)
        self._report(trace, lazy._answer)
        return LookUp(lazy=lazy)

    def _bind(self, trace: "Any", entry: "Any", sources: "Sources") -> "tuple[Any, str | None]":
        from firststep_agent.boost.cache_functions.answer.bound import Bound

        bound: Bound | None = None
        proof: proof_child.ProofChild | None = None
        try:
            modules.again(entry.header.manifest["imports"])
            bound = Bound(trace, entry, self._create)
            answer = replay.StoredAnswer(entry, self._run, self._retrace(trace, entry, bound.changes), trace)
            lazy = replay.lazy_class()(answer)
            bound.changes.traced_by(lazy.is_needed)
            before = clock.now()
            answer.captures = bound.perform()
            answer.builds_ns = clock.now() - before
            proof = self._proofs.begin(bound.job(answer.captures, sources), "replay", entry, entry.header.trace_ns)
            if not guards.call_follows() and not proof.begun():  # else that call waits for it, when it has been made
                raise OSError(proof_child.NO_PROCESS)
            self._store.answers(entry)
            bound.settle()
            if self._waits:
                proof.wait(entry.header.proof_ended_s)
            answer.proof = proof
            bound.changes.let_go()
            self._owed.add(bound.nested, lazy)
            return lazy, None
        except (modules.NotImported, builds.NotRepeatable, captures.NotReachable, outputs.NotEncodable, sandbox.Unavailable) as error:
            self._take_back(entry, bound, proof)
            return None, str(error)
        except Exception as error:
            self._take_back(entry, bound, proof)
            if is_theirs(error):
                raise
            reason = f"{type(error).__name__}: {error}"
            self._run.note(ID, "error", function=trace.name, reason=reason)
            return None, reason
        except BaseException:  # an interrupt, which is the program's
            self._take_back(entry, bound, proof)
            raise

    def _take_back(self, entry: "FunctionEntry", bound: "Bound | None", proof: "proof_child.ProofChild | None") -> None:
        """As if the entry had not been found: a verdict on what was never answered counts for nothing."""
        if proof is not None:
            proof.withdraw()
            self._store.has_verdict(entry)
        if bound is not None:
            bound.undo()

    def _decided(self, proof: "proof_child.ProofChild", text: str) -> None:
        """The verdict on an answer."""
        if proof.kind != "replay":
            return
        from firststep_agent.as_found import time

        def proved(trust):
            trust.proved, trust.last, trust.unproved = trust.proved + 1, time.time(), 0
            trust.proof_ns = proof.took_ns

        def unproved(trust):
            trust.confirmed, trust.unproved = False, trust.unproved + 1

        if proof.verdict == work.EQUAL:
            self._run.note(ID, "proved", function=proof.name, cpu_ns=proof.took_ns)
            self._store.change_trust(proof.entry, proved)
            is_settled = True
        elif proof.verdict == work.DIFFERS:
            kept = self._keep_away(proof.entry, f"an answer was wrong: a trace differed in {text}")
            if kept is not None:
                proof.advice = (_STAYS if proof.entry.answering is None else _LEFT_OPEN).format(kept)
            self._run.note(ID, "disproved", function=proof.name, reason=text)
            is_settled = kept is None
        else:
            self._run.note(ID, "unproved", function=proof.name, reason=text, answered=True)
            is_settled = self._store.change_trust(proof.entry, unproved) is None
        if is_settled:  # else the next start finds that this answer was left open
            self._store.has_verdict(proof.entry)

    def _retrace(self, trace: "Any", entry: "FunctionEntry", changes: "Repeated") -> "Callable[[list[Any]], Any]":
        proofs = self._proofs
        name, put_off, function = trace.name, late.Late(self._run, self._create, trace), roots.weakly(trace.function)

        def retrace(captures):
            failure: Exception | None = None
            try:
                with changes.put_off():
                    holds = _holds(entry.header.manifest, function)
                    traced = put_off.trace(entry.header)
                if not work.of_trace(traced, entry.header, captures) and (holds or not gradients.are_users(traced._inference_function)):
                    return traced
            except Exception as error:  # the first call's trace has raised nothing
                if is_theirs(error):
                    raise
                failure = error
            proofs.spoil(_told(name, _TOO_LATE.format(_NOT_AGAIN)))  # before anything can fail
            kept = self._keep_away(entry, _WAS_TOO_LATE)
            reason = _TOO_LATE.format(_NOT_AGAIN if kept is None else _STAYS.format(kept))
            self._run.note(ID, "error", function=name, reason=reason)
            proofs.spoil(_told(name, reason))
            raise late.TooLate(_told(name, reason)) from failure

        return retrace

    def _keep_away(self, entry: "FunctionEntry", reason: str) -> "str | None":
        """Has no later start answer from the entry; in words why the disk does not take that, or None."""
        try:
            self._store.quarantine(entry)
            self._refusals.take_back(entry.key, reason)
        except Exception as error:
            if is_theirs(error):
                raise
            return getattr(error, "strerror", None) or str(error)
        return None

    def _report(self, trace: "Any", answer: "replay.StoredAnswer") -> None:
        spent_ns, builds_ns = clock.now() - trace.started_ns, answer.builds_ns
        saving = SavingNote(answer.entry, spent_ns, lambda saved_ns: self._run.note(
            ID, "live", function=trace.name, saved_ns=saved_ns, lookup_ns=spent_ns - builds_ns, builds_ns=builds_ns))
        if guards.call_follows():
            answer.tells(saving)
        else:
            saving.without_call()


def _holds(manifest: "Any", function: "Callable[[], Any]") -> bool:
    """Whether all that a trace read is still what it was."""
    from firststep_agent.boost.cache_functions.reads.verify import verify

    try:
        return verify(manifest, function()) is None
    except Exception as error:  # it cannot be told: the function has gone
        if is_theirs(error):
            raise
        return False


def _reads_anywhere(header: "Any") -> bool:
    """Whether any difference may count, whatever other starts have shown."""
    return bool(header.manifest["names"]["anywhere"])


def _told(name: str, reason: str) -> str:
    return f"firststep: the tf.function `{name}` was called from firststep's cache, and now {reason}"
