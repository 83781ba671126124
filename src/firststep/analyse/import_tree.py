"""Every import before ready: what it cost by itself and with all that it imported in turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import spans
from firststep.model.facts import ImportedModule, ImportTree
from firststep.model.ownership import OWN_MODULES
from firststep.model.trace import Span

KINDS = ("import", "native", "compile-source", "gc")


def import_tree(facts: Facts) -> ImportTree | None:
    """None where imports were not watched."""
    if not facts.measured("imports"):
        return None
    by_thread: dict[tuple[int, int], list[Span]] = defaultdict(list)
    for process, span in spans(facts, *KINDS):
        by_thread[(process.pid, span.thread)].append(span)
    main = {(leg.process.pid, leg.process.thread) for leg in facts(path)}
    opened = [(one, thread in main) for thread, found in by_thread.items() for one in _nested(found)]
    opened.sort(key=lambda item: item[0].span.start)
    for index, (one, _) in enumerate(opened):
        one.index = index
    return ImportTree(tuple(one.module(on_main) for one, on_main in opened))


class _Open:
    """An import that is being put together."""

    def __init__(self, span: Span, parent: _Open | None) -> None:
        self.span = span
        self.index = 0  # in the tree
        self.parent = parent
        self.ours: bool = span.name.startswith(OWN_MODULES) or (parent is not None and parent.ours)
        self.inside = dict.fromkeys(KINDS, 0)
        self.native = False
        self._others: list[Span] = []  # library loads, compilations and collections that are open in it, one within the other

    def holds(self, span: Span) -> None:
        """Charges what lies in this import, and in no other that does, to the innermost thing that it is."""
        while self._others and self._others[-1].end <= span.start:
            self._others.pop()
        if self._others:
            around = self._others[-1]
            self.inside[around.kind] -= min(span.end, around.end) - span.start
        self.inside[span.kind] += span.end - span.start
        if span.kind != "import":
            self._others.append(span)

    def module(self, main_thread: bool) -> ImportedModule:
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
            main_thread=main_thread,
            compiled_from_source=inside["compile-source"] > 0,
            native=self.native,
            ended=span.ended,
        )


def _nested(found: list[Span]) -> Iterator[_Open]:
    """The imports among the spans of one thread but our own, each charged with what lies directly in it."""
    stack: list[_Open] = []
    for span in found:
        while stack and stack[-1].span.end <= span.start:
            stack.pop()
        around = stack[-1] if stack else None
        if around:
            around.holds(span)
        if span.kind == "import":
            one = _Open(span, around)
            stack.append(one)
            if not one.ours:
                yield one
        elif around and span.kind == "native":
            module = span.labels.get("module", "").rpartition(".")[2]
            around.native = around.native or module == around.span.name.rpartition(".")[2]
