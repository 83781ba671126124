"""The report of a start, as values: a verdict, what to do, where the time went, and what boost would bring."""

from __future__ import annotations

import shlex
import signal
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from firststep.analyse import phases
from firststep.analyse.agent_cost import agent_cost
from firststep.analyse.facts import Facts
from firststep.analyse.marks import marks
from firststep.analyse.partition import partition
from firststep.analyse.processes import looks_like_python, processes, unwatched
from firststep.analyse.source_lines import source_lines
from firststep.analyse.stillness import stillness
from firststep.causes._stretches import joined, of_phases, outside, time_in
from firststep.diagnose import diagnosis, worth
from firststep.model.facts import Stillness
from firststep.model.findings import Cut, Finding, Gain
from firststep.model.trace import KILLED, Trace
from firststep.model.words import MILLISECOND, SECOND, count, cpu_count, duration
from firststep.report.details import detail
from firststep.report.places import short_place, source
from firststep.report.tree import FindingRow, LineRow, NoteRow, PhaseRow, Report
from firststep.report.wording import TimeScale, add_up
from firststep_agent.interpreters import shut_out_by

MOST_FINDINGS = 7
FOR_NOTHING = 2  # of them: a GPU that is not used, say
MATTERS = 0.01  # of the whole: a phase below that is only named among the others
LINES = 5
LINE_MATTERS = 0.005
MOST_NAMED = 5  # of what the program named, phases and moments each
SAYS_LITTLE = (phases.USER, phases.LIBRARIES, phases.INTERPRETER)  # phases whose names leave open what ran
OWN_CODE = "slow-own-code"
LARGER_LATER = "larger-step-later"
UNTRIED = "untried"  # a mark of the agent's: a version that nobody has tried
WORTH_BOOSTING = 0.1  # of the start: less is no promise to make
READY_WORDS = {
    "train": "the end of its first training step",
    "predict": "its first prediction",
    "exit": "its exit",
    "port": "an answer on port {label}",
    "http": "an answer from {label}",
    "line": "the line {label!r}",
    "mark": "the mark {label!r}",
}


def compose(facts: Facts) -> Report:
    """The report of the start that these are the facts of."""
    whole = facts(partition)
    scale = TimeScale(whole.wall_ns)
    found = facts(diagnosis)
    rows, rest = _phases(facts, scale)
    return Report(
        time=scale.time(whole.wall_ns),
        reached=reached(facts.trace),
        verdict=verdict(facts),
        command=shlex.join(map(str, facts.trace.header.get("command", ()))),
        machine=_machine(facts.trace),
        findings=tuple(finding_row(facts, one) for one in shown_of(found.findings)),
        more=max(0, len(found.findings) - MOST_FINDINGS),
        phases=rows,
        rest=rest,
        outlook=_outlook(facts),
        lines=tuple(_lines(facts, scale)),
        notes=tuple(_notes(facts)),
    )


def shown_of(findings: Sequence[Finding]) -> list[Finding]:
    """As many as fit on the first screen, in their order: none that gains less than one that is not shown. Those that cost the start
    no time, and were worth saying all the same, keep some places."""
    free = [one for one in findings if not one.gain.high_ns and not one.costs_every_step][:FOR_NOTHING]
    others = sorted((one for one in findings if one not in free), key=lambda one: (not one.costs_every_step, -worth(one)))
    kept = {one.id for one in others[:MOST_FINDINGS - len(free)]}
    return [*[one for one in findings if one.id in kept], *free]


def reached(trace: Trace) -> str:
    """What the start ended with, in words."""
    kind, value = (*trace.header.get("until", ()), None, None)[:2]
    if trace.ready is None:
        code = trace.header.get("exit_code")
        how = [_exit_code(code) if code else "", trace.uncaught or ""]
        ended = f" ({', '.join(filter(None, how))})" if any(how) else ""
        if trace.cut_short:
            return f"its end{ended}; what it did is not all there"
        if kind == "exit" and not _unwatched(trace):
            return READY_WORDS["exit"] + ended
        return f"its end{ended}; {_instead(trace, kind, value)}"
    if kind == "step" and trace.ready.kind == "train":
        return f"the end of its training step {value}"
    return READY_WORDS[trace.ready.kind].format(label=trace.ready.label)


