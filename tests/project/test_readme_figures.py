"""The figures of the README are those of docs/benchmarks.md."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROWS = {
    "`import tensorflow`": "import tensorflow",
    "the same in a read-only image without bytecode": "import tensorflow, site-packages read-only and without bytecode",
    "MLP, `fit`": "MLP fit",
    "GAN with a custom `train_step`": "GAN with custom train_step",
    "text transformer with custom layers, `fit`": "text transformer fit",
    "ResNet50, `fit`": "ResNet50 fit",
    "EfficientNetB0, `fit`": "EfficientNetB0 fit",
    "a training loop of one's own around a `tf.function`": "raw tf.function loop",
    "`load_model` and first `predict` of a ResNet50": "load_model and predict, ResNet50",
    "a SavedModel's first request, ResNet50": "SavedModel and first request, ResNet50",
}


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def measured():
    """{row: (plain, boosted, ratio)} of the table of boost."""
    table = (ROOT / "docs/benchmarks.md").read_text().split("## Time to first step, plain and boosted")[1].split("\n## ")[0]
    rows = [cells(line) for line in table.splitlines() if line.startswith("| ")]
    return {row[0]: (row[2], row[4], f"{float(row[5].split()[0]):.1f} ×") for row in rows if re.match(r"\d", row[5])}


def told():
    table = (ROOT / "README.md").read_text().split("| program | plain | boosted | |")[1].split("\n\n")[0]
    return {row[0]: tuple(row[1:]) for row in map(cells, table.splitlines()[2:])}


def test_the_readme_tells_what_was_measured():
    rows = measured()
    assert told() == {words: rows[row] for words, row in ROWS.items()}
