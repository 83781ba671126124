"""Puts a finished comparison where the user wants it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from firststep.launch.private_file import write_private
from firststep.printable import console
from firststep.prove.as_json import as_json
from firststep.prove.as_markdown import as_markdown
from firststep.prove.as_text import print_proof
from firststep.prove.proof import Proof


def write(proof: Proof, json_file: Path | None, markdown_file: Path | None) -> int:
    """Prints it, writes the files, and returns the exit code. Raises FirststepError where a file cannot be written."""
    print_proof(proof, console(sys.stdout))
    if json_file:
        write_private(json_file, (json.dumps(as_json(proof), indent=1) + "\n").encode(), "--json FILE")
    if markdown_file:
        write_private(markdown_file, as_markdown(proof).encode("utf-8", "backslashreplace"), "--markdown FILE")
    return proof.judgement.exit_code
