"""Carries a boost plan out: the run itself, the one line at ready, the books afterwards."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection

from firststep.cache.place import cache_refused
from firststep.launch import become, beside
from firststep.printable import say_beside
from firststep.switch import is_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firststep.model.plan import Plan


def boost(command: list[str], *, until: str = "first-step", without: Collection[str] = (), only: Collection[str] = (),
          settings: Collection[str] = (), explain: bool = False, untested_versions: bool = False) -> int:
    """The verb. Raises FirststepError."""
    if is_off():
        become.become(command, os.environ, become.ignored_at_start())
    from firststep.boost.compose import boost_plan
    from firststep.model.plan import Until

    wanted = Until()
    if until != wanted.kind:
        from firststep.launch.until import parse_until

        wanted = parse_until(until)
    plan = boost_plan(wanted, without, only, settings=settings, untested_versions=untested_versions)
    return run_boosted(command, plan, explain=explain, say=say_beside)


def run_boosted(command: list[str], plan: Plan, *, explain: bool, say: Callable[[str], None]) -> int:
    """Runs `command`, in place of this process where that can be; `say` gets the line at ready (at the end where it never was).

    Returns the program's exit code where it ran as a child. Raises FirststepError where it cannot be started. What cannot be
    had for the boosting is said, and the program runs plainly.
    """
    words = _Words(command, plan, explain, say)
    try:
        if beside.possible() and plan.until.kind != "line":
            beside.exec_beside(command, plan, words.prepare, words.at_ready, words.at_end)
        return _run_as_child(command, plan, words)
    except OSError as error:
        say(f"firststep: the program runs plainly: {error.strerror or error}" + (f": {error.filename}" if error.filename else ""))
        become.become(command, os.environ, become.ignored_at_start())
        raise AssertionError("unreachable") from error


def _run_as_child(command: list[str], plan: Plan, words: _Words) -> int:
    from firststep.launch.session import Session
    from firststep.launch.signals import die_of

    ended = Session(command, plan, on_ready=words.at_ready, alone=True).run()
    words.at_end(ended.trace)
    if ended.killed_by:
        die_of(ended.killed_by)
    return ended.exit_code


TOLD_AT_END = ('"unproved"', "OSError")  # without them in a trace nothing is to be said after ready


class _Words:
    """What is said and written down about a run. The program does not wait for it, and does not fail with it."""

    def __init__(self, command: list[str], plan: Plan, explain: bool, say: Callable[[str], None]) -> None:
        self._command = command
        self._plan = plan
        self._explain = explain
        self._say = say
        self._said = False
        self._explained = 0  # notes
        self._refused = cache_refused()
        if self._refused:
            say(f"firststep: {self._refused}; remedies that need the cache are off")

    def prepare(self) -> None:
        """Imports what words need: so much sooner after the program's end its line is there."""
        import firststep.boost.outcome
        import firststep.boost.say  # noqa: F401

    def at_ready(self, trace: str) -> None:
        self._said = True
        try:
            self._tell_of(trace)
        except Exception as error:
            self._say(f"firststep: this run could not be summed up: {type(error).__name__}: {error}")

    def at_end(self, trace: str) -> None:
        if not self._said:
            self.at_ready(trace)
        if self._explain or any(word in trace for word in TOLD_AT_END):
            self._tell_more(trace)
        if not self._refused:
            from pathlib import Path

            from firststep.cache.prune import prune

            prune(Path(self._plan.cache or ""))

    def _tell_more(self, trace: str) -> None:
        from firststep.boost.outcome import outcome_of
        from firststep.boost.say import afterwards, not_kept, unproved
        from firststep.model.read_trace import parse_trace

        parsed = parse_trace(trace)
        outcome = outcome_of(parsed)
        if self._explain and outcome is not None and (more := afterwards(outcome.notes, self._explained)):
            self._say(more)
        notes = [note for process in parsed.processes for note in process.notes]
        for line in filter(None, (unproved(notes), not_kept(notes))):
            self._say(line)

    def _tell_of(self, trace: str) -> None:
        from pathlib import Path

        from firststep.boost.outcome import outcome_of  # what comes after the program's start is imported after it
        from firststep.boost.say import account_for, explanation, line, unheard, untested
        from firststep.model.read_trace import parse_trace
        from firststep_agent.boost.folders import Unsafe

        parsed = parse_trace(trace)
        outcome = outcome_of(parsed)
        if outcome is None:
            self._say(unheard(self._command))
            return
        try:
            account = None if self._refused else account_for(Path(self._plan.cache or ""), outcome)
        except (OSError, Unsafe):  # on a disk that is full, or for reading alone, no account can be opened
            account = None
        self._say(line(outcome, account))
        for told in untested(outcome.notes):
            self._say(told)
        if self._explain:
            self._say(explanation(outcome, tuple(self._plan.boost)))
            self._explained = len(outcome.notes)
        from firststep.analyse.facts import Facts
        from firststep.history.remember import remember

        remember(Facts(parsed), "boost")
