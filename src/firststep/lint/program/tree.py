"""The syntax tree with parents, scopes and bindings, made in one walk without recursion."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFERRED = (*FUNCTIONS, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Node = TypeVar("Node", bound=ast.AST)
Function = ast.FunctionDef | ast.AsyncFunctionDef
Deferred = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def split_lines(text: str) -> list[str]:
    """Lines as Python counts them: form feeds and Unicode separators end none."""
    return re.split(r"\r\n|\r|\n", text)


@dataclass(frozen=True)
class Binding:
    """One place that gives a name its meaning. kind: import, function, class, value, parameter, loop or other."""

    kind: str
    node: ast.AST
    imported: str = ""
    value: ast.expr | None = None


@dataclass(eq=False)
class Scope:
    """Names of a module, class, function or comprehension."""

    node: ast.AST
    parent: Scope | None
    names: dict[str, list[Binding]] = field(default_factory=dict)
    elsewhere: dict[str, Scope] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    binders: dict[tuple[int, str], list[int]] = field(default_factory=dict)  # of a module, filled by `blocks`
    meanings: dict[tuple[str, int], str | None] = field(default_factory=dict)  # filled by `names`: a name of many bindings is asked often

    def bind(self, name: str, binding: Binding) -> None:
        owner = self.elsewhere.get(name, self)
        owner.names.setdefault(name, []).append(binding)

    def owner(self, name: str) -> Scope | None:
        """The scope in which a name that is used here is bound."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.elsewhere:
                return scope.elsewhere[name]
            if name in scope.names and (scope is self or not isinstance(scope.node, ast.ClassDef)):
                return scope
            scope = scope.parent
        return None

    def lookup(self, name: str) -> list[Binding]:
        """All places that may have given the name its meaning; empty for builtins and unknown names."""
        owner = self.owner(name)
        return owner.names.get(name, []) if owner else []

    def top(self) -> Scope:
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope


class Tree:
    """`module` with `up` and `scope` on every node, `block` (the list that it stands in) and `place` (where in it) on every statement; its
    calls and names in the order of the source."""

    def __init__(self, module: ast.Module) -> None:
        self.module = module
        self.scope = Scope(module, None)
        self._by_type: dict[type[ast.AST], list[ast.AST]] = {}
        self._walk()
        self.calls: list[ast.Call] = list(self.of(ast.Call))

    def of(self, *types: type[Node]) -> Iterator[Node]:
        """The nodes of exactly these types, in the order of the source for each type."""
        for kind in types:
            yield from self._by_type.get(kind, [])  # type: ignore[misc]

    def _walk(self) -> None:
        stack: list[tuple[ast.AST, ast.AST | None, Scope]] = [(self.module, None, self.scope)]
        by_type = self._by_type
        while stack:
            node, up, scope = stack.pop()
            node.up = up  # type: ignore[attr-defined]
            node.scope = scope  # type: ignore[attr-defined]
            kind = type(node)
            by_type.setdefault(kind, []).append(node)
            for name in BLOCKS.get(kind, ()):
                _place(getattr(node, name))
            if kind in BINDERS:
                BINDERS[kind](node, scope)
            if kind in OPENS:
                below = list(_with_own_scope(node, scope))
            elif kind in CHILDLESS:
                continue
            else:
                below = [(child, node, scope) for child in children(node)]
            below.reverse()
            stack += below


def children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes directly below, without those that say only load, store or an operator."""
    kind = type(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(name for name in node._fields if name not in PLAIN_FIELDS)
    for name in _FIELDS[kind]:
        value = getattr(node, name, None)
        if type(value) is list:
            for item in value:
                if isinstance(item, ast.AST):
                    yield item
        elif isinstance(value, ast.AST):
            yield value


def _place(block: list[ast.stmt]) -> None:
    for place, statement in enumerate(block):
        statement.block, statement.place = block, place  # type: ignore[attr-defined]


HOLDERS = (ast.stmt, ast.mod, ast.excepthandler, ast.match_case)
# Fields that hold a list of statements.
BLOCKS: dict[type[ast.AST], tuple[str, ...]] = {
    kind: tuple(name for name in ("body", "orelse", "finalbody") if name in kind._fields)
    for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, HOLDERS)}
# Fields that hold no node, or one that says only load, store or an operator.
PLAIN_FIELDS = {"ctx", "op", "ops", "id", "attr", "arg", "kind", "type_comment", "level", "module", "simple", "is_async", "conversion"}
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}


def _with_own_scope(node: ast.AST, scope: Scope) -> Iterator[tuple[ast.AST, ast.AST, Scope]]:
    """Decorators, defaults, annotations and a comprehension's first iterable belong to the scope outside."""
    inner = Scope(node, scope)
    if isinstance(node, COMPREHENSIONS):
        first = node.generators[0].iter
        for generator in node.generators:
            generator.up, generator.scope = node, inner  # type: ignore[attr-defined]
            _bind_target(generator.target, "loop", generator, None, inner)
            for child in children(generator):
                if not (generator is node.generators[0] and child is first):
                    yield child, generator, inner
        yield first, node.generators[0], scope
        for child in children(node):
            if not isinstance(child, ast.comprehension):
                yield child, node, inner
        return
    outside: list[ast.AST] = list(getattr(node, "decorator_list", []))
    if isinstance(node, ast.ClassDef):
        outside += [*node.bases, *node.keywords]
    else:
        arguments: ast.arguments = node.args  # type: ignore[attr-defined]
        arguments.up, arguments.scope = node, inner  # type: ignore[attr-defined]
        every = _parameters(arguments)
        outside += [*arguments.defaults, *filter(None, arguments.kw_defaults)]
        outside += [argument.annotation for argument in every if argument.annotation]
        outside += [node.returns] if getattr(node, "returns", None) else []  # type: ignore[attr-defined]
        for argument in every:
            argument.up, argument.scope = arguments, inner  # type: ignore[attr-defined]
            inner.bind(argument.arg, Binding("parameter", argument))
    for child in outside:
        yield child, node, scope
    yield from ((parameter, node, inner) for parameter in getattr(node, "type_params", []))
    body = node.body  # type: ignore[attr-defined]
    yield from ((child, node, inner) for child in (body if isinstance(body, list) else [body]))


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    extra = [argument for argument in (arguments.vararg, arguments.kwarg) if argument]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]


