"""The learning run: traces as before, watched; what can be kept is handed on to be written."""

import dataclasses
import functools

from firststep_agent import clock, counted, streams
from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.answer import by_content, late, owed
from firststep_agent.boost.cache_functions.keep import access, nested, outputs, pending, uids
from firststep_agent.boost.cache_functions.keep.entries import PER_KEY
from firststep_agent.boost.cache_functions.keep.header import Header
from firststep_agent.boost.cache_functions.learn import under_way
from firststep_agent.boost.cache_functions.learn.handed_out import HandedOut, StateRead
from firststep_agent.boost.cache_functions.learn.late_uses import LateUses
from firststep_agent.boost.cache_functions.learn.writing import Writing
from firststep_agent.boost.cache_functions.proof import hindrances, ledger, work
from firststep_agent.boost.cache_functions.reads import change
from firststep_agent.boost.cache_functions.reads.names import Names
from firststep_agent.boost.cache_functions.reads.trace_reads import TraceReads
from firststep_agent.boost.cache_functions.reads.watch import modules
from firststep_agent.boost.objects import canonical
from firststep_agent.boost.objects.refusal import Passing, Refused
from firststep_agent.boost.traces import first_traces, speech
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from firststep_agent.boost.cache_functions.answer.lookup import LookUp
    from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry, Functions, Trust
    from firststep_agent.boost.cache_functions.keep.refusal_notes import Refusals
    from firststep_agent.boost.cache_functions.proof.proof_child import ProofChild
    from firststep_agent.boost.cache_functions.proof.watch import Proofs
    from firststep_agent.boost.cache_functions.reads.stands import Stands

_REPLAY_OVER_MS = 300
_TOLD = 3  # parts of the program's state that are named
_CHEAP = "it is traced in less than"  # no refusal that anybody is told of: its optimised graph is found by its content