def _exit_code(code: int) -> str:
    """`exit code 3`; `exit code 137, as of SIGKILL`."""
    try:
        return f"exit code {code}, as of {signal.Signals(code - KILLED).name}"
    except ValueError:  # no signal has that number
        return f"exit code {code}"


NEVER = {"port": "it never answered on port {0}", "http": "it never answered from {0}",
         "line": "it never wrote the line {0!r} to standard output", "mark": "it never came to the mark {0!r}",
         "predict": "it predicted nothing"}

TRAINED = "training_steps"  # a counter of the agent's


def _instead(trace: Trace, kind: str | None, value: Any) -> str:
    """What is known of a program that ended before what was waited for."""
    if _unwatched(trace):
        return "it was not watched"
    if trace.header.get("lost"):
        return "what it did is not known"
    if trace.header.get("given_up"):
        return "its output was not looked through, for the pattern of --until takes too long"
    if kind in NEVER:
        return NEVER[kind].format(value)
    steps = _training_steps(trace)
    if not steps:
        return "it made no training step" if kind == "step" else "it neither trained nor predicted"  # predictions are not waited for
    if kind == "step":
        told = any(TRAINED in process.counters for process in trace.processes)
        return f"it made {'' if told else 'at least '}{count(steps, 'training step')} of {value}"
    return f"it made {count(steps, 'training step')}"


def _training_steps(trace: Trace) -> int:
    """Of the process with most. One that was killed told its first alone."""
    counted = [int(process.counters.get(TRAINED, 0)) for process in trace.processes]
    seen = [step.number for process in trace.processes for step in process.steps if step.kind == "train"]
    return max((*counted, *seen), default=0)


def _unwatched(trace: Trace) -> bool:
    """Whether the agent got into no process, as in a shell script; where its part was lost, it may have."""
    return not trace.processes and not trace.header.get("lost")


def _why_unwatched(trace: Trace) -> str:
    """Empty where the row of the process that was not watched says all that is known."""
    command = tuple(map(str, trace.header.get("command") or ("the command",)))
    if option := shut_out_by(command):
        return f"leave {option} out, or enable its environment once (`firststep enable`), which serves under -I and -E"
    if not looks_like_python(command):
        return f"{command[0]} is no Python that firststep can get into: put `firststep record --` before the `python` in it"
    return f"{command[0]} was ended by a signal before it had told anything" if trace.was_killed else ""


def verdict(facts: Facts) -> str:
    """One sentence: what most of the time went into, and what most of it can be saved on."""
    whole, findings = facts(partition), facts(diagnosis).findings
    if not whole.wall_ns:
        return "There is nothing to explain."
    if facts.trace.cut_short:
        return "This is not the whole trace: the file ends before its last record, and what followed is unaccounted."
    if _unwatched(facts.trace):
        return "No Python process was watched: nothing is known of where its time went."
    phase, ns = max(whole.phases.items(), key=lambda item: item[1])
    mine = phase == phases.USER
    where = "".join(f", {clause}" for clause in detail(facts, phase)[:1] if phase in SAYS_LITTLE)
    words = f"{phase[:1].upper()}{phase[1:]} took {ns / whole.wall_ns:.0%} of it{where}"
    if any(one.id == LARGER_LATER for one in findings):
        return words + "; but a larger first step came after it, which --until step:N waits for."
    if not findings:
        return words + "; no cause of a slow start was found."
    first = findings[0]
    if first.costs_every_step:
        return f"{first.what[:1].upper()}{first.what[1:]}: {first.evidence.words}. {words}."
    if first.severity == "low" and not first.after_ready:
        return words + "; no cause that was found matters much."
    if mine and (ns > first.gain.high_ns or first.id == OWN_CODE):  # what the program does itself may be the most to gain
        other = next((one for one in findings if one.id != OWN_CODE and not one.after_ready and gain_words(one.gain)), None)
        if other is None:
            return words + "."
        saves = f"{other.id} may save {gain_words(other.gain)}"
        return words + (f"; {saves} of it." if _is_most_of(facts, phase, other.cuts) else f"; besides, {saves}.")
    most = max(findings, key=lambda one: one.gain.middle_ns)
    gain, after = gain_words(first.gain), " after it" if first.after_ready else ""
    if not gain:
        return words + f"; look first at {first.id}."
    if first.confidence == "low" or first.gain.middle_ns < most.gain.middle_ns:  # another may save more, and is less sure, or the machine's
        return words + f"; look first at {first.id}, which may save {gain}{after}."
    later = "after it, " if first.after_ready else ""
    about = "" if gain.startswith(UP_TO) else "about "
    return words + f"; the most to gain is {later}from {first.id}, {about}{gain}."


