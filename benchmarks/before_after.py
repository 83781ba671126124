"""A program of the zoo before and after a remedy: boost's, alone and after the runs in which it learns; the edit that the cause advises,
made to a copy of the program; or other circumstances.
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bare_environment import bare_environment
from circumstances import around
from harness import PYTHON, ZOO, wall
from proving import own_cache

from firststep.boost.compose import boost_plan
from firststep.launch.session import Session
from firststep.model.plan import OBSERVE_READY, Plan, Until
from firststep.model.read_trace import parse_trace
from firststep.prove import page_cache

LEARNING_RUNS = 2  # the first learns, the second confirms
FIRST_STEP, EXIT = "its first step", "its end"


@dataclass(frozen=True)
class Remedied:
    """One comparison. causes: it stands for; words: what is done; until: FIRST_STEP or EXIT; start(): a context that gives two functions,
    each a run's seconds; seconds: of a pair on two CPUs."""

    causes: tuple[str, ...]
    program: str
    words: str
    until: str
    start: Callable
    pairs: int
    seconds: float


def boosted(causes, name, *remedies, until=FIRST_STEP, pairs=4, seconds=10, bare=False, cold=False):
    """The program as it is, against boost with these remedies alone."""
    @contextlib.contextmanager
    def start():
        with bare_environment() if bare else contextlib.nullcontext(PYTHON) as python, own_cache():
            command = [python, str(ZOO / f"{name}.py")]
            plain, treated = _plan(until), boost_plan(only=remedies).but(until=_plan(until).until, observe=OBSERVE_READY)
            empty = (os.path.dirname(os.path.dirname(python)),) if cold else ()
            for _ in range(LEARNING_RUNS):
                _run(command, treated, empty)
            stopped = treated.but(stop=until == FIRST_STEP)
            yield lambda: _run(command, plain, empty), lambda: _run(command, stopped, empty)

    words = f"boost with {' and '.join((', '.join(remedies[:-1]), remedies[-1])) if remedies[1:] else remedies[0]}"
    return Remedied(causes, f"zoo/{name}.py{_said(bare, cold)}", words, until, start, pairs, seconds)


def _said(bare, cold):
    return ", without bytecode and read-only," if bare else ", the page cache dropped," if cold else ""


def edited(causes, name, words, *edits, before=(), after=(), of="", until=FIRST_STEP, pairs=4, seconds=8):
    """The program with the arguments `before`, against a copy in which each edit (old text, new text) is made, with those of `after`.

    of: the file that is edited, where it is another than the program. What the program needs around it to show its cause, both have.
    """
    @contextlib.contextmanager
    def start():
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            copy = Path(folder, "zoo")
            shutil.copytree(ZOO, copy, ignore=shutil.ignore_patterns("__pycache__"))
            place = copy / (of or f"{name}.py")
            place.write_text(with_edits(place.read_text(), edits))
            Path(folder, "data").mkdir()
            surrounded = stack.enter_context(around(ZOO / f"{name}.py", causes[0])(PYTHON, ZOO / f"{name}.py", Path(folder, "data")))
            yield tuple(_started(surrounded, root / f"{name}.py", arguments, until)
                        for root, arguments in ((ZOO, before), (copy, after)))

    said = " ".join((f"zoo/{name}.py", *map(str, before)))
    return Remedied(causes, said, words, until, start, pairs, seconds)


def surrounded_otherwise(causes, name, said, words, one, other, pairs=4, seconds=8):
    """The program in two circumstances, until its end. said: what the first ones are."""
    @contextlib.contextmanager
    def start():
        program = ZOO / f"{name}.py"
        with contextlib.ExitStack() as stack:
            folders = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(2)]
            starts = [stack.enter_context(each(PYTHON, program, folder)) for each, folder in zip((one, other), folders, strict=True)]
            yield tuple(_started(each, program, (), EXIT) for each in starts)

    return Remedied(causes, f"zoo/{name}.py, {said},", words, EXIT, start, pairs, seconds)


def _started(surrounded, program, arguments, until):
    """A function that runs it, after one run in which its bytecode and its files are made."""
    command = [surrounded.python, str(program), *map(str, arguments)]
    environment = {**os.environ, **surrounded.environment}

    def run():
        surrounded.again()
        if until == EXIT:
            return wall([*surrounded.before, *command], env=environment)
        return _run(command, _plan(until), environment=environment)

    run()
    return run


def with_edits(text, edits):
    """Each old text stands there once."""
    for old, new in edits:
        if text.count(old) != 1:
            raise RuntimeError(f"the program has changed: {old!r} stands there {text.count(old)} times")
        text = text.replace(old, new)
    return text


def _plan(until):
    return Plan(observe=OBSERVE_READY, stop=True) if until == FIRST_STEP else Plan(until=Until("exit"), observe=OBSERVE_READY)


def _run(command, plan, empty=(), environment=None):
    """Seconds from the spawn to what the plan waits for; the page cache without `empty`'s files before."""
    if empty:
        page_cache.empty(empty)
    ended = Session(command, plan, environment=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run()
    if ended.exit_code and not ended.stopped:
        raise RuntimeError(f"{command} ended with exit code {ended.exit_code}")
    trace = parse_trace(ended.trace)
    return (trace.end - trace.spawned[0]) / 1e9
