"""The figures of the README are those of docs/benchmarks.md, and its report is what is drawn of a recorded trace."""

import sys
from pathlib import Path

from traces.sample import with_sample

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
import readme  # noqa: E402


def test_the_readme_tells_what_was_measured():
    text = readme.README.read_text()
    assert len(readme.table().splitlines()) == 4 + len(readme.PROGRAMS)
    assert readme.written(text) == text, "python benchmarks/readme.py writes the table anew"


def test_the_readmes_report_is_what_is_drawn():
    """python tests/traces/sample.py writes it anew."""
    text = readme.README.read_text()
    assert text == with_sample(text)
    assert text.count("<!-- report -->") == 1 and max(map(len, text.split("<!-- report -->")[1].split("```")[1].splitlines())) <= 80