def _is_most_of(facts: Facts, phase: str, cuts: Sequence[Cut]) -> bool:
    """Whether most of what would go is of this phase."""
    gone = joined(cuts)
    return time_in(outside(gone, of_phases(facts, phase))) < time_in(gone) / 2


UP_TO = "up to "


def gain_words(gain: Gain) -> str:
    """`0.6 to 0.8 s`, or one time where both are the same to the eye."""
    unit, name = (SECOND, "s") if gain.high_ns >= SECOND else (MILLISECOND, "ms")
    low, high = (f"{ns / unit:.1f}" if unit == SECOND else f"{ns / unit:.0f}" for ns in gain)
    if round(gain.high_ns / MILLISECOND) == 0:
        return ""
    if gain.low_ns < gain.high_ns / 20:
        return f"{UP_TO}{high} {name}"
    return f"{high} {name}" if low == high else f"{low} to {high} {name}"


def finding_row(facts: Facts, one: Finding) -> FindingRow:
    """One finding in words."""
    line = one.evidence.line
    runs = any(not process.has_ended for process in facts.trace.processes[:1])  # it costs more with each round
    when = "" if not one.after_ready else "so far" if runs else "later"
    return FindingRow(one.id, one.what, gain_words(one.gain), one.evidence.words,
                      short_place(line, facts.trace) if line else "", one.do, one.severity, one.confidence, when)


def _outlook(facts: Facts) -> str:
    whole, gain = facts(partition).wall_ns, facts(diagnosis).boosted
    if not whole or facts.trace.header.get("boost") or gain.middle_ns < whole * WORTH_BOOSTING:
        return ""
    return (f"firststep boost would bring this start from {duration(whole)} to about {duration(whole - gain.middle_ns)}, "
            "from its third run on")


def _machine(trace: Trace) -> str:
    host = trace.header.get("host", {})
    python = str(trace.processes[0].header.get("python", "")).split()[:1] if trace.processes else []
    cpus = host.get("cpu_quota") or host.get("usable_cpus") or host.get("cpus")
    low, high = trace.spawned
    words = [
        f"Python {python[0]}" if python else "no Python process was watched",
        cpu_count(cpus) if cpus else "",
        str(host.get("cpu") or host.get("machine") or ""),
        f"load {host['load'][0]:.1f}" if host.get("load") else "",
    ]
    return ", ".join(word for word in words if word) + f"; start known to ±{duration((high - low) // 2)}"


def _phases(facts: Facts, scale: TimeScale) -> tuple[tuple[PhaseRow, ...], PhaseRow | None]:
    whole = facts(partition)
    rows, small = _by_size(whole.phases, whole.wall_ns)
    steps = add_up(dict([*rows, *small]), scale)
    longest = max(steps[name] for name, _ in rows) or 1
    wall = whole.wall_ns or 1
    shown = tuple(
        PhaseRow(name, scale.text(steps[name]), ns / wall, steps[name] / longest, tuple(detail(facts, name)))
        for name, ns in rows
    )
    if not small:
        return shown, None
    total = sum(ns for _, ns in small)
    return shown, PhaseRow("the rest", scale.text(sum(steps[name] for name, _ in small)), total / wall, 0.0,
                           tuple(name for name, _ in small))


