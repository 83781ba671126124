"""`firststep check`: are the starts still within their budgets, and no slower than they were?"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firststep import exit_codes
from firststep.cli._guard import fault, of_the_machine
from firststep.cli._output import ResultFile
from firststep.errors import FirststepError

if TYPE_CHECKING:
    from firststep.check.drive import Gate
    from firststep.check.judge import Judged
    from firststep.check.settings import Budget, CheckSettings

FILE = ResultFile()


@click.command("check")
@click.option("--config", metavar="FILE", type=FILE, help="The budgets.  [default: the nearest firststep.toml or pyproject.toml]")
@click.option("--baseline", metavar="FILE", type=FILE, help="The stored baseline.  [default: as the budgets say]")
@click.option("--save-baseline", is_flag=True, help="Add a session of runs to the baseline, and judge nothing.")
@click.option("--merge-base", metavar="REF", help="Compare with where this branch left REF, in interleaved runs.")
@click.option("--from", "traces", metavar="FILE", type=FILE, multiple=True, help="Judge this trace (or folder of them) instead of running.")
@click.option("--runs", type=click.IntRange(1, 200), help="Runs of each side.  [default: as many as it takes, 40 at most]")
@click.option("--self-test", is_flag=True, help="How often would a gate be wrong here? 100 are simulated from the runs.")
@click.option("--strict", is_flag=True, help="An inconclusive verdict is a failure.")
@click.option("--json", "json_file", metavar="FILE", type=FILE, help="Write it as JSON (- is standard output).")
@click.option("--markdown", "markdown_file", metavar="FILE", type=FILE, help="Write it as Markdown.")
@click.option("--junit", "junit_file", metavar="FILE", type=FILE, help="Write it as JUnit XML.")
@click.argument("names", nargs=-1, metavar="[PROGRAM]...")
def command(config: Path | None, baseline: Path | None, save_baseline: bool, merge_base: str | None, traces: tuple[Path, ...],
            runs: int | None, self_test: bool, strict: bool, json_file: Path | None, markdown_file: Path | None, junit_file: Path | None,
            names: tuple[str, ...]) -> int:
    """Start the programs of the budgets (or PROGRAM alone) and say whether they are within them. Exit code: 0 they are, 1 something
    regressed, 2 something could not be judged. Budgets: docs/check.md.
    """
    if sum(map(bool, (save_baseline, merge_base, traces, self_test))) > 1:
        raise click.UsageError("--save-baseline, --merge-base, --from and --self-test exclude each other")
    if traces and runs:
        raise click.UsageError("--runs says how many starts to make: --from judges those that were made")
    try:
        return _carried_out(config, baseline, save_baseline, merge_base, traces, runs, self_test, strict,
                            {"--json FILE": json_file, "--markdown FILE": markdown_file, "--junit FILE": junit_file}, names)
    except FirststepError as error:
        raise FirststepError(error.title, error.reason, error.next_step, exit_codes.USAGE) from error
    except click.ClickException:
        raise
    except Exception as error:  # exit code 1 says that something regressed, and nothing else
        raise isinstance(error, OSError) and of_the_machine(error) or fault(error, exit_codes.USAGE) from error


def _carried_out(config: Path | None, baseline: Path | None, save_baseline: bool, merge_base: str | None, traces: tuple[Path, ...],
                 runs: int | None, self_test: bool, strict: bool, files: dict[str, Path | None], names: tuple[str, ...]) -> int:
    from firststep.check.settings import chosen, settings
    from firststep.cli._output import check_all
    from firststep.cli._switch import refuse_if_off
    from firststep.launch.signals import end_when_asked

    if not traces:
        refuse_if_off()
        end_when_asked()
    known = settings(config)
    budgets = chosen(known, names)
    check_all(files)
    if baseline and not save_baseline and not baseline.exists():
        raise FirststepError(f"there is no baseline {baseline}", "",
                             f"firststep check --save-baseline --baseline {shlex.quote(str(baseline))}", exit_codes.USAGE)
    path = baseline or known.baseline
    if save_baseline:
        return _save(known, budgets, path, runs)
    if self_test:
        return _self_test(known, budgets, runs)
    if traces and len(budgets) != 1:
        raise click.UsageError("--from judges traces of one program: name it")
    judged = _judged(known, budgets, path, merge_base, traces, runs)
    return _told(judged, strict, files)


def _judged(known: CheckSettings, budgets: Sequence[Budget], path: Path, merge_base: str | None, traces: Sequence[Path],
            runs: int | None) -> list[Judged]:
    from firststep.check.baseline import read
    from firststep.check.drive import Gate

    folder = known.path.parent
    if merge_base:
        from firststep.check.merge_base import merge_base as checked_out

        with checked_out(merge_base, folder) as base:
            return [_checked(Gate(folder, merge_base=base), budget, runs) for budget in budgets]
    gate = Gate(folder, read(path))
    if traces:
        from firststep.report.load import load, traces_in

        return [gate.judge_traces(budgets[0], [load(one) for one in traces_in(traces)])]
    return [_checked(gate, budget, runs) for budget in budgets]


def _checked(gate: Gate, budget: Budget, runs: int | None) -> Judged:
    return gate.check(budget, runs)[0]


def _told(judged: Sequence[Judged], strict: bool, files: dict[str, Path | None]) -> int:
    from firststep.check.report import as_json, as_junit, as_markdown, print_judged
    from firststep.check.verdict import exit_code
    from firststep.cli._output import write_all

    code = exit_code((program.verdict for program in judged), strict)
    texts = (lambda: as_json(judged, code)), (lambda: as_markdown(judged)), (lambda: as_junit(judged))
    if write_all({option: (path, text) for (option, path), text in zip(files.items(), texts, strict=True)}):
        print_judged(judged, sys.stdout)
    return code


def _save(known: CheckSettings, budgets: Sequence[Budget], path: Path, runs: int | None) -> int:
    from firststep.check.baseline import read, text, with_session
    from firststep.check.drive import Gate
    from firststep.cli._output import write
    from firststep.launch.private_file import check_writable
    from firststep.model.words import count
    from firststep.printable import say, show

    read(path)  # one that cannot be read is told before anything is run
    check_writable(path, "--baseline FILE")
    worked = 0
    for budget in budgets:
        seen = Gate(known.path.parent).measure(budget, runs)
        if seen.problem:
            say(f"firststep: {budget.name}: {seen.problem}")
            continue
        stored = read(path)  # as it is now: another check may have saved its sessions meanwhile
        stored[budget.name] = with_session(stored.get(budget.name), seen.samples, seen.reference)
        write("--baseline FILE", path, text(stored))
        show(f"{budget.name}: {count(len(seen.samples), 'run')} saved, {count(len(stored[budget.name].sessions), 'session')} in {path}")
        worked += 1
    return exit_codes.OK if worked == len(budgets) else exit_codes.USAGE


def _self_test(known: CheckSettings, budgets: Sequence[Budget], runs: int | None) -> int:
    from firststep.check.drive import Gate
    from firststep.check.self_test import LEAST_RUNS, self_test
    from firststep.check.settings import TOTAL
    from firststep.printable import say, show

    code = exit_codes.OK
    for budget in budgets:
        seen = Gate(known.path.parent).measure(budget, max(runs or 2 * LEAST_RUNS, LEAST_RUNS))
        if seen.problem:
            say(f"firststep: {budget.name}: {seen.problem}")
            code = exit_codes.USAGE
            continue
        result = self_test([sample.times[TOTAL] for sample in seen.samples], budget.runs)
        show(f"{budget.name}: {result.words()}" + ("" if result.kept else "; a quieter machine, or more runs, would be a better gate"))
        code = code or (exit_codes.OK if result.kept else exit_codes.FAILED)
    return code
