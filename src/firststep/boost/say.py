"""Words about a boosted run: the one line at ready, and the explanation of each remedy."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from firststep.boost.outcome import BoostedRun
from firststep.boost.same_code import is_unchanged
from firststep.cache import savings
from firststep.model.trace import Note
from firststep.model.words import duration
from firststep.printable import filled
from firststep.remedies import Remedy, all_remedies
from firststep_agent.frameworks.versions import ALLOWS
from firststep_agent.interpreters import let_in, shut_out_by


def account_for(root: Path, outcome: BoostedRun) -> savings.Savings | None:
    """Books the run in the savings; returns the program's account where the run was boosted and one is open."""
    if outcome.stopped or outcome.killed or outcome.uncaught:
        return None
    account = savings.load(root, outcome.program, outcome.prefix)
    if account is not None and account.ready != outcome.ready:
        if not outcome.ready:  # it failed, say: how long that took says nothing of a start
            return None
        account = None
    if account is not None and not is_unchanged(account.code):
        account = None  # the code has been edited since: its start is another one
    if outcome.learning or (account is None and (outcome.learned or outcome.live)):  # it may learn once it is ready
        savings.learned(root, savings.Savings(outcome.program, outcome.python, outcome.prefix, outcome.command, outcome.ttfs_ns,
                                              ready=outcome.ready, code=outcome.code, in_part=not outcome.learning))
        return None
    if account is None or not outcome.live or account.command != outcome.command:  # other arguments may be another length
        return None
    # The learning start watched, and may have read all from a cold disk: no more is booked than the remedies know to have saved.
    return savings.boosted(root, account, min(account.plain_ns - outcome.ttfs_ns, outcome.told_ns))


def line(outcome: BoostedRun, account: savings.Savings | None) -> str:
    """The one line of a run: how long it took, against what is known of the plain start, and what it had of boost."""
    reached = "ready in" if outcome.ready else "ended after"
    begin = f"firststep: {reached} {outcome.ttfs_ns / 1e9:.2f} s"
    if outcome.aside:  # no comparison: what it was faster by lay before that
        return (f"{begin}{_gained(outcome)}; from where the program traces itself (coverage, a debugger, a profiler, an audit hook) it "
                "ran plainly")
    if outcome.stopped:
        return f"{begin}; it was stopped: what it has computed is not to be used"
    if outcome.killed:
        return f"{begin}{_gained(outcome)}; it was gone before it could tell all that it had of boost"
    if outcome.uncaught:  # another start may come further: no comparison, and no promise
        return f"{begin}{_gained(outcome)}; it was ended by {outcome.uncaught}"
    if outcome.learning:
        return begin + _gained(outcome) + "; it has learned, the next start will be faster"
    if not outcome.live:
        return f"{begin}; no remedy was live (`--explain` says why)"
    return begin + _compared(outcome, account) + _gained(outcome)


def unheard(command: Sequence[str]) -> str:
    """The line of a run of which the agent told nothing."""
    if let_in(command, os.environ):
        return ("firststep: nothing was heard of the program: it was ended before it was ready, or started no Python process that "
                f"the agent could get into (`firststep doctor -- {shlex.quote(command[0])}` says why)")
    option = shut_out_by(command)
    if option:
        return (f"firststep: {command[0]} ran plainly: under {option} it does not look where the agent is; leave that out, or enable its "
                "environment once (`firststep enable`), which serves under -I and -E")
    return (f"firststep: {command[0]} ran plainly: it is no Python that the agent can get into; put `firststep boost --` before the "
            "`python` in it, or enable its environment once (`firststep enable`)")


def _compared(outcome: BoostedRun, account: savings.Savings | None) -> str:
    """Against the learning run, the only start of this command that is known, or the first one since an edit; nothing is claimed where
    that was no slower, and nothing said where it was so because it was boosted itself."""
    if account is None:
        return ""
    if outcome.ttfs_ns * NOTICED > account.plain_ns:
        return "" if account.in_part else f", not faster than when it learned ({account.plain_ns / 1e9:.2f} s)"
    saved = f", {account.saved_ns / 1e9:.1f} s saved so far" if account.runs > 1 and account.saved_ns >= LEAST_SAVED_NS else ""
    then = "at the first start of this code" if account.in_part else "when it learned"
    return f", {account.plain_ns / outcome.ttfs_ns:.1f} times as fast as {then} ({account.plain_ns / 1e9:.2f} s{saved})"


NOTICED = 1.05  # times as fast: less is told as 1.0
LEAST_SAVED_NS = 50_000_000  # less is told as 0.0 s
MOST_WORDS = 3