def _by_size(times: Mapping[str, int], wall: int) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Phases that mattered, costliest first with `unaccounted` last, and the small others."""
    unaccounted = (phases.UNACCOUNTED, times[phases.UNACCOUNTED])
    named = [(name, ns) for name, ns in times.items() if ns and name != phases.UNACCOUNTED]
    named.sort(key=lambda row: -row[1])
    rows = [row for row in named if row[1] >= wall * MATTERS]
    return [*rows, unaccounted], named[len(rows) :]


def _lines(facts: Facts, scale: TimeScale) -> Iterator[LineRow]:
    wall = facts(partition).wall_ns
    shown = sorted(facts(source_lines), key=lambda row: -row.total_ns)
    for row in [row for row in shown if row.self_ns >= wall * LINE_MATTERS][:LINES]:
        yield LineRow(short_place(row.line, facts.trace), scale.time(row.total_ns), source(row.line, facts.trace))


def _named(facts: Facts) -> str:
    """What the program named, in words: the longest of its phases, the last of its moments."""
    found = facts(marks)
    phases_ = [f"{one.name} {duration(one.ns)}" + (f" ({one.times} times)" if one.times > 1 else "") for one in found.phases[:MOST_NAMED]]
    moments = [f"{one.name} after {duration(one.after_ns)}" for one in found.moments[-MOST_NAMED:]]
    left = len(found.phases) + len(found.moments) - len(phases_) - len(moments)
    more = [f"{left} more (`--json` has them)"] if left else []
    return "named by your program: " + ", ".join([*phases_, *moments, *more]) if phases_ or moments else ""


def _still(found: Stillness, trace: Trace) -> str:
    """Where it stood, and who it may have waited for."""
    at = f": it was at {short_place(found.line, trace)}" if found.line else ""
    others = "".join(f"; thread {name} was at {short_place(line, trace)}" for name, line in found.threads[:MOST_NAMED])
    return f"nothing moved in its last {duration(found.ns)}{at}{others}"


def _unseen(trace: Trace) -> str:
    """What may have been overlooked: versions that nobody has tried, and places that were to be watched and are not there."""
    reasons = dict.fromkeys(str(mark.labels.get("reason")) for process in trace.processes for mark in process.marks if mark.name == UNTRIED)
    places = list(dict.fromkeys(".".join(place) for process in trace.processes for place in process.missing))
    more = f" and {len(places) - 1} more" if places[1:] else ""
    lacking = f"not watched, for it is not there: {places[0]}{more}" if places else ""
    elsewhere = "what it does in other places was not seen" if reasons else ""
    return "; ".join(part for part in (*reasons, elsewhere, lacking) if part)


def _notes(facts: Facts) -> Iterator[NoteRow]:
    if _unwatched(facts.trace) and (why := _why_unwatched(facts.trace)):
        yield NoteRow(why, "warning")
    if named := _named(facts):
        yield NoteRow(named)
    found = facts(processes)
    ready = [process for process in found if process.on_path and process.own_ready_ns is not None]
    if len(found) > 1 and ready:
        where = f"ready came in pid {ready[-1].pid}, {duration(ready[-1].own_ready_ns or 0)} after that one began"
        yield NoteRow(f"{len(found)} processes were watched; {where}")
    kernels = [process for process in facts.trace.processes if process.cells and process.pid != found[0].pid]
    if kernels and not ready:
        yield NoteRow(f"the cells ran in pid {kernels[0].pid}, which was waited for: their lines are those of that process")
    if still := facts(stillness):
        yield NoteRow(_still(still, facts.trace), "warning")
    if any(process.end and process.end[1] == "aside" for process in facts.trace.processes):
        yield NoteRow("the program traces itself (coverage, a debugger, a profiler, an audit hook): from there on it was not watched",
                      "warning")
    if unseen := _unseen(facts.trace):
        yield NoteRow(unseen, "warning")
    for one in facts(diagnosis).failed:
        yield NoteRow(f"{one.id} could not be looked for: {one.error}", "warning")
    if lost := facts.trace.header.get("lost"):
        yield NoteRow(f"part of the trace could not be written: {lost}", "warning")
    for child in facts(unwatched):
        command = textwrap.shorten(shlex.join(child.command), 60, placeholder=" …")
        yield NoteRow(f"not watched: {command} (pid {child.pid}): {child.reason}", "warning")
    errors = Counter(error for process in facts.trace.processes for error in process.errors)
    for error, times in errors.items():
        often = f" ({count(times, 'time')})" if times > 1 else ""
        yield NoteRow(f"not everything could be watched: {error}{often}", "warning")
    cost = facts(agent_cost)
    yield NoteRow(f"firststep itself: {duration(cost.load_ns)} to load, {duration(cost.thread_cpu_ns)} of CPU in its "
                  f"own thread ({cost.share:.1%})")
