"""Every import before ready: what it cost by itself and with all that it imported in turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.model.facts import ImportedModule, ImportTree, Leg
from firststep.model.trace import Span

KINDS = ("import", "native", "compile-source", "gc")
SELF_ONLY = ("native", "compile-source", "gc")


def import_tree(facts: Facts) -> ImportTree | None:
    """None where imports were not watched."""
    if not facts.measured("imports"):
        return None
    modules: list[ImportedModule] = []
    for leg in facts(path):
        modules.extend(_modules(leg, len(modules)))
    return ImportTree(tuple(modules))


class _Open:
    """An import that is being put together."""

    def __init__(self, span: Span, index: int, parent: _Open | None) -> None:
        self.span = span
        self.index = index
        self.parent = parent
        self.inside = dict.fromkeys(KINDS, 0)
        self.native = False

    def module(self, main: int) -> ImportedModule:
        span, inside = self.span, self.inside
        whole = span.end - span.start
        return ImportedModule(
            name=span.name,
            start=span.start,
            cumulative_ns=whole,
            self_ns=whole - sum(inside.values()),
            native_ns=inside["native"],
            compiled_ns=inside["compile-source"],
            gc_ns=inside["gc"],
            parent=self.parent.index if self.parent else None,
            main_thread=span.thread == main,
            compiled_from_source=inside["compile-source"] > 0,
            native=self.native,
            ended=span.ended,
        )


def _modules(leg: Leg, offset: int) -> list[ImportedModule]:
    by_thread: dict[int, list[Span]] = defaultdict(list)
    for span in leg.process.spans:
        if span.kind in KINDS and leg.start <= span.start < leg.end:
            by_thread[span.thread].append(span)
    opened = [one for spans in by_thread.values() for one in _nested(spans)]
    opened.sort(key=lambda one: one.span.start)
    for index, one in enumerate(opened):
        one.index = offset + index
    return [one.module(leg.process.thread) for one in opened]


def _nested(spans: list[Span]) -> Iterator[_Open]:
    """The imports among the spans of one thread, each charged with what lies directly in it."""
    stack: list[_Open] = []
    covered = 0  # end of the last span other than an import: what lies in it is charged already
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        while stack and stack[-1].span.end <= span.start:
            stack.pop()
        around = stack[-1] if stack else None
        if span.kind == "import":
            one = _Open(span, 0, around)
            if around:
                around.inside["import"] += span.end - span.start
            stack.append(one)
            yield one
        elif around and span.start >= covered:
            around.inside[span.kind] += span.end - span.start
            around.native = around.native or (
                span.kind == "native"
                and span.labels.get("module", "").rpartition(".")[2] == around.span.name.rpartition(".")[2]
            )
            covered = span.end


def packages(tree: ImportTree) -> list[tuple[str, int, int]]:
    """(top-level package, ns, modules): outermost imports of each package on the main thread, dearest first.

    A package is charged with what it imports, and not once more where it is imported from inside itself.
    """
    times: dict[str, int] = defaultdict(int)
    counts: dict[str, int] = defaultdict(int)
    for module in tree.modules:
        package = module.name.partition(".")[0]
        counts[package] += 1
        if module.parent is None and module.main_thread:
            times[package] += module.cumulative_ns
    return sorted(((package, ns, counts[package]) for package, ns in times.items()), key=lambda row: -row[1])
