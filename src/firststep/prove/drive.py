"""Carries a request out: plans, page cache, the runs with their progress, the judgement."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass

from firststep import exit_codes
from firststep.errors import FirststepError
from firststep.launch.until import parse_until
from firststep.model.plan import Plan
from firststep.prove.experiment import DETERMINISTIC, ONE_THREAD, Design, experiment
from firststep.prove.judge import Question, judge
from firststep.prove.measure import run_once
from firststep.prove.page_cache import Emptied, empty
from firststep.prove.plans import PLAIN, named_plan
from firststep.prove.progress import Progress
from firststep.prove.proof import Proof
from firststep.prove.run import ComparedRun, Purpose, Side

_SINGLE = {"TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1", "OMP_NUM_THREADS": "1"}
CAREFUL: dict[str, dict[str, str]] = {
    "": {},
    ONE_THREAD: _SINGLE,
    DETERMINISTIC: {**_SINGLE, "TF_DETERMINISTIC_OPS": "1"},
}


@dataclass(frozen=True)
class Request:
    """What the user typed; plan None: boost, or plain where a baseline is given."""

    command: tuple[str, ...]
    baseline: str | None
    plan: str | None
    self_check: bool
    until: str
    stop: bool
    runs: int | None
    cold: bool
    compare_output: bool
    timeout: float | None
    strict: bool
    untested_versions: bool = False


def carry_out(request: Request) -> Proof:
    """Raises FirststepError where a command cannot be started, or the request makes no sense."""
    until = parse_until(request.until)
    if until.kind == "line" and request.compare_output:
        raise FirststepError("--compare-output and --until line: both want standard output", "",
                             "name the moment otherwise: mark:NAME, port:N", exit_codes.USAGE)
    treated = named_plan(_plan_name(request), until, request.stop, request.untested_versions)
    plain = treated if request.self_check else named_plan(PLAIN, until, request.stop)
    question = Question(_sides(request), bool(treated.boost) and not request.self_check, request.strict,
                        request.self_check, request.compare_output)
    with NoInput():
        runner = _Runner(request, {Side.PLAIN: plain, Side.TREATED: treated})
        design = Design(request.runs, bool(treated.boost))
        evidence = experiment(runner.run_once, design, Progress(question, design))
    return Proof(shlex.join(request.command), request.baseline, question, evidence, judge(evidence, question),
                 runner.emptied)


def _plan_name(request: Request) -> str:
    return request.plan or (PLAIN if request.baseline or request.self_check else "boost")


def _sides(request: Request) -> tuple[str, str]:
    if request.self_check:
        return "A", "A again"
    name = _plan_name(request)
    if request.baseline:
        return "baseline", "command" if name == PLAIN else f"command under {name}"
    return PLAIN, "plain again" if name == PLAIN else name


class _Runner:
    """Makes one run after the other."""

    def __init__(self, request: Request, plans: dict[Side, Plan]) -> None:
        self._request = request
        self._plans = plans
        self._commands = {Side.PLAIN: _words(request), Side.TREATED: list(request.command)}
        self._folders: tuple[str, ...] = ()
        self.emptied: Emptied | None = None

    def run_once(self, side: Side, purpose: Purpose, how: str) -> ComparedRun:
        if self._request.cold and purpose is Purpose.COUNTED:
            self.emptied = empty(self._folders)
        plan = self._plans[side]
        if purpose is Purpose.LEARNING:
            plan = plan.but(stop=False)  # what is learned is written after ready, and some of it at the end
        run = run_once(
            self._commands[side], plan, side, purpose, timeout=self._request.timeout,
            compare_output=self._request.compare_output, environment=CAREFUL[how],
        )
        self._folders = run.folders or self._folders
        return run


def _words(request: Request) -> list[str]:
    if request.baseline is None:
        return list(request.command)
    try:
        words, why = shlex.split(request.baseline), ""
    except ValueError as error:
        words, why = [], str(error)
    if not words:
        raise FirststepError("--baseline names no command", why, "--baseline 'python other.py'", exit_codes.USAGE)
    return words


class NoInput:
    """Standard input is empty in every run: what the first one read, the second could not."""

    def __enter__(self) -> None:
        self._kept = os.dup(0)
        empty_input = os.open(os.devnull, os.O_RDONLY)
        os.dup2(empty_input, 0)
        os.close(empty_input)

    def __exit__(self, *error: object) -> None:
        os.dup2(self._kept, 0)
        os.close(self._kept)
