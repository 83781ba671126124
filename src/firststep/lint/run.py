"""All files of one call of lint: checked, fixed where that is wanted, and counted."""

from __future__ import annotations

import difflib
import gc
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from firststep.lint.check import check_text
from firststep.lint.files import files, is_excluded, setting_of
from firststep.lint.findings import Checked, Trouble
from firststep.lint.fix import Fixed, fixed, makeable, write
from firststep.lint.read import SourceFile, UnreadableSource, decoded, read_file
from firststep.lint.settings import LintSettings

COLLECTED = 20  # files between two collections: their trees go round in circles


BYTES = "latin-1"  # each byte is a character


@dataclass(frozen=True)
class Wish:
    """What shall be done with what is found. `edit`: make fixes; `write`: into the files, else they are only shown."""

    edit: bool = False
    unsafe: bool = False
    write: bool = False


@dataclass(frozen=True)
class LintedFile:
    """What is known of one file, how many fixes were made, and the text before and after where there were any; encoding: the source's."""

    checked: Checked
    applied: int = 0
    before: str = ""
    after: str = ""
    encoding: str = "utf-8"


def lint(paths: Sequence[str], settings: LintSettings, wish: Wish) -> Iterator[LintedFile]:
    """One outcome for each file, in the order of the paths."""
    gc.disable()  # a tree is many objects that all go at once; parsing takes a third less so
    for count, path in enumerate(files(paths, settings.exclude, settings.root)):
        if count % COLLECTED == COLLECTED - 1:
            gc.collect()
        if isinstance(path, Checked):
            yield LintedFile(path)
            continue
        try:
            yield _outcome(path, read_file(path), settings, wish)
        except UnreadableSource as error:
            yield LintedFile(Checked(path, troubles=(Trouble(str(error)),)))


def lint_text(data: bytes, name: str, settings: LintSettings, wish: Wish) -> LintedFile:
    """The outcome for what stands on stdin, as if it were a file of that name. The text before and after has its byte order mark: it is
    given back to who sent it, also where the file is excluded, or cannot be read."""
    try:
        source = decoded(data)
    except UnreadableSource as error:
        return LintedFile(Checked(name, troubles=(Trouble(str(error)),)), before=data.decode(BYTES), encoding=BYTES)
    if is_excluded(name, settings.exclude, settings.root):
        outcome = LintedFile(Checked(name), 0, source.text, source.text)
    else:
        outcome = _outcome(name, source, settings, replace(wish, write=False))
    return replace(outcome, before=source.mark + outcome.before, after=source.mark + outcome.after, encoding=source.encoding)


def _outcome(path: str, source: SourceFile, settings: LintSettings, wish: Wish) -> LintedFile:
    rules, setting = settings.rules(path), setting_of(path)

    def check(text: str) -> Checked:
        return check_text(path, text, rules, setting)

    if not wish.edit:
        return LintedFile(makeable(source.text, check(source.text), check))
    done: Fixed = fixed(source.text, check, wish.unsafe)
    if done.applied and wish.write:
        try:
            write(path, source, done.text)
        except UnreadableSource as error:
            checked = check(source.text)
            return LintedFile(replace(checked, troubles=(*checked.troubles, Trouble(str(error)))))
    # Where nothing is written, troubles have the lines of the text that stays.
    checked = done.checked if wish.write or not done.applied else replace(done.checked, troubles=check(source.text).troubles)
    return LintedFile(makeable(done.text, checked, check), done.applied, source.text, done.text)


def diff(outcome: LintedFile) -> str:
    """The change as a unified diff, whose lines end with line feeds alone, as those of `patch` do."""
    before, after = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (outcome.before, outcome.after))
    lines = difflib.unified_diff(before, after, outcome.checked.path, outcome.checked.path)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
