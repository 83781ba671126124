"""Carries a boost plan out: the run itself, the one line at ready, the books afterwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from firststep.cache.place import cache_refused
from firststep.launch.session import Session
from firststep.model.plan import Plan


def run_boosted(command: list[str], plan: Plan, *, explain: bool, say: Callable[[str], None]) -> int:
    """Runs `command`; `say` gets the line at ready (at the end where it never was). Returns the program's exit code."""
    root = Path(plan.cache or "")
    said: list[bool] = []
    refused = cache_refused()
    if refused:
        say(f"firststep: {refused}; remedies that need the cache are off")

    def tell(trace: str) -> None:
        said.append(True)
        try:
            tell_of(trace)
        except Exception as error:  # the program runs on, whatever becomes of the words about it
            say(f"firststep: this run could not be summed up: {type(error).__name__}: {error}")

    def tell_of(trace: str) -> None:
        from firststep.boost.outcome import outcome_of  # what comes after the program is imported after its start
        from firststep.boost.say import account_for, explanation, line
        from firststep.model.read_trace import parse_trace

        outcome = outcome_of(parse_trace(trace))
        if outcome is None:
            say("firststep: the program ran plainly: it started no Python process that the agent could get into "
                "(`firststep doctor -- python` says why)")
            return
        say(line(outcome, None if refused else account_for(root, outcome)))
        if explain:
            say(explanation(outcome, tuple(plan.boost)))

    ended = Session(command, plan, on_ready=tell).run()
    if not said:
        tell(ended.trace)
    elif '"unproved"' in ended.trace:
        from firststep.boost.say import unproved
        from firststep.model.read_trace import parse_trace

        if line_at_end := unproved(note for process in parse_trace(ended.trace).processes for note in process.notes):
            say(line_at_end)
    if not refused:
        from firststep.cache.prune import prune

        prune(root)
    return ended.exit_code
