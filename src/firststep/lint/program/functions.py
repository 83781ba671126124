"""Functions of the file: which one a call reaches, and which are made graphs by `tf.function`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from firststep.lint.program import Program
from firststep.lint.program.tree import DEFERRED, FUNCTIONS, Binding, Deferred, Function

FOLLOWED = 4  # assignments from a call to the definition
CACHES = ("functools.lru_cache", "functools.cache", "functools.cached_property", "streamlit.cache_resource", "streamlit.cache_data")
TRACED_METHODS = ("call", "train_step", "test_step", "predict_step")  # of Keras models and layers, traced by fit and predict
TRACED_CLASSES = ("keras.Model", "keras.Sequential", "keras.layers.")


@dataclass(frozen=True)
class GraphFunction:
    """What `tf.function` made: of which definition (None where it is not in the file), with which options."""

    made: ast.AST
    definition: Deferred | None
    options: dict[str, ast.expr]


def enclosing(node: ast.AST, *types: type[ast.AST]) -> ast.AST | None:
    """The nearest node around this one of one of the types."""
    above: ast.AST | None = node.up  # type: ignore[attr-defined]
    while above is not None and not isinstance(above, types):
        above = above.up  # type: ignore[attr-defined]
    return above


def stands_in(node: ast.AST, outer: ast.AST) -> bool:
    """Whether a node is another one, or stands within it."""
    above: ast.AST | None = node
    while above is not None and above is not outer:
        above = above.up  # type: ignore[attr-defined]
    return above is outer


def only_binding(expression: ast.AST) -> Binding | None:
    """What a name is bound to, where that happens at one place only."""
    if not isinstance(expression, ast.Name):
        return None
    bindings = expression.scope.lookup(expression.id)  # type: ignore[attr-defined]
    return bindings[0] if len(bindings) == 1 else None


def value_of(expression: ast.AST | None) -> ast.expr | None:
    """The expression that a name, bound once and plainly, stands for; anything else stands for itself."""
    for _ in range(FOLLOWED):
        binding = only_binding(expression) if expression is not None else None
        if binding is None or binding.kind != "value" or binding.value is None:
            break
        expression = binding.value
    return expression if isinstance(expression, ast.expr) else None


def class_of(expression: ast.AST) -> ast.ClassDef | None:
    """The class, defined in this file, of `self` or of a name bound once to `Class(...)`."""
    if isinstance(expression, ast.Name) and expression.id in ("self", "cls"):
        found = enclosing(expression, ast.ClassDef)
        return found if isinstance(found, ast.ClassDef) else None
    value = value_of(expression)
    if isinstance(value, ast.Call):
        binding = only_binding(value.func)
        if binding and isinstance(binding.node, ast.ClassDef):
            return binding.node
    return None


def method(owner: ast.ClassDef, name: str) -> Function | None:
    """The method of a class of this file, its own or that of a base in the file."""
    for _ in range(FOLLOWED):
        for node in owner.body:
            if isinstance(node, FUNCTIONS) and node.name == name:
                return node
        bases = [only_binding(base) for base in owner.bases]
        above = [base.node for base in bases if base and isinstance(base.node, ast.ClassDef)]
        if not above:
            return None
        owner = above[0]
    return None


def definition_of(program: Program, expression: ast.AST) -> Deferred | None:
    """The function of this file that an expression stands for."""
    if isinstance(expression, ast.Lambda):
        return expression
    if isinstance(expression, ast.Attribute):
        owner = class_of(expression.value)
        return method(owner, expression.attr) if owner else None
    binding = only_binding(expression)
    if binding and isinstance(binding.node, FUNCTIONS) and binding.kind == "function":
        return binding.node
    value = value_of(expression)
    return value if isinstance(value, ast.Lambda) else None


def made_by(program: Program, expression: ast.AST) -> dict[str, ast.expr] | None:
    """The options of `tf.function`, `tf.function(...)` or `functools.partial(tf.function, ...)`; None for anything else."""
    if program.name(expression) == "tensorflow.function":
        return {}
    if isinstance(expression, ast.Name):
        value = value_of(expression)
        return _partial(program, value)
    if not isinstance(expression, ast.Call):
        return None
    own = {keyword.arg: keyword.value for keyword in expression.keywords if keyword.arg}
    if program.name(expression.func) == "tensorflow.function":
        return own
    inner = _partial(program, value_of(expression.func))
    return _partial(program, expression) if inner is None else {**inner, **own}


def _partial(program: Program, value: ast.expr | None) -> dict[str, ast.expr] | None:
    """The options of `functools.partial(tf.function, ...)`."""
    if not isinstance(value, ast.Call) or not value.args or program.name(value.func) != "functools.partial":
        return None
    if program.name(value.args[0]) != "tensorflow.function":
        return None
    return {keyword.arg: keyword.value for keyword in value.keywords if keyword.arg}


def decorated(program: Program, definition: ast.AST) -> GraphFunction | None:
    """The graph function that a definition becomes by its decorators."""
    for decorator in getattr(definition, "decorator_list", []):
        options = made_by(program, decorator)
        if options is not None and isinstance(definition, FUNCTIONS):
            return GraphFunction(decorator, definition, options)
    return None


def wrapped(program: Program, expression: ast.AST | None) -> GraphFunction | None:
    """The graph function of `tf.function(f, ...)`."""
    if not isinstance(expression, ast.Call) or not expression.args:
        return None
    options = made_by(program, expression)
    if options is None or program.name(expression.func) == "functools.partial":
        return None
    return GraphFunction(expression, definition_of(program, expression.args[0]), options)


def graph_function(program: Program, expression: ast.AST) -> GraphFunction | None:
    """What is called where this expression is called, if that is a graph function made in this file."""
    definition = definition_of(program, expression) or _defined_as(expression)
    if definition is not None:
        return decorated(program, definition) or _under_its_name(program, definition)
    value = value_of(expression)
    if isinstance(expression, ast.Attribute):
        value = _attribute(program, expression)
    return wrapped(program, value)


def _attribute(program: Program, expression: ast.Attribute) -> ast.expr | None:
    """The only value that `self.name` is given in its class."""
    values = attribute_values(program, expression)
    return values[0] if len(values) == 1 else None


def attribute_values(program: Program, expression: ast.Attribute) -> list[ast.expr]:
    """Every value that the class gives to `self.name`."""
    owner = class_of(expression.value)
    if owner is None:
        return []
    return program.remembered((owner, "attribute values"), lambda: _attribute_values(owner)).get(expression.attr, [])


def _attribute_values(owner: ast.ClassDef) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(owner):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and _is_self(target.value):
                    found.setdefault(target.attr, []).append(node.value)
    return found


def _is_self(expression: ast.AST) -> bool:
    return isinstance(expression, ast.Name) and expression.id == "self"


def around(node: ast.AST) -> Iterator[Deferred]:
    """The functions around a node, from the inside out."""
    above = enclosing(node, *DEFERRED)
    while above is not None:
        yield above  # type: ignore[misc]
        above = enclosing(above, *DEFERRED)


def is_traced(program: Program, node: ast.AST) -> bool:
    """Whether the node runs while a graph is built: within `tf.function`, or within what Keras traces."""
    return any(builds_a_graph(program, definition) for definition in around(node))


def builds_a_graph(program: Program, definition: ast.AST) -> bool:
    """Whether a function is a `tf.function`, or one that Keras traces."""
    return bool(decorated(program, definition) or wrapping(program, definition) or is_traced_method(program, definition))


def tracing(program: Program, node: ast.AST) -> list[ast.AST]:
    """The functions that build a graph of a node: the one that it stands in, or those that call what it stands in, as far as the file
    shows."""
    found: list[ast.AST] = []
    met: set[ast.AST] = set()
    todo = [node]
    while todo:
        definitions = list(around(todo.pop()))
        traced = next((one for one in definitions if builds_a_graph(program, one)), None)
        if traced is not None:
            found.append(traced)
        elif definitions and definitions[0] not in met:
            met.add(definitions[0])
            todo += calls_of(program, definitions[0])
    return list(dict.fromkeys(found))


def wrapping(program: Program, definition: ast.AST) -> GraphFunction | None:
    """What a call of `tf.function` somewhere in the file makes of a definition."""
    if program.wrapped_definitions is None:
        made = [_rebound(program, call) or wrapped(program, call) for call in program.tree.calls]
        program.wrapped_definitions = {one.definition: one for one in made if one and one.definition is not None}
    return program.wrapped_definitions.get(definition)


def _rebound(program: Program, call: ast.Call) -> GraphFunction | None:
    """The graph function of `step = tf.function(step)`, in the block of the definition: from there on the name is the graph function's."""
    statement, given = call.up, call.args[0] if call.args else None  # type: ignore[attr-defined]
    if not isinstance(statement, ast.Assign) or not isinstance(given, ast.Name) or made_by(program, call) is None:
        return None
    bindings = given.scope.lookup(given.id)  # type: ignore[attr-defined]
    definitions = [one.node for one in bindings if one.kind == "function" and isinstance(one.node, FUNCTIONS)]
    if len(bindings) != 2 or len(definitions) != 1 or [getattr(target, "id", None) for target in statement.targets] != [given.id]:
        return None
    if definitions[0].up is not statement.up or definitions[0].lineno > statement.lineno:  # type: ignore[attr-defined, union-attr]
        return None
    others = [node for node in program.names[given.id] if isinstance(node.ctx, ast.Load) and node is not given]
    if any(node.lineno < statement.lineno for node in others):
        return None
    return GraphFunction(call, definitions[0], made_by(program, call) or {})


