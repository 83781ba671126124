"""Sessions and graphs of TensorFlow 1."""

from itertools import count
from weakref import WeakKeyDictionary

from firststep_agent.as_found import open, os
from firststep_agent.observe.labels import argument, said
from firststep_agent.observe.labels.places import user_line
from firststep_agent.observe.labels.values import measured
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_LOOKED_INTO = 5  # graphs that have grown, for the line that made their last operation: all of their operations are listed for it
MOST_LATER_RUNS = 100  # that become spans of their own; the others are counted

_born: "dict[int, int]" = {}  # session (its id, which a later one may have again) -> its number
# session -> version of its graph when it was extended last, and whether that was the first time
_versions: "dict[int, tuple[int, bool]]" = {}
_numbers: "WeakKeyDictionary[Any, int]" = WeakKeyDictionary()  # of graphs: a later one may have the identity of one that is gone
_graphs = count(1)
_runs: "set[tuple[Any, ...]]" = set()
_later = [0]
_looked_into = [0]
_created = [0]


def created(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    _created[0] += 1
    _born[id(args[0])] = _created[0]
    _versions.pop(id(args[0]), None)
    return {"target": _named(argument(args, kwargs, 1, "target")), **graph(args, kwargs, result),
            "resident": resident(), **user_line()}


def initialisation(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    """Of variables_initializer(var_list): the graph that it grows, and the memory of the process by then."""
    its = getattr(result, "graph", None)
    size = {} if its is None else {"graph": _number(its), "nodes": _nodes(its)}
    variables = argument(args, kwargs, 0, "var_list") or ()
    return {"variables": len(variables), "bytes": sum(measured(one.shape, one.dtype).get("bytes", 0) for one in variables),
            "resident": resident(), **size, **user_line()}


def resident() -> int:
    """Bytes of the process that are in memory; 0 where the kernel does not say."""
    try:
        with open("/proc/self/statm", encoding="utf-8") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError) as error:
        if is_theirs(error):
            raise
        return 0


def graph(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    its = args[0].graph
    return {"graph": _number(its), "version": its.version, "nodes": _nodes(its), "session": id(args[0])}


def grown(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    first = _versions.get(id(args[0]), (0, False))[1]
    return {**graph(args, kwargs, result), **({"first": True} if first else _made(args[0].graph)), **user_line()}


def _made(its: "Any") -> "dict[str, str]":
    """{"made": "file:number"} of the program's line that made the last operation of a graph."""
    from firststep_agent.observe.labels.graphs import line_of

    if _looked_into[0] >= MOST_LOOKED_INTO:
        return {}
    _looked_into[0] += 1
    line = line_of(its.get_operations()[-1])
    return {"made": line} if line else {}


def _number(its: "Any") -> int:
    if its not in _numbers:
        _numbers[its] = next(_graphs)
    return _numbers[its]


def _nodes(its: "Any") -> int:
    operations = getattr(its, "num_operations", None)
    return operations() if operations else len(its._nodes_by_name)


def has_grown(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> bool:
    session = args[0]
    version = session.graph.version
    before, _ = _versions.get(id(session), (None, False))
    if before == version:
        return False
    _versions[id(session)] = version, before is None
    return True


def kind_of_run(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> "str | bool":
    """The first run of these fetches in this session on a graph of this version, or a later one."""
    session = args[0]
    key = (id(session), _born.get(id(session)), session.graph.version, tuple(map(id, said.leaves(argument(args, kwargs, 1, "fetches")))))
    if key not in _runs:
        _runs.add(key)
        return "session-run-first"
    _later[0] += 1
    return "session-run" if _later[0] <= MOST_LATER_RUNS else False


def fetched(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    flat = said.leaves(argument(args, kwargs, 1, "fetches"))
    names = [_named(said.attribute(one, "name") or one) for one in flat[:3]]
    return ", ".join([*names, "..."] if len(flat) > 3 else names)


def imported(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    definition = argument(args, kwargs, 0, "graph_def")
    return {"nodes": len(definition.node), "functions": len(definition.library.function)}


def restored_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return _named(argument(args, kwargs, 2, "save_path"))


def _named(value: "Any") -> str:
    return "" if value is None else said.text(value)