def _gained(outcome: BoostedRun) -> str:
    """What it had of boost, in short words: the remedies that matter most come first in the plan of words."""
    live = [remedy for remedy in sorted(all_remedies(), key=_matters) if remedy.id in outcome.live]
    if not live:
        return ""
    more = f" and {len(live) - MOST_WORDS} more" if len(live) > MOST_WORDS else ""
    return ": " + ", ".join(remedy.short for remedy in live[:MOST_WORDS]) + more


FIRST = ("cache-functions", "import-image", "pause-garbage-collection", "compile-bytecode", "prefetch-pages", "prebuild-variables",
         "overlap")  # what gains most, by docs/benchmarks.md


def _matters(remedy: Remedy) -> int:
    return FIRST.index(remedy.id) if remedy.id in FIRST else len(FIRST)


def unproved(notes: Iterable[Note]) -> str | None:
    """The line at the end of a run whose answers could not all be proved, or None."""
    names = [str(note.labels.get("function")) for note in notes if note.what == "unproved" and note.labels.get("answered")]
    if not names:
        return None
    return (f"firststep: no proof came to its end for {', '.join(sorted(set(names)))}: not used again before one has "
            "(`--explain` says why; `--proof wait` waits for it)")


def not_kept(notes: Iterable[Note]) -> str | None:
    """The line at the end of a run that could not write what it had learned, or None: the next start learns again."""
    reasons = [str(note.labels.get("reason")) for note in notes if note.what == "error"]
    why = next((reason.partition(": ")[2] for reason in reasons if reason.startswith("OSError: ")), None)
    return None if why is None else (f"firststep: what was learned could not be kept: {why}; the next start learns it again "
                                     "(`firststep cache list` says where it is kept)")


def untested(notes: Iterable[Note]) -> Iterator[str]:
    """A line for each version that remedies were not tried on, and so are off; in part those that have done something all the same."""
    notes = list(notes)
    off: dict[str, list[str]] = {}
    live = {note.remedy for note in notes if note.what == "live"}
    for note in notes:
        reason = str(note.labels.get("reason", ""))
        if reason.endswith(ALLOWS):
            shown = f"{note.remedy} in part" if note.remedy in live else note.remedy
            off.setdefault(reason.removesuffix(ALLOWS).rstrip(), []).append(shown)
    for reason, remedies in off.items():
        are = "1 remedy is" if len(remedies) == 1 else f"{len(remedies)} remedies are"
        yield f"firststep: {reason}; {are} off ({', '.join(remedies)}; `--untested-versions` allows them)"


def explanation(outcome: BoostedRun, planned: tuple[str, ...]) -> str:
    """Remedy by remedy: what it did in this run, on what, and why not."""
    return "\n".join(part for remedy in all_remedies() for part in _explain(remedy, outcome, planned))


def afterwards(notes: Sequence[Note], told_before: int = 0) -> str:
    """What remedies did after the first step, one line each; empty where they did nothing. told_before: so many of the notes were told
    already."""
    told = [f"  {note.remedy}: {_say(note)}" for note in _each_once(notes, told_before)]
    return "\n".join(["  after the first step", *told]) if told else ""


def _explain(remedy: Remedy, outcome: BoostedRun, planned: tuple[str, ...]) -> Iterator[str]:
    notes = [note for note in outcome.notes if note.remedy == remedy.id]
    yield f"  {remedy.id}: {remedy.title}"
    if remedy.id not in planned:
        yield "      switched off"
    elif not notes:
        yield "      nothing to do up to here"  # it may have after the first step, and says so then
    for note in _each_once(notes):
        yield f"      {_say(note)}"


def _each_once(notes: Sequence[Note], told_before: int = 0) -> Iterator[Note]:
    """The notes, those apart that were told before, and why a function is refused once: each of its traces says so."""
    refusals = set()
    for number, note in enumerate(notes):
        words = note.remedy, _say(note)
        if not (note.what == "refused" and words in refusals) and number >= told_before:
            yield note
        refusals.add(words)


def _say(note: Note) -> str:
    labels = dict(note.labels)
    reason = labels.pop("reason", None)
    saved = labels.pop("saved_ns", None)
    words = note.what if reason is None else f"{note.what}: {reason}"
    if saved is not None:  # what else took how long says less
        labels = {name: value for name, value in labels.items() if not name.endswith("_ns")}
    details = [_detail(name, value) for name, value in labels.items()]
    if isinstance(saved, int) and saved > 0:
        details.append(f"saved about {duration(saved)}")
    return words + (f" ({', '.join(details)})" if details else "")


def _detail(name: str, value: object) -> str:
    words = name.removesuffix("_ns").replace("_", " ")
    if value is True:  # the name says it
        return words
    return f"{words} {duration(value) if name.endswith('_ns') and isinstance(value, int) else value}"


def catalogue() -> str:
    """Every remedy and its whole explanation."""
    return "\n\n".join(f"{remedy.id}\n\n{filled(remedy.explanation, '    ')}" for remedy in all_remedies())
