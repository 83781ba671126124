"""`firststep bug`: one file with all that a report of trouble needs, and nothing private."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from firststep.cli._output import ResultFile
from firststep.printable import show

if TYPE_CHECKING:
    from firststep.doctor.examine import Examination
    from firststep.report.redact import Redactor


@click.command("bug")
@click.option("--trace", type=click.Path(path_type=Path), help="The trace to enclose (default: the newest).")
@click.option("-o", "--output", type=ResultFile(), default=Path("firststep-bug.zip"), show_default=True)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[-- PYTHON]")
def command(trace: Path | None, output: Path, words: tuple[str, ...]) -> int:
    """Write a support bundle: versions, what doctor says of PYTHON, and a redacted trace."""
    import io
    import zipfile

    from firststep.doctor.examine import examine
    from firststep.doctor.show import lines
    from firststep.launch.private_file import check_writable, write_private
    from firststep.launch.store import newest
    from firststep.report.load import text_of
    from firststep.report.redact import Redactor
    from firststep_agent import AGENT_VERSION

    check_writable(output, "-o FILE")
    source = trace or newest()
    text = text_of(source) if source else ""
    redactor = Redactor()
    found = _redacted(examine(list(words) or ["python"]), redactor)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("version.txt", f"firststep {AGENT_VERSION}\n")
        bundle.writestr("doctor.txt", "\n".join(lines(found)) + "\n")
        if source:
            bundle.writestr("redacted.trace", redactor.trace(text))
    write_private(output, written.getvalue(), "-o FILE")
    show(f"firststep: {output} holds versions, doctor" + (" and a redacted trace" if source else "; no trace is kept")
         + ". Look into it before you send it.")
    return 0


def _redacted(found: Examination, redactor: Redactor) -> Examination:
    """The examination as far as it is known to be harmless; the names of hook points are our own data."""
    from dataclasses import replace

    from firststep.report.own_words import own_words
    from firststep.report.redact import redacted_host, version

    return replace(
        found,
        command=tuple(redactor.command(found.command)),
        python=version(found.python),
        executable=redactor.path(found.executable),
        packages=redactor.packages(found.packages),
        points={name: state if state is True else own_words(str(state)) for name, state in found.points.items()},
        limits=tuple(own_words(limit) for limit in found.limits),
        host=redacted_host(redactor, found.host),
    )