def _rebound_method(program: Program, call: ast.Call) -> GraphFunction | None:
    """The same of `self.step = tf.function(self.step)` in `__init__`: no object of the class has the method itself from there on."""
    statement, given, options = call.up, call.args[0] if call.args else None, made_by(program, call)  # type: ignore[attr-defined]
    made_in = statement.up
    if (options is None or not isinstance(statement, ast.Assign) or not isinstance(given, ast.Attribute) or not _is_self(given.value)
            or not isinstance(made_in, FUNCTIONS) or made_in.name != "__init__"):
        return None
    owner, name = class_of(given.value), given.attr
    definition = next((one for one in owner.body if isinstance(one, FUNCTIONS) and one.name == name), None) if owner else None
    if owner is None or definition is None or attribute_values(program, given) != [call] or _has_subclass(program, owner):
        return None
    others = [node for node in program.attributes[name] if node is not given and node not in statement.targets]
    before = [node for node in others if made_in in list(around(node)) and node.lineno < statement.lineno]
    if before or any(not _is_of_an_object(program, node.value) for node in others):
        return None
    return GraphFunction(call, definition, options) if len(statement.targets) == 1 else None


def _has_subclass(program: Program, owner: ast.ClassDef) -> bool:
    bases = program.remembered(("bases",), lambda: {
        binding.node for one in program.tree.of(ast.ClassDef) for base in one.bases if (binding := only_binding(base))})
    return owner in bases


