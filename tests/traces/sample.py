"""Writes the README's sample report from a recorded trace of this folder: python tests/traces/sample.py

The program's command line stands above it as a reader would type it.
"""

import gzip
import io
import re
from pathlib import Path

from firststep.model.read_trace import parse_trace
from firststep.model.trace import Trace
from firststep.report.terminal import print_report

TRACE = Path(__file__).parent / "text_transformer.trace.gz"
README = Path(__file__).resolve().parents[2] / "README.md"
BLOCK = re.compile(r"(?<=<!-- report -->\n).*?(?=<!-- end report -->)", re.DOTALL)


def block(trace: Trace) -> str:
    """The block of the README."""
    drawn = io.StringIO()
    print_report(trace, drawn)
    return f"```\n$ firststep record -- python zoo/text_transformer.py\n{drawn.getvalue().strip(chr(10))}\n```\n"


def with_sample(readme: str) -> str:
    """The README with the block in its place."""
    trace = parse_trace(gzip.decompress(TRACE.read_bytes()).decode("ascii"))
    return BLOCK.sub(lambda _: block(trace), readme, count=1)


if __name__ == "__main__":
    README.write_text(with_sample(README.read_text(encoding="utf-8")), encoding="utf-8")
