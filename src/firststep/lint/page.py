"""docs/lint.md: what stands there about lint itself, and a section for each rule from its docstring.

`python -m firststep.lint.page docs/lint.md` writes it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from firststep.lint.rules import Rule, all_rules

HEAD = """\
# firststep lint

<!-- written by `python -m firststep.lint.page docs/lint.md` from the rules' docstrings -->

`firststep lint PATHS…` finds the causes of a slow TensorFlow start that can be seen in source. Nothing is run and nothing of
TensorFlow is needed. It prefers to say nothing over saying something wrong: what it says of a line, `firststep record` can confirm
with seconds.

```
$ firststep lint zoo/v1_reinitialise.py
zoo/v1_reinitialise.py:21:9: growing-graph `placeholder` adds nodes to the graph in every round of a loop that runs it; …
zoo/v1_reinitialise.py:27:10: session-churn a session is made in every round: the graph is optimised and placed anew each time; …
zoo/v1_reinitialise.py:28:18: repeated-initialisation `global_variables_initializer()` in every round: …
3 findings in 1 file
```

| exit code | |
|---|---|
| 0 | nothing found (with `--diff`: nothing to change) |
| 1 | findings |
| 2 | a file could not be checked, or the command line or the settings are wrong |

- `--format text | json | sarif | github`. On a terminal, text also shows the source line.
- `--fix` makes the edits after which the program computes the same; `--unsafe-fixes` with it also those that may change what it does,
  as each rule says. `--diff` shows them and writes nothing. Comments, formatting, encoding, line ends and the file's mode
  stay, but for what is said of a line alone that is taken out.
- `--select` and `--ignore` take ids of rules, `--exclude` takes patterns of paths. Folders such as `.git`, `.venv`, `build`,
  `site-packages` and `__pycache__`, and hidden ones, are not gone into unless they are named. Notebooks are not read.
- `firststep lint - --stdin-filename train.py` reads stdin; with `--fix` the fixed source goes to stdout.
- A file that names neither TensorFlow nor Keras is not parsed. One that cannot be parsed, or is larger than 1 MiB, is told on stderr.

A comment silences a line: `# firststep: ignore[session-churn]`, or `# firststep: ignore` for all rules; `# firststep: ignore-file`, with or
without ids, silences the file. Ids that do not exist are told.

```toml
[tool.firststep.lint]
select = ["session-churn", "double-trace"]     # these alone
ignore = ["slow-weight-format"]
exclude = ["third_party", "examples/*.py"]
per-file-ignores = { "tests/*" = ["eager-where-graph-pays"] }
```

The nearest pyproject.toml at or above what is linted counts; the command line's `--select` and `--ignore` take the place of its own,
`--exclude` is added.

With pre-commit: [CI](ci.md#pre-commit).

## Rules
"""


PARTS = ("Symptom", "Why", "Confirmed by", "Remedy", "Source", "Fix")


def page() -> str:
    """The whole page."""
    rules = all_rules()
    contents = "\n".join(f"- [{rule.id}](#{rule.id}): {_lower(rule.title)}" for rule in rules)
    return "\n".join([HEAD, contents, "", *(_section(rule) for rule in rules)])


def _section(rule: Rule) -> str:
    lines = []
    for part in rule.explanation.split("\n\n"):
        word, colon, rest = part.partition(":")
        told = rest.strip()
        lines.append(f"**{word}.** {told[:1].upper()}{told[1:]}" if colon and word in PARTS else part)
    return f"### {rule.id}\n\n" + "\n\n".join(lines) + "\n"


def _lower(title: str) -> str:
    return title if title[1:2].isupper() or title.startswith("TensorFlow") else title[:1].lower() + title[1:]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