class FirstStarts:
    """Learns the traces of one process."""

    def __init__(self, run: "Any", kept: "Functions", refusals: "Refusals", create: "Callable[..., Any]", proofs: "Proofs",
                 settings: "dict[str, Any]",
                 before_a_call: "Callable[[], None]", stands: "Stands") -> None:
        self._run = run
        self._stands = stands
        self._store = kept
        self._refusals = refusals
        self._create = create
        self._proofs = proofs
        over = settings.get("replay_over_ms", _REPLAY_OVER_MS)
        self.replay_over_ns = over * 1_000_000
        self.cheap = f"{_CHEAP} {over} ms"
        self._replays = settings.get("replay", True)
        self._writing = Writing(run, kept, refusals)
        self.by_content = by_content.ByContent(run, kept, refusals, self._writing.keep, before_a_call)
        self._put_off = owed.Owed()
        self._handed_out = HandedOut(run)
        self._late_uses = LateUses(run, kept, self._writing, proofs, self._begin)
        proofs.heard(self._decided)

    def is_traced_later(self, python_function: "Any", why: str = nested.USED_APART) -> None:
        """A trace of a function is wanted, or looked for. Where it was traced with one that is being learned, an answer would owe that
        trace by now, and would have to make it in a state that may be another, whatever the signature that is asked for."""
        owing = self._put_off.owing(python_function)
        if owing and nested.would_be_another(lambda: any(state.has_changed() for _, state in owing)):
            for recorded, _ in self._put_off.answers(python_function):
                recorded.is_used_inside(why)

    def trace(self, asked: "Any", found: "LookUp") -> "Any":
        """The concrete function, traced plainly; learned where it can be kept. `found` says why stored entries did not hold."""
        if not self._replays or self._writing.waiting(asked.primary) >= PER_KEY:
            return self._content(self._create(asked.function_type, asked.type_context, asked.func_graph, asked.options))
        why_not = hindrances.ever() or (None if self._proofs.ledger.may_watch() else ledger.LATER)
        if why_not is not None:
            return self._content(self._traced_plainly(asked, why_not))
        began = clock.thread_time_ns()
        try:
            asked.whole  # noqa: B018  # as it is before the trace
        except Exception as error:  # a look at the program's objects that fails is not the program's
            if is_theirs(error):
                raise
            self._run.note(ID, "error", function=asked.name, reason=f"{type(error).__name__}: {error}")
            return self._content(self._create(asked.function_type, asked.type_context, asked.func_graph, asked.options))
        learned = under_way.Learning(asked.name, asked.function, access.finder(asked.function))
        learner = TraceReads(asked.function, self._stands)
        with learner:
            if learner.too_much:
                self._proofs.ledger.watched((clock.thread_time_ns() - began) / 1e9)
                traced = self._traced_plainly(asked, learner.too_much)
                self._refusals.refuse(asked.primary, learner.too_much)
                return self._content(traced)
            before = clock.thread_time_ns()
            with learned, learned.speech:
                traced = learned.trace(self._create, asked.function_type, asked.type_context, asked.func_graph,
                                       asked.options)
            spent = clock.thread_time_ns() - before  # not what a busy machine makes of it
        recorded = None
        try:
            if spent < self.replay_over_ns:
                self._proofs.ledger.watched((clock.thread_time_ns() - began) / 1e9)
                raise Refused(self.cheap)
            if learned.refused:
                raise Refused(learned.refused)
            learned.speech.check()
            recorded = self._recorded(asked, learned, traced, learner, spent, found.reason)
            recorded.proof = self._trace_again(asked, learned, learner.changes, recorded.header, traced)
        except (Refused, outputs.NotEncodable, speech.Unrepeatable) as error:
            if not isinstance(error, Passing):
                self._refusals.refuse(asked.primary, str(error))
            if not is_cheap(str(error)):
                self._run.note(ID, "refused", function=asked.name, reason=str(error))
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.note(ID, "error", function=asked.name, reason=f"{type(error).__name__}: {error}")
        return self._content(traced, recorded)

    def _traced_plainly(self, asked: "Any", why: str) -> "Any":
        """The concrete function. Watching its trace would make it longer, for nothing; what is said is said where an answer is missed."""
        before = clock.thread_time_ns()
        traced = self._create(asked.function_type, asked.type_context, asked.func_graph, asked.options)
        if clock.thread_time_ns() - before >= self.replay_over_ns:
            self._run.note(ID, "refused", function=asked.name, reason=why)
        else:
            self._refusals.refuse(asked.primary, self.cheap)
        return traced

    def confirm(self, asked: "Any", found: "LookUp") -> "Any":
        """The concrete function, traced for real from where an answer would begin: `found` names the entry, which a child proves
        meanwhile as it would prove an answer."""
        from firststep_agent.boost.cache_functions.answer.bound import Bound

        entry = found.confirm
        try:
            modules.again(entry.header.manifest["imports"])
            put_off = late.Late(self._run, self._create, asked)
            bound = Bound(asked, entry, self._create)
            bound_captures = bound.perform()
        except Exception as error:  # besides NotRepeatable, NotReachable and NotImported, whatever keeps a walk from its end
            if is_theirs(error):
                raise
            found.reason = str(error)
            return self.trace(asked, found)
        self._refusals.holds(asked.primary)
        first_traces.settle()
        bound.tell()
        proof = self._begin(bound.job(bound_captures), "confirm", entry, entry.header.trace_ns, tried=found.tried, differs=found.differs)
        bound.changes.begin()
        before = clock.thread_time_ns()
        try:
            traced = bound.trace(asked.func_graph)
        except BaseException:
            if proof is not None:  # whatever the child finds, it is not what is found here
                proof.withdraw()
            raise
        if proof is not None:
            proof.traced_ns = clock.thread_time_ns() - before
        confirming = pending.Confirming(entry.header.exact, functools.partial(self._writing.take_back, entry.place, asked.name))
        try:
            manifest = entry.header.manifest
            state = StateRead(asked.function, Names.from_json(manifest["names"]), bound.changes.all, manifest["files"],
                              self._late_uses.trial(put_off, bound, entry, traced))
            self._watch_uses(confirming, traced, bound.traced, bound.nested, state, bound.changes.tensors())
            bound.changes.let_go()
        except Exception as error:  # what is used later cannot be noticed
            if is_theirs(error):
                raise
            confirming.is_used_inside(f"{type(error).__name__}: {error}")
        return self._content(traced, confirming)

    def _watch_uses(self, recorded: "pending.Pending | pending.Confirming", traced: "Any", inner: "Iterable[tuple[Any, Any]]",
                    functions: "list[Any]", state: "StateRead", tensors: "Iterable[Any]") -> None:
        """Has it told when it is used where an answer would have to be traced for, in a state that may be another by then. inner: the
        functions that were traced with it, as TensorFlow has them; functions: those of them that somebody can call."""
        recorded.has_changed = state.has_changed
        nested.watch(inner, functions, state.has_changed, lambda: recorded.is_used_inside(nested.USED_APART))
        self._put_off.add(functions, (recorded, state))
        self._handed_out.watch(traced, state, tensors, recorded.is_used_inside)

    def _begin(self, job: "work.Job", kind: str, entry: "FunctionEntry | None", worth_ns: int, **known: "Any") -> "ProofChild | None":
        """A Proof, or None where there can be none now, which is noted."""
        hindrance = self._proofs.hindrance()
        if hindrance is None:
            try:
                proof = self._proofs.begin(job, kind, entry, worth_ns, **known)
                if proof.begun():
                    return proof
                hindrance = "no process could be made for it"
                proof.withdraw()
            except OSError as error:
                if is_theirs(error):
                    raise
                hindrance = str(error)
        self._run.note(ID, "unproved", function=job.name, reason=hindrance)
        return None

    def _content(self, traced: "Any", recorded: "pending.Pending | pending.Confirming | None" = None) -> "Any":
        self.by_content.watch(traced, recorded)
        return traced

    def _trace_again(self, asked: "Any", learned: "under_way.Learning", changes: "list[change.Change]", header: "Any",
                     traced: "Any") -> "ProofChild | None":
        """Has a child trace what this process has just traced, from the state before; a ProofChild, or None where that cannot be."""
        def undo():
            nested.forget(learned.inner)
            change.put_back(changes)
            streams.move_names_back(header.names)
            streams.draw_back(header.drawn)
            counted.move_back(header.asked)

        def perform():
            change.repeat(changes)
            streams.move_names(header.names)
            streams.draw(header.drawn)
            counted.move(header.asked)

        def create():
            from tensorflow.python.framework import func_graph

            return late.trace(asked, header, func_graph.FuncGraph(asked.options.name), self._create)

        job = work.Job(asked.name, asked.function, undo, perform, create, lambda: _expected(header, traced), traced.captured_inputs,
                       header.manifest["files"], header.proof_bound_s, is_first=True)
        return self._begin(job, "learn", None, header.trace_ns)

    def _decided(self, proof: "ProofChild", text: str) -> None:
        """The verdict on a second trace beside a learning or a confirming start."""
        if proof.kind != "confirm":
            return
        if proof.verdict == work.EQUAL:
            self._confirmed(proof)
        elif proof.verdict == work.DIFFERS:
            self._reject(proof.entry, proof.differs, proof.name, text)
        else:
            def unproved(trust):
                trust.unproved += 1

            self._store.change_trust(proof.entry, unproved)
            self._run.note(ID, "unproved", function=proof.name, reason=text)

    def _confirmed(self, proof: "ProofChild") -> None:
        entry, differs, why = proof.entry, proof.differs, {}

        def change(trust):
            why.update(_why_once_more(trust, differs))
            trust.confirmed, trust.unproved = not self._late_uses.is_open(entry), 0
            trust.trace_ns = min(proof.traced_ns or entry.header.trace_ns, entry.header.trace_ns)
            trust.proof_ns = proof.took_ns
            trust.varies = sorted({*trust.varies, *differs})

        self._store.is_shown(entry)
        self._store.change_trust(entry, change)
        if not self._late_uses.is_open(entry):
            self._run.note(ID, "confirmed", function=proof.name, **why)

    def _reject(self, entry: "FunctionEntry", differs: "list[str]", name: str, text: str) -> None:
        """A real trace gave something else than the entry that was to answer."""
        if differs:  # the entry is right where nothing differs
            self._store.change_trust(entry, lambda trust: trust.doubt(differs))
            reason = f"it is learned anew in the next start: a real trace differs in {text}, and so does {', '.join(differs[:3])}"
        else:
            self._store.quarantine(entry)
            reason = (f"a trace does more than an answer would, or something else in each start (they differ in {text}), although nothing "
                      "that it reads has changed")
            self._refusals.take_back(entry.key, reason)
        self._run.note(ID, "refused", function=name, reason=reason)

    def _recorded(self, asked: "Any", learned: "under_way.Learning", traced: "Any", learner: "TraceReads", spent: int,
                  missed: "str | None") -> "pending.Pending":
        try:
            manifest = learner.manifest(learned.built)
        except Refused as refused:
            if learned.drawn and not isinstance(refused, Passing):  # the program's own code names the stream, which is state as well
                raise Refused(f"its trace draws from {streams.NUMPYS}") from refused
            raise
        if manifest["imports"] and learned.speech.said:
            raise Refused(f"it imports `{manifest['imports'][0][0]}` while it is traced, and says something: import it before")
        functions = nested.known([options for options, _ in learned.inner], learner.codes)
        header = Header(
            asked.name, trace_ns=spent, training=learned.training, model=learned.model, signature=asked.signature, manifest=manifest,
            whole=asked.whole.parts, loggers=learned.speech.asked, said=learned.speech.said, said_first=learned.said_by_builds,
            builds=learned.recipes, names=learned.names, names_first=learned.names_first,
            drawn=learned.drawn and list(map(streams.told, learned.drawn)), asked=learned.asked,
            twice=learned.twice, twice_inside=learned.twice_inside, uids=uids.moved(asked.func_graph, traced),
            nested=nested.describe(functions, learned.path_of))
        key = asked.key  # `asked` holds the function and its arguments
        recorded = pending.Pending(traced, learned, header, lambda r: self._writing.keep(key, r, missed))
        state = StateRead(asked.function, learner.names, learner.changes, manifest["files"])
        self._watch_uses(recorded, traced, learned.inner, functions, state, learner.tensors)
        return recorded


def _expected(header: "Header", traced: "Any") -> "Header":
    """The header that an entry of this trace will have, as far as a second trace can be compared: it warns of nothing again."""
    return dataclasses.replace(header, said=None, exact=canonical.exact_digest(traced._inference_function))


def _why_once_more(trust: "Trust", differs: "list[str]") -> "dict[str, str]":
    """Why an entry that was confirmed before has been traced for real once more, as a label; none where it had not been."""
    new = [part.removeprefix("__main__.").replace(" .", ".") for part in differs if part not in trust.varies]
    if not trust.confirmed or not new:
        return {}
    more = f" and {len(new) - _TOLD} more" if len(new) > _TOLD else ""
    are = "is another" if len(new) == 1 else "are others"
    return {"reason": f"traced once more, since {', '.join(new[:_TOLD])}{more} {are} than in the starts before"}


def is_cheap(reason: str) -> bool:
    """Whether a function is not replayed for the one reason that nothing would be gained by it."""
    return reason.startswith(_CHEAP)
