"""`firststep bug`: one file with all that a report of trouble needs, and nothing private."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("bug")
@click.option("--trace", type=click.Path(path_type=Path), help="The trace to enclose (default: the newest).")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("firststep-bug.zip"), show_default=True)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[-- PYTHON]")
def command(trace: Path | None, output: Path, words: tuple[str, ...]) -> int:
    """Write a support bundle: versions, what doctor says of PYTHON, and a redacted trace."""
    import zipfile

    from firststep.doctor.examine import examine
    from firststep.doctor.show import lines
    from firststep.launch.private_file import check_writable
    from firststep.launch.store import newest
    from firststep.report.load import text_of
    from firststep.report.redact import redact, redact_trace
    from firststep_agent import AGENT_VERSION

    check_writable(output, "-o FILE")
    source = trace or newest()
    text = text_of(source) if source else ""
    found = examine(list(words) or ["python"])
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("version.txt", f"firststep {AGENT_VERSION}\n")
        bundle.writestr("doctor.txt", redact("\n".join(lines(found)) + "\n"))
        if source:
            bundle.writestr("redacted.trace", redact_trace(text))
    output.chmod(0o600)
    click.echo(f"firststep: {output} holds versions, doctor" + (" and a redacted trace" if source else "; no trace is kept")
               + ". Look into it before you send it.")
    return 0
