"""`firststep report`: show a saved trace again, or write it for others. Needs neither the program nor TensorFlow."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from firststep.cli._output import ResultFile
from firststep.report.formats import names

if TYPE_CHECKING:
    from collections.abc import Callable

    from firststep.model.profile import Profile
    from firststep.model.trace import Trace
    from firststep.report.formats import ReportedStart


ASKED = "firststep.topics"
F = TypeVar("F", bound="Callable[..., Any]")


def _topic(name: str, words: str) -> Callable[[F], F]:
    """The option that asks for one topic; they are drawn in the order in which they are asked for."""

    def ask(context: click.Context, _option: click.Parameter, value: bool) -> None:
        if value:
            context.meta.setdefault(ASKED, []).append(name)

    return click.option(f"--{name}", is_flag=True, expose_value=False, callback=ask, help=words)


@click.command("report")
@click.argument("files", nargs=-1, metavar="[TRACE] [TRACE]", type=click.Path(path_type=Path))
@click.option("--html", "page", metavar="FILE", type=ResultFile(str),
              help="Write a page of one file; with two traces, both side by side. - is stdout.")
@click.option("--format", "name", type=click.Choice(names()), help="Write it as NAME, by default to stdout (docs/report.md).")
@click.option("-o", "--output", metavar="FILE", type=ResultFile(str),
              help="Where --format goes: a file, - for stdout; for otlp also a collector's address.")
@click.option("--with", "profiles", metavar="FILE", multiple=True, type=click.Path(path_type=Path),
              help="Lay the profile of the same run beside it: SQLite of Nsight Systems, xplane.pb or trace.json.gz of TensorFlow.")
@click.option("--no-redact", is_flag=True, help="Write folders, hosts, buckets, user names, tokens and options as they are.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@_topic("findings", "Everything that was found, and what could not be looked for.")
@_topic("imports", "Imports by package.")
@_topic("traces", "Functions traced, how often and why again.")
@_topic("variables", "Variables by initialiser.")
@_topic("sessions", "Sessions, initialisations and models by line.")
@_topic("weights", "Models, weights and checkpoints.")
@_topic("data", "Input pipelines by transformation.")
@_topic("lines", "Your program's lines.")
@click.pass_context
def command(context: click.Context, files: tuple[Path, ...], page: str | None, name: str | None, output: str | None,
            profiles: tuple[Path, ...], no_redact: bool, as_json: bool) -> None:
    """Show the trace in TRACE again, topics of it in full, or write it for others; without TRACE, the newest one that was kept."""
    topics: list[str] = context.meta.get(ASKED, [])
    wanted = _wanted(page, name, as_json, topics, output)
    named = _files(files, wanted)
    if profiles:
        _check_profiles(wanted, topics, named)
    if wanted:
        _write(wanted, [start(file, not no_redact, profiles, wanted) for file in named], page if page else output or "-",
               "--html FILE" if page else "-o FILE")
    else:
        _print(named[0], topics, profiles)


def _print(file: Path, topics: list[str], profiles: tuple[Path, ...]) -> None:
    from firststep.report.load import load

    trace = load(file)
    beside = _profiles(profiles, trace, trace.end)
    if topics:
        from firststep.analyse.facts import Facts
        from firststep.report.tables import TOPICS
        from firststep.report.terminal import draw_table

        facts = Facts(trace)
        for topic in topics:
            draw_table(TOPICS[topic](facts), sys.stdout)
        return
    from firststep.report.terminal import print_report

    print_report(trace, sys.stdout)
    for profile in beside:
        from firststep.report.profiles import profile_table
        from firststep.report.terminal import draw_table

        draw_table(profile_table(profile, trace.spawned[0]), sys.stdout)


def _check_profiles(wanted: str, topics: list[str], files: list[Path]) -> None:
    from firststep.report.formats import format_named

    if topics or wanted and not format_named(wanted).profiles:
        able = [name for name in names() if format_named(name).profiles]
        raise click.UsageError(f"--with goes with --html, with --format {' or '.join(able)}, and with the report on the terminal")
    if len(files) > 1:
        raise click.UsageError("--with goes with one trace")


def _profiles(paths: tuple[Path, ...], trace: Trace, end: int) -> tuple[Profile, ...]:
    if not paths:
        return ()
    from firststep.profiles import read_profile

    return tuple(read_profile(path, trace, end) for path in paths)


def _wanted(page: str | None, name: str | None, as_json: bool, topics: list[str], output: str | None) -> str:
    """The one format that the options name, or none."""
    asked = [*(["html"] if page else []), *([name] if name else []), *(["json"] if as_json else []), *(["topic"] if topics else [])]
    if len(asked) > 1:
        raise click.UsageError("one of --html, --format, --json and the topics at a time")
    if output and not (name or as_json):
        raise click.UsageError("-o says where --format goes")
    return asked[0] if asked and not topics else ""


def _files(files: tuple[Path, ...], wanted: str) -> list[Path]:
    from firststep.report.formats import format_named

    most = format_named(wanted).most if wanted else 1
    if len(files) > most:
        raise click.UsageError(f"{'two traces' if most == 2 else 'one trace'} at most" + ("" if most == 2 else "; --html takes two"))
    return list(files) or [newest()]


def start(file: Path, redacted: bool, profiles: tuple[Path, ...] = (), wanted: str = "html") -> ReportedStart:
    """What is written, in the format called `wanted`, of a trace's file and of what other profilers saw. Raises FirststepError."""
    from firststep.report.formats import ReportedStart, format_named
    from firststep.report.load import load
    from firststep.report.shared import shared_with

    trace = load(file)
    run = format_named(wanted).profiles == "run"
    beside = _profiles(profiles, trace, max(trace.end, int(trace.header["ended"])) if run else trace.end)
    if redacted:
        trace, beside = shared_with(trace, beside)
    return ReportedStart(trace, file.stat().st_mtime_ns, redacted, beside)


def _write(wanted: str, starts: list[ReportedStart], where: str, option: str) -> None:
    from firststep.launch.private_file import check_writable, write_private
    from firststep.printable import say
    from firststep.report.formats import format_named

    if wanted == "otlp" and "://" in where:
        from firststep.report.formats.otlp import send

        say(f"firststep: {send(starts[0], where):,} spans sent to {where}")
    elif where == "-":
        sys.stdout.buffer.write(format_named(wanted).text(starts).encode("utf-8", "replace"))
        sys.stdout.flush()
    else:
        check_writable(Path(where), option)
        write_private(Path(where), format_named(wanted).text(starts).encode("utf-8", "replace"), option)


def newest() -> Path:
    """The newest trace that was kept. Raises FirststepError where there is none."""
    from firststep import exit_codes
    from firststep.errors import FirststepError
    from firststep.launch import store

    path = store.newest()
    if path is None:
        raise FirststepError("no trace has been kept yet", "", "firststep record -- COMMAND", exit_codes.CANNOT_READ)
    return path