def _is_of_an_object(program: Program, value: ast.expr) -> bool:
    """Whether what an attribute is taken of is no class, of which the plain method would be had, nor what a call gives, as `super()`."""
    if isinstance(value, ast.Attribute):
        return _is_of_an_object(program, value.value)
    binding = only_binding(value)
    return isinstance(value, ast.Name) and value.id != "cls" and not (binding and isinstance(binding.node, ast.ClassDef))


def _defined_as(expression: ast.AST) -> Deferred | None:
    """The function that a name was first, where it is given another value at one place."""
    bindings = expression.scope.lookup(expression.id) if isinstance(expression, ast.Name) else []  # type: ignore[attr-defined]
    found = [one.node for one in bindings if one.kind == "function" and isinstance(one.node, FUNCTIONS)]
    return found[0] if len(bindings) == 2 and len(found) == 1 else None


def _under_its_name(program: Program, definition: ast.AST) -> GraphFunction | None:
    """The graph function that has taken the name of a definition."""
    made = wrapping(program, definition)
    if made is None or not isinstance(made.made, ast.Call):
        return None
    return _rebound(program, made.made) or _rebound_method(program, made.made)


def is_traced_method(program: Program, definition: ast.AST) -> bool:
    owner = definition.up  # type: ignore[attr-defined]
    return (isinstance(owner, ast.ClassDef) and getattr(definition, "name", "") in TRACED_METHODS
            and derives(program, owner, TRACED_CLASSES))


def derives(program: Program, owner: ast.ClassDef, wanted: tuple[str, ...]) -> bool:
    """Whether a class of this file derives from one of these; a name that ends in "." stands for all that begin so."""
    prefixes = tuple(name for name in wanted if name.endswith("."))
    seen: set[ast.AST] = set()
    todo = [owner]
    while todo:
        now = todo.pop()
        if now in seen:
            continue
        seen.add(now)
        for base in now.bases:
            name = program.name(base) or ""
            if name in wanted or (prefixes and name.startswith(prefixes)):
                return True
            binding = only_binding(base)
            if binding and isinstance(binding.node, ast.ClassDef):
                todo.append(binding.node)
    return False


def mentioned(node: ast.AST) -> set[str]:
    """All names within a node."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def is_cached(program: Program, definition: ast.AST) -> bool:
    """Whether a function gives again what it gave before."""
    return any(program.name(getattr(one, "func", one)) in CACHES for one in getattr(definition, "decorator_list", []))


def calls_of(program: Program, definition: ast.AST) -> list[ast.Call]:
    """The calls in this file that reach a definition."""
    if not isinstance(definition, FUNCTIONS):
        return []
    return program.remembered(("calls by definition",), lambda: _calls_by_definition(program)).get(definition, [])


def _calls_by_definition(program: Program) -> dict[ast.AST, list[ast.Call]]:
    found: dict[ast.AST, list[ast.Call]] = {}
    for call in program.tree.calls:
        definition = definition_of(program, call.func)
        if definition is not None:
            found.setdefault(definition, []).append(call)
    return found


def only_called_as_graph(program: Program, definition: ast.AST) -> bool:
    """Whether a definition is nowhere called but through `tf.function`: by its decorator, or by one call that alone takes its name."""
    if decorated(program, definition):
        return True
    name = getattr(definition, "name", None)
    if name is None or wrapping(program, definition) is None or program.looks_up_names:
        return False
    if _under_its_name(program, definition):
        return True
    attributes = program.attributes.get(name, [])
    names = [node for node in program.names.get(name, ()) if isinstance(node.ctx, ast.Load)]
    return len(attributes) + len(names) == 1
