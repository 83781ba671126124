"""Puts a finished comparison where the user wants it."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console

from firststep import exit_codes
from firststep.errors import FirststepError
from firststep.prove.as_json import as_json
from firststep.prove.as_markdown import as_markdown
from firststep.prove.as_text import print_proof
from firststep.prove.proof import Proof


def write(proof: Proof, json_file: Path | None, markdown_file: Path | None) -> int:
    """Prints it, writes the files, and returns the exit code. Raises FirststepError where a file cannot be written."""
    print_proof(proof, Console())
    if json_file:
        _write(json_file, json.dumps(as_json(proof), indent=1) + "\n", "--json")
    if markdown_file:
        _write(markdown_file, as_markdown(proof), "--markdown")
    return proof.judgement.exit_code


def _write(path: Path, text: str, option: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FirststepError(f"{path} could not be written", str(error.strerror), f"name another file with {option}",
                             exit_codes.CANNOT_WRITE) from error
