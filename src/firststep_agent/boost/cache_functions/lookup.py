"""Finds the entry that answers a trace, binds it, or says why none does."""

from firststep_agent import clock
from firststep_agent.boost.cache_functions import ID, builds, captures, outputs, paths, replay


class Lookup:
    """Asks the store on behalf of one process."""

    def __init__(self, run, kept, create):
        self._run = run
        self._store = kept
        self._create = create

    def find(self, trace):
        """(lazy concrete function, None), or (None, why the newest entry does not hold; None where there is none)."""
        first_reason = None
        for entry in self._store.candidates(trace.primary):
            answer, reason = self._try(trace, entry)
            if answer is not None:
                self._store.touch(entry)
                self._report(trace, entry)
                return replay.lazy_class()(answer), None
            first_reason = first_reason or reason
        return None, first_reason

    def _try(self, trace, entry):
        from firststep_agent.boost.cache_functions import dependencies

        header = entry.header
        resolve = paths.resolver(trace.function)
        repetition = builds.Repetition(header["builds"], resolve)
        try:
            reason = dependencies.verify(header["manifest"], trace.function)
            if reason is not None:
                return None, reason
            function_type = replay.function_type_of(entry, trace.function_type)
            repetition.perform()
            bound = captures.bind(header["captures"], resolve)
            answer = replay.Answer(entry, bound, self._run, self._retrace(trace, entry), function_type)
            _advance_names(header["names"])
            return answer, None
        except (builds.NotRepeatable, captures.NotReachable, outputs.NotEncodable) as error:
            reason = str(error)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            self._run.note(ID, "error", function=trace.name, reason=reason)
        repetition.undo()
        return None, reason

    def _retrace(self, trace, entry):
        def retrace():
            from firststep_agent.boost.cache_functions import dependencies

            reason = dependencies.verify(entry.header["manifest"], trace.function)
            if reason is not None:
                self._run.note(ID, "refused", function=trace.name,
                               reason=f"traced after all, by when something had changed: {reason}")
            return replay.late_trace(self._create, trace.function_type, trace.type_context, trace.options)

        return retrace

    def _report(self, trace, entry):
        spent = clock.now() - trace.started_ns
        self._run.note(ID, "live", function=trace.name, saved_ns=replay.saved_ns(entry, spent), lookup_ns=spent)


def _advance_names(moved):
    """Keras's counters of names stand where the trace would have left them."""
    if not moved:
        return
    from keras.src.backend.common import global_state

    import collections

    counters = global_state.get_global_attribute("object_name_uids", default=collections.defaultdict(int),
                                                 set_to_default=True)
    for prefix, count in moved.items():
        counters[prefix] += count


