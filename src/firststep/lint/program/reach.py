"""What a function reads from around it when it is traced, and whether a round of a loop may change that: as the source shows, or unseen, by
a call of which it is not known what it does. In doubt it may."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from firststep.lint.program import LOOK_UPS, Program
from firststep.lint.program.changes import LOOPS, changing_names
from firststep.lint.program.functions import (
    calls_of,
    class_of,
    decorated,
    definition_of,
    enclosing,
    graph_function,
    mentioned,
    method,
    only_binding,
    stands_in,
    wrapping,
)
from firststep.lint.program.keras import builds_model, returned
from firststep.lint.program.repetition import Repetition
from firststep.lint.program.sessions import region
from firststep.lint.program.tree import COMPREHENSIONS, DEFERRED, FUNCTIONS, Binding, Scope

FOLLOWED = 6  # values of values
# Libraries that know nothing of the program's objects but what they are given, and change none of those but as said below.
LIBRARIES = (
    "builtins", "tensorflow", "keras", "tensorflow_datasets", "numpy", "pandas", "sklearn", "scipy", "matplotlib", "seaborn", "PIL", "cv2",
    "imageio", "skimage", "tqdm", "wandb", "mlflow", "math", "random", "time", "datetime", "os", "sys", "io", "re", "json", "csv", "glob",
    "shutil", "pathlib", "logging", "gc", "collections", "itertools", "functools", "copy", "pickle", "string", "tempfile", "warnings",
    "argparse", "h5py", "heapq", "bisect", "timeit", "psutil", "traceback", "typing", "contextlib", "IPython", "absl",
)
# Functions of theirs that change what they are given, or take something from it.
CHANGERS = ("setattr", "delattr", "next", "anext", "shuffle", "copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis",
            "insort", "insort_left", "at", "insort_right", "heappush", "heappop", "heapify", "heapreplace", "heappushpop")
# Functions of theirs that set how all functions are traced from there on.
SETS = re.compile(r"^(tensorflow|keras)\..*\b(set_|enable_|disable_|experimental_enable_|run_functions_eagerly)\w*$")
# Methods that leave alone what is read at tracing time: they change the values of variables, or nothing.
KEEPS = set((
    "predict evaluate fit train_on_batch test_on_batch predict_on_batch save save_weights get_weights set_weights load_weights summary "
    "count_params result reset_states reset_state update_state assign assign_add assign_sub numpy apply_gradients gradient jacobian watch "
    "items keys values get copy index count format join split strip lower upper replace startswith endswith encode decode "
    "as_numpy_iterator astype reshape mean sum std max item tolist tostring info debug warning log").split())
KEEPS_OF_LIBRARIES = KEEPS | set("apply minimize batch map shuffle take skip repeat prefetch cache min error write flush writerow".split())
HOLDERS = set("append extend insert add update setdefault remove pop clear sort appendleft popleft reverse discard popitem".split())
ENVIRONMENT = ("os.environ", "os.getenv", "os.putenv")
OF_TENSORS = ("shape", "dtype", "numpy", "get_shape", "assign", "assign_add", "assign_sub", "read_value", "value")
MADE_BY = ("__init__", "__new__", "__post_init__")  # methods that run where an object is made
CALLED = ("__call__", "call")  # and where it is called
# Functions that give a view of what they get, or something that goes over it.
HOLD_WHAT_THEY_GET = ("list", "tuple", "dict", "set", "zip", "enumerate", "reversed", "sorted", "iter", "filter", "map", "next", "getattr",
                      "min", "max", "chain", "cycle", "islice", "partial", "asarray", "asanyarray", "ravel", "reshape", "transpose", "tqdm")
GIVE_PARTS = {"items", "keys", "values", "get", "reshape", "copy"}  # methods that give what the object holds
WRITTEN = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.BoolOp)
PASS_ON = (ast.Subscript, ast.Starred, ast.NamedExpr, ast.keyword, ast.Await)
PLAIN_VALUES = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Compare, ast.UnaryOp)
Thing = tuple[object, str]
"""A name by its scope; an attribute by its class ("" for any); what another module of the program holds ("module", its name)."""


@dataclass
class RoundChanges:
    """What rounds may change. `rebound`: names that are given a value; `mutated`: things that are changed in place; `anything`: whether a
    call with what differs from round to round may change whatever is not seen to be out of its reach; `settings`: whether rounds set
    how functions are traced; `reached`: what is mutated and all that it is made of, by whose it is."""

    rebound: set[Thing] = field(default_factory=set)
    mutated: set[Thing] = field(default_factory=set)
    anything: bool = False
    settings: bool = False
    reached: dict[object, set[str]] = field(default_factory=dict)


def may_change(program: Program, made: ast.AST, definition: ast.AST | None, repeated: Repetition) -> bool:
    """Whether a round may change what a function reads from around it. made: the definition, or the call of `tf.function`."""
    changes = _changes(program, made, repeated)
    if changes.settings:
        return True
    read, held = (things - _own_names(made) for things in _read(program, made, definition))
    if read & changes.rebound or (read and changes.anything):
        return True
    return _meet(_all_of(program, read | held), changes.reached)


def _own_names(made: ast.AST) -> set[Thing]:
    """The name that each round gives the graph function."""
    if isinstance(made, FUNCTIONS):
        return {(made.scope.owner(made.name), made.name)}  # type: ignore[union-attr]
    targets = getattr(made.up, "targets", [])  # type: ignore[attr-defined]
    return {(target.scope.owner(target.id), target.id) for target in targets if isinstance(target, ast.Name)}  # type: ignore[attr-defined]


def _meet(some: set[Thing], others: dict[object, set[str]]) -> bool:
    """Whether two sets have something in common; an object has its attributes."""
    for owner, name in some:
        names = others.get(owner, set())
        if name in names or (isinstance(owner, ast.ClassDef) and names and ("" in names or not name)):
            return True
    return False


# What there is, by name


def _things(program: Program, node: ast.AST | None) -> set[Thing]:
    """What is named within a node, but for functions and classes of the file, which are followed, and what libraries hold."""
    return {thing for thing, _ in _named_in(program, node)} if node is not None else set()


def _named_in(program: Program, around: ast.AST) -> Iterator[tuple[Thing, ast.AST]]:
    todo = [around]
    while todo:
        now = todo.pop()
        thing = _thing(program, now)
        if thing is not None:
            yield thing, now
        elif not isinstance(now, ast.Attribute) or class_of(now.value) is None:
            todo += ast.iter_child_nodes(now)


def _thing(program: Program, node: ast.AST) -> Thing | None:
    """What a name or an attribute stands for; None for anything else."""
    if isinstance(node, (ast.Name, ast.Attribute)) and program.name(node) in ENVIRONMENT:
        return "module", "os.environ"
    if isinstance(node, ast.Attribute):
        held = only_binding(node.value)
        if held is not None and held.kind in ("function", "class"):
            return _first_base(held.node) if isinstance(held.node, ast.ClassDef) else held.node, node.attr
        owner = class_of(node.value)
        return (_first_base(owner), node.attr) if owner is not None and method(owner, node.attr) is None else None
    return _of_name(program, node) if isinstance(node, ast.Name) else None


def _of_name(program: Program, node: ast.Name) -> Thing | None:
    owner = class_of(node)
    if owner is not None:
        return _first_base(owner), ""
    meaning = program.name(node)
    if meaning is not None:
        return None if _is_of_library(meaning) else ("module", meaning.split(".")[0])
    bindings = node.scope.lookup(node.id)  # type: ignore[attr-defined]
    if bindings and all(one.kind in ("function", "class") for one in bindings):
        return None
    is_fixed = len(bindings) == 1 and isinstance(bindings[0].value, ast.Constant)
    return None if is_fixed else (node.scope.owner(node.id), node.id)  # type: ignore[attr-defined]


def _is_of_library(name: str) -> bool:
    return name.split(".")[0] in LIBRARIES


def _first_base(owner: ast.ClassDef) -> ast.ClassDef:
    """The class of the file that a class comes from: what one sets the other has."""
    for _ in range(FOLLOWED):
        above = [one.node for base in owner.bases if (one := only_binding(base)) and isinstance(one.node, ast.ClassDef)]
        if not above:
            break
        owner = above[0]
    return owner


def _all_of(program: Program, things: set[Thing]) -> set[Thing]:
    """Things, and all that they are made of and may share parts with."""
    found: set[Thing] = set()
    todo = list(things)
    while todo:
        thing = todo.pop()
        if thing not in found:
            found.add(thing)
            todo += program.remembered((thing, "made of"), lambda thing=thing: _made_of(program, thing))  # type: ignore[misc]
    return found


def _made_of(program: Program, thing: Thing) -> set[Thing]:
    owner, name = thing
    values: list[ast.AST] = []
    if isinstance(owner, Scope):
        values = [value for one in owner.names.get(name, []) for value in _values(program, one)]
    elif isinstance(owner, ast.ClassDef):
        values = _given_to_class(program, owner) if not name else _given_to_attribute(program, owner, name)
    return set().union(*(_parts(program, value, FOLLOWED) for value in values))


def _parts(program: Program, value: ast.AST | None, deep: int) -> set[Thing]:
    """What a value is, holds, or is taken out of; nothing of what is only computed from it, as a tensor that a model gives."""
    if value is None or not deep:
        return set()
    if isinstance(value, (ast.Name, ast.Attribute)):
        return _things(program, value)
    if isinstance(value, ast.Call):
        return set().union(*(_parts(program, one, deep - 1) for one in _handed_through(program, value)))
    if isinstance(value, ast.IfExp):
        return _parts(program, value.body, deep) | _parts(program, value.orelse, deep)
    if isinstance(value, COMPREHENSIONS):
        inner = [getattr(value, "elt", getattr(value, "value", None)), *(one.iter for one in value.generators)]
    elif isinstance(value, WRITTEN):
        inner = getattr(value, "elts", getattr(value, "values", []))
    else:
        inner = [getattr(value, "value", None)] if isinstance(value, PASS_ON) else []
    return set().union(*(_parts(program, one, deep - 1) for one in inner))


def _handed_through(program: Program, call: ast.Call) -> list[ast.AST]:
    """What the result of a call may hold or be part of."""
    given: list[ast.AST] = [*call.args, *call.keywords]
    name, definition = program.name(call.func), definition_of(program, call.func)
    if name is not None and _is_of_library(name):
        package, _, last = name.rpartition(".")
        return given if last in HOLD_WHAT_THEY_GET or (package.startswith("keras") and last[:1].isupper()) else []
    if definition is not None:
        return [*given, *returned(definition)] if isinstance(definition, FUNCTIONS) else [*given, definition.body]
    if isinstance(call.func, ast.Attribute):
        return [] if call.func.attr in KEEPS_OF_LIBRARIES - GIVE_PARTS else [call.func.value, *given]
    return [] if _is_known(program, call.func) else [call.func, *given]


def _values(program: Program, binding: Binding) -> list[ast.AST]:
    """What a binding gives a name: its value, what a loop goes over, what calls give a parameter, or its default."""
    if binding.kind == "parameter":
        return _given_to_parameter(program, binding)
    if binding.value is not None:
        return [binding.value]
    return [one for one in (getattr(binding.node, "iter", None), getattr(binding.node, "value", None)) if one is not None]


def _given_to_parameter(program: Program, binding: Binding) -> list[ast.AST]:
    function = enclosing(binding.node, *DEFERRED)
    if not isinstance(function, DEFERRED):
        return []
    defaults = [one for one in (*function.args.defaults, *function.args.kw_defaults) if one is not None]
    owner = function.up  # type: ignore[union-attr]
    if isinstance(owner, ast.ClassDef) and getattr(function, "name", "") in MADE_BY:
        return [*defaults, *_given_to_class(program, owner)]
    return [*defaults, *(one for call in calls_of(program, function) for one in [*call.args, *call.keywords])]


def _given_to_class(program: Program, owner: ast.ClassDef) -> list[ast.AST]:
    """What is given where objects of a class are made."""
    made = program.remembered(("calls of classes",), lambda: _calls_of_classes(program))
    return [one for call in made.get(owner, []) for one in [*call.args, *call.keywords]]


def _calls_of_classes(program: Program) -> dict[ast.AST, list[ast.Call]]:
    found: dict[ast.AST, list[ast.Call]] = {}
    for call in program.tree.calls:
        binding = only_binding(call.func)
        if binding is not None and isinstance(binding.node, ast.ClassDef):
            found.setdefault(binding.node, []).append(call)
    return found


def _given_to_attribute(program: Program, owner: ast.ClassDef, name: str) -> list[ast.AST]:
    """What an attribute of a class's objects is given, wherever."""
    given: list[ast.AST] = []
    for node in program.attributes.get(name, []):
        statement, holder = node.up, class_of(node.value)  # type: ignore[attr-defined]
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value and holder and _first_base(holder) is owner:
            given.append(statement.value)
    return given


