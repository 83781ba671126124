"""`firststep prove`: is one plan faster than the other, by how much, and do both compute the same?"""

from __future__ import annotations

from pathlib import Path

import click

from firststep.cli._output import ResultFile
from firststep.cli._program import OWN_OPTIONS_FIRST, program

RUNS = 10


@click.command("prove", context_settings=OWN_OPTIONS_FIRST)
@click.option("--runs", type=click.IntRange(1), help=f"Runs of each side.  [default: {RUNS}]")
@click.option("--until-resolved", is_flag=True, help="As many runs as it takes, 40 of each side at most.")
@click.option("--plan", "plan_name", metavar="NAME", help="The plan to try.  [default: boost]")
@click.option("--baseline", metavar="'COMMAND'", help="Another command to compare with, instead of COMMAND itself.")
@click.option("--self-check", is_flag=True, help="Compare COMMAND with itself under one plan.")
@click.option("--cold", is_flag=True, help="Empty the page cache before each run.")
@click.option("--compare-output", is_flag=True, help="Standard output is a result, too.")
@click.option("--until", default="first-step", metavar="WHEN", help="When it counts as ready.")
@click.option("--stop", is_flag=True, help="Stop each run that counts at ready: what comes later is not compared.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Longest time of one run.")
@click.option("--untested-versions", is_flag=True, help="Boost versions of Python, TensorFlow and Keras that remedies were not tried on.")
@click.option("--strict", is_flag=True, help="An unclear verdict is a failure.")
@click.option("--json", "json_file", type=ResultFile(), help="Write the comparison as JSON.")
@click.option("--markdown", "markdown_file", type=ResultFile(), help="Write it as Markdown.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND...")
def command(
    runs: int | None,
    until_resolved: bool,
    plan_name: str | None,
    baseline: str | None,
    self_check: bool,
    cold: bool,
    compare_output: bool,
    until: str,
    stop: bool,
    timeout: float | None,
    untested_versions: bool,
    strict: bool,
    json_file: Path | None,
    markdown_file: Path | None,
    words: tuple[str, ...],
) -> int:
    """Run COMMAND under two plans in turn and say whether one is faster, and whether both compute the same."""
    from firststep.cli._output import check_all
    from firststep.cli._switch import refuse_if_off
    from firststep.launch.signals import end_when_asked
    from firststep.prove.drive import Request, carry_out
    from firststep.prove.write import write

    if runs and until_resolved:
        raise click.UsageError("--runs and --until-resolved exclude each other")
    if self_check and baseline:
        raise click.UsageError("--self-check compares COMMAND with itself: there is no --baseline")
    request = Request(
        command=tuple(program(words, "prove")), baseline=baseline, plan=plan_name, self_check=self_check, until=until, stop=stop,
        runs=None if until_resolved else runs or RUNS, cold=cold, compare_output=compare_output,
        timeout=timeout, strict=strict, untested_versions=untested_versions,
    )
    refuse_if_off()
    check_all({"--json FILE": json_file, "--markdown FILE": markdown_file})
    end_when_asked()
    return write(carry_out(request), json_file, markdown_file)