def _bind_import(node: ast.Import, scope: Scope) -> None:
    for alias in node.names:
        name = alias.asname or alias.name.split(".")[0]
        scope.bind(name, Binding("import", node, alias.name if alias.asname else name))


def _bind_import_from(node: ast.ImportFrom, scope: Scope) -> None:
    module = "." * node.level + (node.module or "")
    for alias in node.names:
        if alias.name == "*":
            scope.stars.append(module)
        else:
            scope.bind(alias.asname or alias.name, Binding("import", node, f"{module}.{alias.name}"))


def _bind_target(target: ast.expr, kind: str, node: ast.AST, value: ast.expr | None, scope: Scope) -> None:
    if isinstance(target, ast.Name):
        scope.bind(target.id, Binding(kind, node, value=value))
        return
    values: list[ast.expr | None] | None = None
    if isinstance(target, (ast.Tuple, ast.List)):
        starred = any(isinstance(element, ast.Starred) for element in target.elts)
        if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts) and not starred:
            values = list(value.elts)
        for place, element in enumerate(target.elts):
            inner = element.value if isinstance(element, ast.Starred) else element
            part = values[place] if values else None
            _bind_target(inner, kind if values or kind == "loop" else "other", node, part, scope)


def _bind_assign(node: ast.Assign, scope: Scope) -> None:
    for target in node.targets:
        _bind_target(target, "value", node, node.value, scope)


def _bind_annotated(node: ast.AnnAssign, scope: Scope) -> None:
    if node.value is not None:
        _bind_target(node.target, "value", node, node.value, scope)


def _bind_with(node: ast.With | ast.AsyncWith, scope: Scope) -> None:
    for item in node.items:
        if item.optional_vars is not None:
            _bind_target(item.optional_vars, "value", node, item.context_expr, scope)


def _bind_elsewhere(node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
    for name in node.names:
        outer = scope.top() if isinstance(node, ast.Global) else scope.parent and scope.parent.owner(name)
        if outer and outer is not scope:
            scope.elsewhere[name] = outer


def _bind_named(node: ast.NamedExpr, scope: Scope) -> None:
    while isinstance(scope.node, COMPREHENSIONS) and scope.parent:
        scope = scope.parent
    _bind_target(node.target, "value", node, node.value, scope)


def _bind_name_field(attribute: str) -> Callable[[Any, Scope], None]:
    def bind(node: ast.AST, scope: Scope) -> None:
        if getattr(node, attribute):
            scope.bind(getattr(node, attribute), Binding("other", node))

    return bind


BINDERS: dict[type[ast.AST], Callable[[Any, Scope], None]] = {
    ast.Import: _bind_import,
    ast.ImportFrom: _bind_import_from,
    ast.FunctionDef: lambda node, scope: scope.bind(node.name, Binding("function", node)),
    ast.AsyncFunctionDef: lambda node, scope: scope.bind(node.name, Binding("function", node)),
    ast.ClassDef: lambda node, scope: scope.bind(node.name, Binding("class", node)),
    ast.Assign: _bind_assign,
    ast.AnnAssign: _bind_annotated,
    ast.AugAssign: lambda node, scope: _bind_target(node.target, "other", node, None, scope),
    ast.For: lambda node, scope: _bind_target(node.target, "loop", node, None, scope),
    ast.AsyncFor: lambda node, scope: _bind_target(node.target, "loop", node, None, scope),
    ast.With: _bind_with,
    ast.AsyncWith: _bind_with,
    ast.NamedExpr: _bind_named,
    ast.ExceptHandler: _bind_name_field("name"),
    ast.MatchAs: _bind_name_field("name"),
    ast.MatchStar: _bind_name_field("name"),
    ast.MatchMapping: _bind_name_field("rest"),
    ast.Global: _bind_elsewhere,
    ast.Nonlocal: _bind_elsewhere,
}
CHILDLESS = {ast.Name, ast.Constant, ast.Pass, ast.Break, ast.Continue, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal}
OPENS = {*DEFERRED, *COMPREHENSIONS, ast.ClassDef}
