"""Data of a round that are other rows of the same: a model that takes one round's takes the other's."""

from __future__ import annotations

import ast

from firststep.lint.program import Program
from firststep.lint.program.changes import changing_names
from firststep.lint.program.functions import definition_of, enclosing, mentioned, stands_in, value_of
from firststep.lint.program.repetition import Repetition
from firststep.lint.program.tree import FUNCTIONS, Binding, Scope

DEEP = 40  # names made of names
CHOOSE = ("random_state", "seed", "shuffle")  # keywords that say which rows, and not what they are
TABLES = ("pandas.",)  # makers of what `table[names]` takes columns of
VIEWS = ("items", "keys", "values")


def only_rows_differ(program: Program, data: ast.AST, repeated: Repetition) -> bool:
    """Whether what changes from round to round only says which rows of something are taken: `x[train]`, also under another name, or in
    what is computed of it. Of anything else, as `np.zeros([9, n])` or `x[:, columns]`, the shape is not known."""
    return _Rounds(program, repeated).keeps(data)


class _Rounds:
    """One loop, by what changes in it."""

    def __init__(self, program: Program, repeated: Repetition) -> None:
        self.program = program
        self.repeated = repeated
        self._kept: dict[tuple[Scope | None, str], bool] = {}  # names that were followed, or are being

    def keeps(self, node: ast.AST, deep: int = DEEP) -> bool:
        """Whether a node is the same in all rounds but for its rows."""
        todo = [node]
        while todo:
            now = todo.pop()
            if isinstance(now, ast.Name):
                if isinstance(now.ctx, ast.Load) and now.id in self.repeated.changing and not self._name_keeps(now, deep):
                    return False
            elif isinstance(now, ast.Call) and self._is_given_by_globals(now):
                return False
            elif isinstance(now, ast.Subscript) and self._takes_rows(now):
                todo.append(now.value)
            elif not (isinstance(now, ast.keyword) and now.arg in CHOOSE):
                todo += ast.iter_child_nodes(now)
        return True

    def _is_given_by_globals(self, call: ast.Call) -> bool:
        """Whether a function of the file reads, from around it, what changes."""
        definition = definition_of(self.program, call.func)
        names = {one.id: one for one in ast.walk(definition) if isinstance(one, ast.Name)} if definition else {}
        return any(one.scope.owner(name) is call.scope.owner(name) for name, one in names.items()  # type: ignore[attr-defined]
                   if name in self.repeated.changing)

    def _takes_rows(self, node: ast.Subscript) -> bool:
        """Whether what changes stands where rows are chosen, and not columns, nor one of several things by its name."""
        further = node.slice.elts[1:] if isinstance(node.slice, ast.Tuple) else []
        if any(mentioned(one) & self.repeated.changing for one in further):
            return False
        held = value_of(node.value)
        is_table = isinstance(held, ast.Call) and (self.program.name(held.func) or "").startswith(TABLES)
        return not is_table and not isinstance(held, ast.Dict) and not self._is_key(node)

    def _is_key(self, node: ast.Subscript) -> bool:
        """Whether the index is a word, or goes over the keys of what it is an index of."""
        bindings = node.slice.scope.lookup(node.slice.id) if isinstance(node.slice, ast.Name) else []  # type: ignore[attr-defined]
        iterables = [value_of(one.node.iter) for one in bindings if one.kind == "loop"]
        return any(_gives_keys(one, node.value) for one in iterables)

    def _name_keeps(self, name: ast.Name, deep: int) -> bool:
        key = (name.scope.owner(name.id), name.id)  # type: ignore[attr-defined]
        if key not in self._kept:
            self._kept[key] = False  # what is made of itself
            bindings = name.scope.lookup(name.id) if deep else []  # type: ignore[attr-defined]
            self._kept[key] = bool(bindings) and all(self._binding_keeps(one, name.id, deep - 1) for one in bindings)
        return self._kept[key]

    def _binding_keeps(self, binding: Binding, name: str, deep: int) -> bool:
        if binding.kind == "loop":
            own = binding.node is self.repeated.loop or binding.node in getattr(self.repeated.loop, "generators", [])
            return not own and self.keeps(binding.node.iter, deep)  # type: ignore[attr-defined]
        if binding.kind == "parameter":
            return self._argument_keeps(binding)
        if isinstance(binding.node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            value = binding.value or binding.node.value
            return value is not None and (self._is_part_of(value, name) or self.keeps(value, deep))
        return binding.kind in ("import", "function", "class")

    def _is_part_of(self, value: ast.expr, name: str) -> bool:
        """`pool = pool[best]`."""
        while isinstance(value, ast.Subscript) and self._takes_rows(value):
            value = value.value
        return isinstance(value, ast.Name) and value.id == name

    def _argument_keeps(self, parameter: Binding) -> bool:
        """Whether what the loop gives to a parameter of the function is so."""
        call, loop = self.repeated.call, self.repeated.loop
        if call is None or call is loop or not stands_in(call, loop):
            return False
        given = _given(call, parameter.node)
        changing, assigned = changing_names(self.program, loop)
        outside = Repetition(loop, frozenset(changing), frozenset(assigned))
        return given is not None and _Rounds(self.program, outside).keeps(given)


def _gives_keys(iterable: ast.expr | None, held: ast.expr) -> bool:
    if isinstance(iterable, (ast.List, ast.Tuple)):
        return any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in iterable.elts)
    if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Attribute):
        return iterable.func.attr in VIEWS
    return iterable is not None and ast.unparse(iterable) == ast.unparse(held)


def _given(call: ast.Call, parameter: ast.AST) -> ast.expr | None:
    """What a call of its function gives to a parameter, where that is seen."""
    name = parameter.arg  # type: ignore[attr-defined]
    definition = enclosing(parameter, *FUNCTIONS)
    named = next((one.value for one in call.keywords if one.arg == name), None)
    if named is not None or definition is None:
        return named
    arguments = definition.args  # type: ignore[attr-defined]
    places = [one.arg for one in [*arguments.posonlyargs, *arguments.args]]
    if isinstance(definition.up, ast.ClassDef) and isinstance(call.func, ast.Attribute):  # type: ignore[attr-defined]
        places = places[1:]
    place = places.index(name) if name in places else len(call.args)
    if place >= len(call.args) or any(isinstance(one, ast.Starred) for one in call.args[: place + 1]):
        return None
    return call.args[place]
