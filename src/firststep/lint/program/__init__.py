"""A file of source, parsed once: its scopes, what its names mean, and what happens again and again."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import names
from firststep.lint.program.tree import Scope, Tree, split_lines

Made = TypeVar("Made")
Node = TypeVar("Node", bound=ast.AST)
Key = TypeVar("Key")
LOOK_UPS = {"builtins.globals", "builtins.locals", "builtins.vars", "builtins.eval", "builtins.exec"}


@dataclass(frozen=True)
class Setting:
    """Where the source comes from. `package`: the top-level package that the file belongs to, or ""."""

    package: str = ""
    is_init: bool = False
    is_test: bool = False


class Program:
    """What rules ask. Nodes are those of `ast`, each with `up` (its parent) and `scope`."""

    def __init__(self, text: str, setting: Setting | None = None) -> None:
        """Raises SyntaxError, ValueError, RecursionError or MemoryError where the text cannot be parsed."""
        self.text = text
        self.setting = setting or Setting()
        self.tree = Tree(ast.parse(text))
        self._names: dict[ast.AST, str | None] = {}
        self._remembered: dict[tuple[object, ...], Any] = {}
        self.wrapped_definitions: dict[ast.AST, Any] | None = None  # filled by `functions` when first asked for

    @cached_property
    def lines(self) -> list[str]:
        return split_lines(self.text)

    @property
    def module(self) -> ast.Module:
        return self.tree.module

    @property
    def scope(self) -> Scope:
        return self.tree.scope

    def name(self, expression: ast.AST | None) -> str | None:
        """What an expression is called where it was made: "tensorflow.function", "keras.layers.Dense"; None if not known."""
        if expression is None:
            return None
        if expression not in self._names:
            self._names[expression] = names.qualified(expression)
        return self._names[expression]

    @cached_property
    def names(self) -> dict[str, list[ast.Name]]:
        """Every use and binding of a name, by its spelling."""
        return _grouped(self.tree.of(ast.Name), lambda node: node.id)

    @cached_property
    def _by_owner(self) -> dict[tuple[Scope | None, str], list[ast.Name]]:
        return _grouped(self.tree.of(ast.Name), lambda node: (node.scope.owner(node.id), node.id))  # type: ignore[attr-defined]

    def meant(self, scope: Scope, name: str) -> list[ast.Name]:
        """Every use and binding, anywhere, of what this scope knows by a name."""
        return self._by_owner.get((scope.owner(name), name), [])

    def same_name(self, name: ast.Name) -> list[ast.Name]:
        """The same of a name that stands somewhere, itself among them."""
        return self.meant(name.scope, name.id)  # type: ignore[attr-defined]

    @cached_property
    def attributes(self) -> dict[str, list[ast.Attribute]]:
        """Every attribute that is taken or given, by its name."""
        return _grouped(self.tree.of(ast.Attribute), lambda node: node.attr)

    @cached_property
    def named_calls(self) -> list[tuple[str, ast.Call]]:
        """Every call of something imported, with its name, in the order of the source."""
        named = ((self.name(call.func), call) for call in self.tree.calls)
        return [(name, call) for name, call in named if name]

    @cached_property
    def looks_up_names(self) -> bool:
        """Whether the module finds its names by strings, so that where they are used cannot be seen."""
        return any(name in LOOK_UPS for name, _ in self.named_calls)

    def remembered(self, key: tuple[object, ...], make: Callable[[], Made]) -> Made:
        """What was found out under this key before, or is now: what is asked of a loop is asked for each call in it."""
        if key not in self._remembered:
            self._remembered[key] = make()
        found: Made = self._remembered[key]
        return found

    def calls_in(self, node: ast.AST) -> list[ast.Call]:
        """The calls within a node."""
        return self.remembered((node, "calls"), lambda: [one for one in ast.walk(node) if isinstance(one, ast.Call)])

    def calls(self, *wanted: str) -> Iterator[ast.Call]:
        """The calls of these names. A name that ends in "." stands for all that begin so."""
        prefixes = tuple(name for name in wanted if name.endswith("."))
        yield from self.remembered((wanted, "calls of names"), lambda: [
            call for name, call in self.named_calls if name in wanted or (prefixes and name.startswith(prefixes))])

    def method_calls(self, *attributes: str) -> Iterator[ast.Call]:
        """The calls of a method of one of these names, of whatever object."""
        for call in self.tree.calls:
            if isinstance(call.func, ast.Attribute) and call.func.attr in attributes:
                yield call

    def source(self, node: ast.AST) -> str:
        """The node's own text, on one line and no longer than a message bears."""
        (line, column), (end_line, end) = self.position(node), self.place_after(node)
        lines = self.lines[line - 1 : end_line]
        lines[-1] = lines[-1][:end]
        text = " ".join("\n".join([lines[0][column:], *lines[1:]]).split())
        return text if len(text) <= 40 else text[:39] + "…"

    def finding(self, rule: str, node: ast.AST, message: str, remedy: str, fix: Fix | None = None) -> LintFinding:
        """A finding at a node (of a statement with a body: at its first line) by a rule's module. No fix is safe where names come
        and go unseen."""
        line, column = self.position(node)
        end_line, end = self.place_after(node)
        if hasattr(node, "body"):
            end_line, end = line, len(self.lines[line - 1].rstrip())
        rule = rule.rsplit(".", 1)[-1].replace("_", "-")
        if fix and fix.safe and (self.scope.stars or self.looks_up_names):
            fix = replace(fix, safe=False)
        return LintFinding(rule, line, column + 1, end_line, end + 1, message, remedy, fix)

    def position(self, node: ast.AST) -> tuple[int, int]:
        """(line from 1, column from 0 in characters): as libcst counts."""
        line = node.lineno  # type: ignore[attr-defined]
        return line, self._characters(line, node.col_offset)  # type: ignore[attr-defined]

    def place_after(self, node: ast.AST) -> tuple[int, int]:
        """The place one past the node's last character."""
        line = node.end_lineno  # type: ignore[attr-defined]
        return line, self._characters(line, node.end_col_offset)  # type: ignore[attr-defined]

    def _characters(self, line: int, offset: int) -> int:
        return len(self.lines[line - 1].encode()[:offset].decode(errors="replace"))


def _grouped(nodes: Iterable[Node], key: Callable[[Node], Key]) -> dict[Key, list[Node]]:
    """The nodes by what key() says of each, in the order of the source."""
    found: dict[Key, list[Node]] = {}
    for node in nodes:
        found.setdefault(key(node), []).append(node)
    return found
