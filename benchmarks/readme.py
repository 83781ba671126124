"""Writes the README's table of gains from the rows of docs/benchmarks.md: what stands there was measured."""

import re

from harness import BENCHMARKS, ROOT

README = ROOT / "README.md"
# Rows of docs/benchmarks.md, and how the README calls the program.
PROGRAMS = {
    "import tensorflow": "`import tensorflow`",
    "import tensorflow, site-packages read-only and without bytecode": "the same in a read-only image without bytecode",
    "MLP fit": "MLP, `fit`",
    "GAN with custom train_step": "GAN with a custom `train_step`",
    "raw tf.function loop": "a training loop of one's own around a `tf.function`",
    "bidirectional LSTM fit": "bidirectional LSTM, `fit`",
    "text transformer fit": "text transformer with custom layers, `fit`",
    "ResNet50 fit": "ResNet50, `fit`",
    "EfficientNetB0 fit": "EfficientNetB0, `fit`",
    "load_model and predict, ResNet50": "`load_model` and first `predict` of a ResNet50",
    "SavedModel and first request, ResNet50": "a SavedModel's first request, ResNet50",
}
HEAD = ["| program | plain | boosted | plain / boosted | measured |", "|---|---|---|---|---|"]
_PLACE = re.compile(r"<!-- gains -->\n.*?<!-- end gains -->", re.S)


def table():
    """The table as text, with the marks that it stands between."""
    lines = [line for line in BENCHMARKS.section("boost") if line.startswith("| ")]
    heading, *rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    columns = [heading.index(name) for name in ("plain", "boosted", "plain / boosted", "measured")]
    known = {row[0]: [row[column] for column in columns] for row in rows}
    told = [" | ".join(["", words, *known[title], ""]).strip() for title, words in PROGRAMS.items() if title in known]
    return "\n".join(["<!-- gains -->", *HEAD, *told, "<!-- end gains -->"])


def written(text):
    """The README with the table of today in it."""
    return _PLACE.sub(lambda _: table(), text)


def write():
    """Writes it into the README, unless a benchmark is tried out on another page."""
    if BENCHMARKS.path == BENCHMARKS.file:
        README.write_text(written(README.read_text()))


if __name__ == "__main__":
    write()