# What a function reads


def _read(program: Program, made: ast.AST, definition: ast.AST | None) -> tuple[set[Thing], set[Thing]]:
    """(what a graph function reads from around it, what it reads of objects that it is given)."""
    key = (made, "read")
    return program.remembered(key, lambda: _look_for_reads(program, made, definition))


def _look_for_reads(program: Program, made: ast.AST, definition: ast.AST | None) -> tuple[set[Thing], set[Thing]]:
    read: set[Thing] = set()
    if isinstance(made, ast.Call):
        read |= {thing for thing in _things(program, made) if not _is_within(thing, made)}
    for one in followed(program, [definition] if definition is not None else [made]):
        for thing, node in _named_in(program, one):
            if not _is_within(thing, one) and not _is_log(node):
                read.add(thing)
    asked = [_of_argument(node, definition) for node in ast.walk(definition)] if definition is not None else []
    return read, {thing for thing in asked if thing is not None}


def _is_within(thing: Thing, around: ast.AST) -> bool:
    """Whether a name is the function's own."""
    return isinstance(thing[0], Scope) and stands_in(thing[0].node, around)


def _is_log(node: ast.AST) -> bool:
    """Whether a holder is only added to, as `seen.append(x)`: what happens once per trace."""
    above = node.up  # type: ignore[attr-defined]
    call = above.up if isinstance(above, ast.Attribute) and above.attr in HOLDERS else None  # type: ignore[attr-defined]
    return isinstance(call, ast.Call) and isinstance(call.up, ast.Expr)  # type: ignore[attr-defined]


