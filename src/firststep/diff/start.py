"""One start as what a comparison needs of it: every item of every topic, under a name that another start has as well."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from firststep.analyse.counts import counts
from firststep.analyse.executions import executions
from firststep.analyse.facts import Facts
from firststep.analyse.graph_work import graph_work
from firststep.analyse.identity import identity
from firststep.analyse.import_tree import import_tree
from firststep.analyse.loads import loads
from firststep.analyse.marks import marks
from firststep.analyse.native_libraries import native_libraries
from firststep.analyse.partition import partition
from firststep.analyse.source_lines import source_lines
from firststep.analyse.spans import spans
from firststep.analyse.tracing import tracing
from firststep.diagnose import diagnosis
from firststep.model.facts import Identity
from firststep.model.trace import Trace
from firststep.model.words import plain_name
from firststep.report.places import source

INSTALLED = re.compile(r".*/(?:(?:site|dist)-packages|lib/python\d\.\d+(?:/lib-dynload)?)/(.+)", re.DOTALL)
BUILD = re.compile(r"\.(?:cpython-\d+[\w-]*|abi3)(?=\.so$)")  # which Python an extension module was built for
MOST_LINES = 1000  # of the user's, the costliest: matching them takes the square of it where they all read the same
MADE_UP = re.compile(r"/tmp/[^/]+/|/var/folders/[^/]+/[^/]+/[^/]+/[^/]+/")


@dataclass(frozen=True)
class Line:
    """A line of the user's own source, its text where the trace has it."""

    file: str
    number: int
    text: str
    ns: int


Items = Mapping[str, int]  # nanoseconds, by name


@dataclass(frozen=True)
class ComparedStart:
    """What one trace says. topics: items by name in each; lines are matched by their text, and apart for that."""

    identity: Identity
    wall_ns: int
    topics: Mapping[str, Items]
    lines: tuple[Line, ...]
    counts: Mapping[str, int]


def start_of(trace: Trace) -> ComparedStart:
    """The items of a trace."""
    facts = Facts(trace)
    return ComparedStart(identity(facts), facts(partition).wall_ns, {topic: items(facts) for topic, items in TOPICS.items()}, _lines(facts),
                         facts(counts))


def _phases(facts: Facts) -> Items:
    return {name: ns for name, ns in facts(partition).phases.items() if ns}


def _packages(facts: Facts) -> Items:
    return summed((name.partition(".")[0], ns) for name, ns in _modules(facts).items())


def _modules(facts: Facts) -> Items:
    """Their own time: without the imports, libraries and collections in them."""
    tree = facts(import_tree)
    return summed((module.name, module.self_ns + module.compiled_ns) for module in tree.modules if module.main_thread) if tree else {}


def _functions(facts: Facts) -> Items:
    """Functions that were traced, without the traces in them; two of one name and file are told apart by their order in it."""
    found = facts(tracing)
    names = _function_names(facts)
    return {names[one.name, one.source]: one.self_ns for one in found.functions} if found else {}


def _traces(facts: Facts) -> Items:
    """Trace by trace, where a function was traced more than once: the second with the second."""
    names, times = _function_names(facts), defaultdict(list)
    for seen in spans(facts, "trace"):
        times[names[seen.span.name, str(seen.span.labels.get("source", ""))]].append(seen.span.end - seen.span.start)
    return {f"trace {number} of {name}": ns for name, every in times.items() if len(every) > 1 for number, ns in enumerate(every, 1)}


def _function_names(facts: Facts) -> dict[tuple[str, str], str]:
    """{(name, source): the name it has here}"""
    found = facts(tracing)
    alike: dict[str, list[tuple[int, tuple[str, str]]]] = defaultdict(list)
    for one in found.functions if found else ():
        file, _, number = one.source.rpartition(":")
        where = "/".join(short(file, facts).split("/")[-2:])
        alike[f"{one.name} ({where})" if where else one.name].append((int(number) if number.isdigit() else 0, (one.name, one.source)))
    return {key: name if len(every) == 1 else f"{name} #{place}"
            for name, every in alike.items() for place, (_, key) in enumerate(sorted(every), 1)}


def _named(facts: Facts) -> Items:
    return {one.name: one.ns for one in facts(marks).phases}


def _graphs(facts: Facts) -> Items:
    return summed((plain_name(one.name), one.optimise_ns + one.compile_ns) for one in facts(graph_work))


def _executions(facts: Facts) -> Items:
    return summed((plain_name(one.name), one.first_ns) for one in facts(executions))


def _libraries(facts: Facts) -> Items:
    return summed((BUILD.sub("", short(one.path, facts)), one.ns) for one in facts(native_libraries) or ())


def _weights(facts: Facts) -> Items:
    return summed((f"{short(one.path, facts)} ({one.kind})", one.ns) for one in facts(loads))


def _findings(facts: Facts) -> Items:
    return {one.id: one.gain.middle_ns for one in facts(diagnosis).findings}


TOPICS: Mapping[str, Callable[[Facts], Items]] = {
    "phases": _phases,
    "named by your program": _named,
    "findings": _findings,
    "functions": _functions,
    "traces": _traces,
    "graphs": _graphs,
    "first executions": _executions,
    "packages": _packages,
    "modules": _modules,
    "libraries": _libraries,
    "weight files": _weights,
}


def summed(pairs: Iterable[tuple[str, int]]) -> Items:
    """What has the same name, together."""
    total: dict[str, int] = defaultdict(int)
    for name, ns in pairs:
        total[name] += ns
    return dict(total)


def _lines(facts: Facts) -> tuple[Line, ...]:
    """The user's lines that were seen, by file and number: each with the time in which it was the innermost of them."""
    found = [Line(short(one.line.file, facts), one.line.line, source(one.line, facts.trace), one.self_ns)
             for one in facts(source_lines)[:MOST_LINES] if one.self_ns]
    return tuple(sorted(found, key=lambda line: (line.file, line.number)))


def short(file: str, facts: Facts) -> str:
    """A file as another machine, environment or checkout has it too: below its packages, below where the program ran, or its
    last two parts."""
    installed = INSTALLED.match(file)
    if installed:
        return installed[1]
    for process in facts.trace.processes:
        if file in process.cells:
            return f"cell {process.cells[file][0]}"
        cwd = str(process.header.get("cwd") or "").rstrip("/") + "/"
        if len(cwd) > 1 and file.startswith(cwd):
            return file[len(cwd) :]
    temporary = MADE_UP.match(file)
    if temporary:
        return file[temporary.end() :]
    return "/".join(file.split("/")[-2:])
