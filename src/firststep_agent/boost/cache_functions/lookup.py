"""Finds the entry that answers a trace, binds it, or says why none does."""

from firststep_agent import clock
from firststep_agent.boost.cache_functions import (
    ID,
    builds,
    canonical,
    captures,
    first_traces,
    outputs,
    paths,
    random_streams,
    replay,
    speech,
)

CHECK_ONE_IN = 64  # replays of a function
CHECKS_COST_NS = 30_000_000  # of a start, on average: a function that is dearer to trace is checked more rarely
_TOO_LATE = ("its graph is needed as well, when something that it reads has changed since its first call; a plain run would "
             "use the graph of then, which cannot be made any more. It is not taken from the cache from the next start on: "
             "start the program again")


class Found:
    """What a look-up gave; all None where nothing is stored."""

    def __init__(self, lazy=None, reason=None, doubted=None):
        self.lazy = lazy
        self.reason = reason
        self.doubted = doubted


class Lookup:
    """Asks the store on behalf of one process. check_one_in: replays, instead of the rule for all; 0: never; None: the rule."""

    def __init__(self, run, kept, create, check_one_in):
        self._run = run
        self._store = kept
        self._create = create
        self._check_one_in = check_one_in

    def find(self, trace):
        """A Found: a lazy concrete function, or why none of the entries holds, or an entry that is to be checked."""
        reasons = []
        for entry in self._store.candidates(trace.primary):
            answer, reason = self._try(trace, entry)
            if answer is not None:
                self._report(trace, answer)
                return Found(lazy=replay.lazy_class()(answer))
            if reason is None:
                return Found(doubted=entry)
            if reason not in reasons:
                reasons.append(reason)
        return Found(reason="; or ".join(reasons[:3]) or None)

    def _is_due(self, entry):
        """Every so many replays it is traced instead, and the trace is compared with the entry (teach.py).

        Counted, not drawn: the same starts are then fast each time that somebody measures. Not where the cache cannot
        be written: nothing would come of it for the next start.
        """
        one_in = self._check_one_in
        if one_in is None:
            one_in = max(CHECK_ONE_IN, replay.saved_ns(entry, 0) // CHECKS_COST_NS)
        uses = self._store.use(entry)
        return uses is not None and one_in > 0 and uses % one_in == 0

    def _try(self, trace, entry):
        from firststep_agent.boost.cache_functions import dependencies

        header = entry.header
        resolve = paths.resolver(trace.function)
        repetition = builds.Repetition(header["builds"], resolve)
        try:
            reason = speech.changed(header["loggers"]) or dependencies.verify(header["manifest"], trace.function)
            if reason is not None:
                return None, reason
            if self._is_due(entry):
                return None, None
            changes = dependencies.effects.recorded(header["manifest"], trace.function)
            answer = replay.Answer(entry, self._run, self._retrace(trace, entry, changes), trace)
            before = clock.now()
            repetition.perform()
            answer.builds_ns = clock.now() - before
            answer.captures = captures.bind(header["captures"], resolve)
            dependencies.effects.repeat(changes)
            random_streams.move_names(header["names"])
            speech.again(header["said"])
            first_traces.settle()
            if trace.data is not None:
                trace.data.settle(header["element"])
            return answer, None
        except (builds.NotRepeatable, captures.NotReachable, outputs.NotEncodable) as error:
            reason = str(error)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            self._run.note(ID, "error", function=trace.name, reason=reason)
        repetition.undo()
        return None, reason

    def _retrace(self, trace, entry, changes):
        from firststep_agent.boost.cache_functions import dependencies

        def retrace():
            dependencies.effects.put_back(changes)
            traced = replay.late_trace(self._create, trace.function_type, trace.type_context, trace.options,
                                       entry.header["names"])
            if canonical.digest(traced._inference_function) != entry.header["canonical"]:
                self._store.quarantine(entry)
                self._run.note(ID, "error", function=trace.name, reason=_TOO_LATE)
                raise replay.TooLate(f"firststep: the tf.function `{trace.name}` was called from firststep's cache, and now {_TOO_LATE}")
            return traced

        return retrace

    def _report(self, trace, answer):
        spent = clock.now() - trace.started_ns
        self._run.note(ID, "live", function=trace.name, saved_ns=replay.saved_ns(answer.entry, spent),
                       lookup_ns=spent - answer.builds_ns, builds_ns=answer.builds_ns)