def _of_argument(node: ast.AST, definition: ast.AST) -> Thing | None:
    """The parameter of which something is read that is no tensor's, or that is called."""
    is_read = isinstance(node, ast.Attribute) and node.attr not in OF_TENSORS
    name = node.func if isinstance(node, ast.Call) else node.value if isinstance(node, ast.Attribute) and is_read else None
    if not isinstance(name, ast.Name) or class_of(name) is not None:
        return None
    binding = only_binding(name)
    is_parameter = binding is not None and binding.kind == "parameter" and enclosing(binding.node, *DEFERRED) is definition
    return (name.scope.owner(name.id), name.id) if is_parameter else None  # type: ignore[attr-defined]


def followed(program: Program, begin: list[ast.AST]) -> list[ast.AST]:
    """These nodes, and all functions of the file that they name, and that those name."""
    found: dict[ast.AST, None] = {}
    todo = list(begin)
    while todo:
        now = todo.pop()
        if now not in found:
            found[now] = None
            todo += program.remembered((now, "functions named"), lambda now=now: _functions_named(program, now))  # type: ignore[misc]
    return list(found)


def _functions_named(program: Program, around: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    for node in ast.walk(around):
        if not isinstance(node, (ast.Name, ast.Attribute)):
            continue
        definition, owner, binding = definition_of(program, node), class_of(node), only_binding(node)
        wanted: tuple[str, ...] = CALLED
        if binding is not None and isinstance(binding.node, ast.ClassDef):
            owner, wanted = binding.node, MADE_BY
        methods = [method(owner, name) for name in wanted] if owner is not None else []
        found += [one for one in (definition, *methods) if one is not None]
    return found


# What a round changes


def _changes(program: Program, made: ast.AST, repeated: Repetition) -> RoundChanges:
    around = region(made, repeated)
    return program.remembered((*around, "changes of rounds"), lambda: _look_for_changes(program, around))


def _look_for_changes(program: Program, around: list[ast.AST]) -> RoundChanges:
    changes = RoundChanges()
    traced: list[ast.AST] = []
    for one in followed(program, around):
        loop = around[0] if one is around[0] else None
        if isinstance(one, DEFERRED) and _is_graph(program, one):
            continue  # looked at below
        for node in _eager_nodes(program, one, traced):
            _add_seen(program, node, changes)
            if isinstance(node, ast.Call):
                _add_unseen(program, node, loop, changes)
    for one in followed(program, traced):
        for node in ast.walk(one):
            _add_seen(program, node, changes)
    for owner, name in _all_of(program, changes.mutated):
        changes.reached.setdefault(owner, set()).add(name)
    return changes


def _is_graph(program: Program, definition: ast.AST) -> bool:
    return bool(decorated(program, definition) or wrapping(program, definition))


def _eager_nodes(program: Program, around: ast.AST, traced: list[ast.AST]) -> Iterator[ast.AST]:
    """The nodes within one that run as they stand; the graph functions are put into `traced`."""
    todo = [around]
    while todo:
        now = todo.pop()
        if isinstance(now, DEFERRED) and _is_graph(program, now):
            traced.append(now)
            continue
        yield now
        todo += ast.iter_child_nodes(now)


def _add_seen(program: Program, node: ast.AST, changes: RoundChanges) -> None:
    """What a node changes as the source shows."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        changes.rebound.add((node.scope.owner(node.id), node.id))  # type: ignore[attr-defined]
    elif isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        changes.mutated |= _things(program, node if isinstance(node, ast.Attribute) else node.value)
    elif isinstance(node, ast.AugAssign) and _is_in_place(node):
        changes.mutated |= _things(program, node.target)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in HOLDERS:
        changes.mutated |= _things(program, node.func.value)
    elif isinstance(node, ast.Call) and (program.name(node.func) or "").rpartition(".")[2] in CHANGERS:
        changes.mutated |= set().union(*(_things(program, one) for one in node.args))
    elif isinstance(node, ast.keyword) and node.arg == "out":
        changes.mutated |= _things(program, node.value)


def _is_in_place(node: ast.AugAssign) -> bool:
    """Whether `a += b` may change what others hold too: a list, or what the name has from elsewhere. A number's name is rebound."""
    if not isinstance(node.target, ast.Name) or isinstance(node.value, (*WRITTEN, *COMPREHENSIONS)):
        return True
    bindings = node.target.scope.lookup(node.target.id)  # type: ignore[attr-defined]
    return any(one.kind == "parameter" or isinstance(one.value, (ast.Name, ast.Attribute, ast.Subscript)) for one in bindings)


def _add_unseen(program: Program, call: ast.Call, loop: ast.AST | None, changes: RoundChanges) -> None:
    """What a call may change of which the source does not show what it does."""
    name = program.name(call.func)
    if name is not None and _is_of_library(name):
        changes.settings |= bool(SETS.match(name)) and _differs(program, call, loop)
        changes.anything |= name in LOOK_UPS or name == "builtins.__import__"
        return
    if definition_of(program, call.func) is not None or graph_function(program, call.func) is not None or _makes_object(call):
        return  # followed
    owner = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    is_known = _is_known(program, owner)
    if getattr(call.func, "attr", "") in (KEEPS_OF_LIBRARIES if is_known else KEEPS) | HOLDERS:
        return
    if is_known and not isinstance(call.func, ast.Attribute):
        return  # `model(x)`, `layer(x)`
    changes.mutated |= _things(program, owner)
    if not is_known:
        changes.mutated |= set().union(*(_things(program, one) for one in [*call.args, *call.keywords]))
        changes.anything |= _differs(program, call, loop)


def _makes_object(call: ast.Call) -> bool:
    """`Class(...)` or a call of an object of a class of the file."""
    binding = only_binding(call.func)
    return class_of(call.func) is not None or (binding is not None and isinstance(binding.node, ast.ClassDef))


def _differs(program: Program, call: ast.Call, loop: ast.AST | None) -> bool:
    """Whether a call may do another thing in another round: by what it is given, or as not every round makes it."""
    owner = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    names = {name for one in [*owner, *call.args, *call.keywords] for name in mentioned(one)}
    if loop is None or not isinstance(loop, (*LOOPS, *COMPREHENSIONS)):
        return bool(names)
    changing, assigned = changing_names(program, loop)
    condition = enclosing(call, ast.If, ast.IfExp, *LOOPS, *DEFERRED)
    return bool(names & (changing | assigned)) or (isinstance(condition, (ast.If, ast.IfExp)) and stands_in(condition, loop))


def _is_known(program: Program, expression: ast.AST | None, deep: int = FOLLOWED) -> bool:
    """Whether a library made what an expression stands for, or it is written here: a method of it changes nothing but itself."""
    if deep == 0 or expression is None:
        return False
    name = program.name(expression)
    if isinstance(expression, PLAIN_VALUES) or (name is not None and _is_of_library(name)):
        return True
    if isinstance(expression, WRITTEN):
        return all(_is_known(program, one, deep - 1) for one in getattr(expression, "elts", getattr(expression, "values", [])))
    if isinstance(expression, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return _is_known(program, expression.elt, deep - 1)
    if isinstance(expression, ast.Call):
        return builds_model(program, expression) or _is_known(program, expression.func, deep - 1)
    holder = class_of(expression.value) if isinstance(expression, ast.Attribute) else None
    if holder is not None:
        given = _given_to_attribute(program, _first_base(holder), expression.attr)  # type: ignore[attr-defined]
        return bool(given) and all(_is_known(program, one, deep - 1) for one in given)
    if isinstance(expression, (ast.Attribute, ast.Subscript, ast.Starred)):
        return _is_known(program, expression.value, deep - 1)
    bindings = expression.scope.lookup(expression.id) if isinstance(expression, ast.Name) else []  # type: ignore[attr-defined]
    return bool(bindings) and all(_binds_known(program, one, deep - 1) for one in bindings)


def _binds_known(program: Program, binding: Binding, deep: int) -> bool:
    if binding.kind in ("parameter", "import", "function", "class"):
        return False
    return all(_is_known(program, value, deep) for value in _values(program, binding))
