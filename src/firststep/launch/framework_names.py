"""Whether the program's own source names a framework that it imports: as read when the program has ended, in no process of its.

What the hooks see of a framework is its runtime, its graphs and its data sets. Much of it works without them (`tf.io.gfile`,
`TFRecordWriter`, `keras.utils.to_categorical`), and in less time than a sample takes. The source tells: who names nothing of a framework
uses nothing of it.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from firststep.launch.source_text import text_of
from firststep.model.framework_named import NOWHERE, OTHERS, PERHAPS, USED

FRAMEWORKS = ("tensorflow", "keras", "tf_keras")
MARK = '"held-modules"'  # names the files of the program's modules
AT_WORK = '"runtime-init"'  # a process that used the framework in such a way that nobody needs its source
IMPORTED = re.compile(rf'"import","({"|".join(OTHERS)})[".]')
MOST_FILES = 200
BY_TEXT = frozenset(("import_module", "__import__", "exec", "eval", "run_path", "run_module"))  # what they use, a text names
BY_NAME = frozenset(("getattr", "globals", "locals", "vars", "__dict__", "Fire"))  # may call any function of the program
BY_PYTHON = ("__getattr__", "__dir__")  # functions of a module that Python calls
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
HEADS = ("decorator_list", "bases", "keywords", "args", "returns")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class _Definitions(NamedTuple):
    """run: what of all files runs as they are imported; defined: functions and classes by name."""

    run: list[ast.AST]
    defined: dict[str, list[Definition]]


def framework_named(parts: Iterable[str]) -> str | None:
    """One of the words of `model.framework_named`. None where no process has told its files, or one was at work with a framework."""
    files: set[str] = set()
    for part in parts:
        if AT_WORK in part:
            return None
        files.update(_files(part))
    return _named(files, FRAMEWORKS) if files else None


def unnamed(parts: Iterable[str]) -> list[str]:
    """Those of `model.framework_named.OTHERS` that were imported though nothing that the program calls names them."""
    parts = list(parts)
    imported = {found for part in parts for found in IMPORTED.findall(part)}
    files = {file for part in parts for file in _files(part)} if imported else set()
    return [one for one in OTHERS if one in imported and files and _named(files, (one,)) == NOWHERE]


def _files(part: str) -> Iterator[str]:
    for record in part.splitlines():
        if record.startswith('["m",') and MARK in record:
            try:
                yield from map(str, json.loads(record)[3].get("files", ()))
            except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
                continue  # cut short, or not as the agent writes it


def _named(files: set[str], packages: tuple[str, ...]) -> str:
    trees = [tree for file in sorted(files)[:MOST_FILES] if (tree := _tree(file)) is not None]
    names = {name for tree in trees for name in _bound(tree, packages)}
    source = _Definitions([], {})
    for tree in trees:
        _take_apart(tree, source)
    if _mentions(source.run, packages) & names:
        return USED
    reached = _reached(source, packages)
    known = len(trees) == len(files) and "*" not in names and not reached & BY_TEXT
    named = _mentions(trees, packages) & names if reached & BY_NAME else reached & names
    return NOWHERE if known and not named else PERHAPS


def _tree(file: str) -> ast.Module | None:
    text = text_of(file) if file.startswith("/") else None
    if text is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is wrong with the program's source is not ours to say
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _bound(tree: ast.Module, packages: tuple[str, ...]) -> Iterator[str]:
    """The names under which a file has one of the packages, or something of one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.asname or _top(alias.name) for alias in node.names if _top(alias.name) in packages)
        elif isinstance(node, ast.ImportFrom) and not node.level and _top(str(node.module)) in packages:
            yield from (alias.asname or alias.name for alias in node.names)


def _top(module: str) -> str:
    return module.partition(".")[0]


def _take_apart(node: ast.AST, source: _Definitions) -> None:
    for child in ast.iter_child_nodes(node):
        inside = [one for one in ast.walk(child) if isinstance(one, DEFINITIONS)]
        if not inside:
            source.run.append(child)
        elif isinstance(child, DEFINITIONS):
            for one in inside:
                source.defined.setdefault(one.name, []).append(one)
        else:
            _take_apart(child, source)  # a definition under a condition


def _mentions(nodes: Iterable[ast.AST], packages: tuple[str, ...]) -> set[str]:
    """Names and attributes, each by its last part, and what is imported under another name."""
    found = set()
    for one in (inner for node in nodes for inner in ast.walk(node)):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            found.add(one.id)
        elif isinstance(one, ast.Attribute):
            found.add(one.attr)
        elif isinstance(one, ast.ImportFrom) and (one.level or _top(str(one.module)) not in packages):
            found.update(alias.name for alias in one.names if alias.asname)
    return found


def _reached(source: _Definitions, packages: tuple[str, ...]) -> set[str]:
    """All that is mentioned by what runs, by the heads of definitions, and by each function or class that bears a mentioned name: what has
    that name may be called. One with a decorator may be called by whoever it was given to."""
    every = [one for named in source.defined.values() for one in named]
    found = _mentions(source.run, packages) | _mentions((head for one in every for head in _heads(one)), packages)
    left = [one for one in every if one.name in found or one.decorator_list or one.name in BY_PYTHON]
    seen = set(map(id, left))
    while left:
        new = _mentions([left.pop()], packages) - found
        found |= new
        called = [one for name in new for one in source.defined.get(name, ()) if id(one) not in seen]
        seen.update(map(id, called))
        left += called
    return found


def _heads(definition: Definition) -> Iterator[ast.AST]:
    """What is looked at as soon as it is defined, whether or not anybody calls it."""
    for field in HEADS:
        value = getattr(definition, field, None)
        yield from value if isinstance(value, list) else [value] if value is not None else []
    if isinstance(definition, ast.ClassDef):
        yield from (one for one in definition.body if not isinstance(one, DEFINITIONS))
