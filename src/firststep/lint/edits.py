"""Edits of source with libcst: comments and formatting stay. A place is (line from 1, column from 0 in characters).

Each function gives an `Edit`; what the text does not allow raises `CannotEdit` when the edit is made. libcst is
imported then, not before: it takes longer to load than most files to check.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from firststep.lint.findings import CannotEdit, Edit

if TYPE_CHECKING:
    import libcst as cst

Place = tuple[int, int]


class _Source:
    """A parsed text whose nodes are found by place."""

    def __init__(self, text: str) -> None:
        from libcst import ParserSyntaxError, parse_module
        from libcst.metadata import MetadataWrapper, PositionProvider

        try:
            wrapper = MetadataWrapper(parse_module(text), unsafe_skip_copy=True)
        except (ParserSyntaxError, RecursionError, ValueError) as error:
            raise CannotEdit("libcst cannot parse it") from error
        self.module = wrapper.module
        if self.module.code != text:
            raise CannotEdit("libcst would change more of it: form feeds, or lines that end with carriage returns alone")
        self._lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)", text + "\n")
        self._positions = wrapper.resolve(PositionProvider)

    def find(self, place: Place, *types: Any) -> Any:
        """The innermost node of one of the types that starts there and, of those, is the longest."""
        found = [(range_.end.line, range_.end.column, node) for node, range_ in self._positions.items()
                 if isinstance(node, types) and (range_.start.line, range_.start.column) == place]
        if not found:
            raise CannotEdit(f"nothing to edit at line {place[0]}")
        return max(found, key=lambda one: one[:2])[2]

    def find_ending(self, place: Place, end: Place, *types: Any) -> Any:
        """The node of one of the types with this start and end."""
        for node, range_ in self._positions.items():
            if isinstance(node, types) and (range_.start.line, range_.start.column, range_.end.line, range_.end.column) == (*place, *end):
                return node
        raise CannotEdit(f"nothing to edit at line {place[0]}")

    def end(self, node: Any) -> int:
        """How many characters of the text stand before the end of a node."""
        end = self._positions[node].end
        return sum(map(len, self._lines[: end.line - 1])) + int(end.column)

    def statement(self, place: Place) -> Any:
        """A whole statement that stands on lines of its own."""
        import libcst as cst

        node = self.find(place, cst.SimpleStatementLine, cst.BaseCompoundStatement)
        if isinstance(node, cst.SimpleStatementLine) and len(node.body) != 1:
            raise CannotEdit("it shares its line with another statement")
        return node


def _replaced(source: _Source, old: Any, new: Any) -> str:
    changed: Any = source.module.deep_replace(old, new)
    return str(changed.code)


def replace(place: Place, end: Place, change: Callable[[str], str]) -> Edit:
    """The expression between two places, changed as text."""
    def edit(text: str) -> str:
        import libcst as cst

        source = _Source(text)
        node = source.find_ending(place, end, cst.BaseExpression)
        new = cst.parse_expression(change(source.module.code_for_node(node)))
        return _replaced(source, node, new)

    return edit


def set_argument(place: Place, end: Place, name: str, value: str | None) -> Edit:
    """The keyword argument of the call between two places is given another value; None takes it away."""
    def edit(text: str) -> str:
        import libcst as cst

        source = _Source(text)
        call = source.find_ending(place, end, cst.Call)
        return _replaced(source, call, call.with_changes(args=_with_argument(call.args, name, value)))

    return edit


def _with_argument(args: Sequence[cst.Arg], name: str, value: str | None) -> list[cst.Arg]:
    import libcst as cst

    places = [place for place, arg in enumerate(args) if arg.keyword and arg.keyword.value == name]
    if not places:
        raise CannotEdit(f"it has no argument `{name}`")
    place, changed = places[0], list(args)
    if value is not None:
        changed[place] = args[place].with_changes(value=cst.parse_expression(value))
        return changed
    removed = changed.pop(place)
    if changed and place == len(changed):
        changed[-1] = _as_the_last(changed[-1], removed)
    return changed


def _as_the_last(argument: cst.Arg, removed: cst.Arg) -> cst.Arg:
    """The call ends behind it as it did behind the last one, which is gone with what was said of it. Its own comment stays."""
    import libcst as cst

    end: Any = removed.comma.whitespace_after if isinstance(removed.comma, cst.Comma) else removed.whitespace_after_arg
    if isinstance(end, cst.ParenthesizedWhitespace):
        end = end.with_changes(first_line=end.first_line.with_changes(whitespace=cst.SimpleWhitespace(""), comment=None))
    assert isinstance(argument.comma, cst.Comma)
    between: Any = argument.comma.whitespace_after
    if _comments_in(between):
        if isinstance(end, cst.ParenthesizedWhitespace):
            lines = [*between.empty_lines, *end.empty_lines]
            between = between.with_changes(empty_lines=lines, indent=end.indent, last_line=end.last_line)
        return argument.with_changes(comma=argument.comma.with_changes(whitespace_after=between))
    if isinstance(removed.comma, cst.Comma):
        return argument.with_changes(comma=removed.comma.with_changes(whitespace_after=end))
    return argument.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=end)


def _comments_in(space: Any) -> bool:
    import libcst as cst

    if not isinstance(space, cst.ParenthesizedWhitespace):
        return False
    return bool(space.first_line.comment) or any(line.comment for line in space.empty_lines)


def insert_before(place: Place, code: str) -> Edit:
    """New statements before a statement, in its block."""
    def edit(text: str) -> str:
        import libcst as cst

        source = _Source(text)
        target = source.statement(place)
        new = [cst.parse_statement(line, config=source.module.config_for_parsing) for line in code.split("\f")]
        new[0] = new[0].with_changes(leading_lines=target.leading_lines)
        stripped = target.with_changes(leading_lines=())
        return _rewritten(source, lambda statement: [*new, stripped] if statement is target else None)

    return edit


def hoist(place: Place, before: Place) -> Edit:
    """A statement moved out of its loop, to stand before the loop."""
    def edit(text: str) -> str:
        import libcst as cst

        source = _Source(text)
        moved = source.statement(place)
        changed = _rewritten(source, lambda statement: [] if statement is moved else None)
        again = _Source(changed)
        target = again.statement(before)
        alone = moved.with_changes(leading_lines=_comments(moved.leading_lines, target.leading_lines))
        after = target
        if isinstance(moved, cst.FunctionDef):
            own = itertools.dropwhile(lambda line: line.comment is None, target.leading_lines)
            after = target.with_changes(leading_lines=[cst.EmptyLine(indent=False), *own])
        return _rewritten(again, lambda statement: [alone, after] if statement is target else None)

    return edit


def _comments(lines: Sequence[cst.EmptyLine], above: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """What stands above a statement that moves: the blank lines above its new place, then its own comments."""
    return [*(line for line in above if line.comment is None), *(line for line in lines if line.comment is not None)]


def remove_statement(place: Place) -> Edit:
    """A statement taken away."""
    def edit(text: str) -> str:
        source = _Source(text)
        target = source.statement(place)
        return _rewritten(source, lambda statement: [] if statement is target else None, hands_over=True)

    return edit


def move_link(place: Place, end: Place, links: int) -> Edit:
    """In a chain of method calls, the last one moved forwards over so many that stand before it, each with its comments: those on the
    lines above it, and that behind it."""
    def edit(text: str) -> str:
        import libcst as cst

        source = _Source(text)
        below = source.find_ending(place, end, cst.Call)
        ends = [source.end(below)]
        for _ in range(links + 1):
            if not isinstance(below, cst.Call) or not isinstance(below.func, cst.Attribute):
                raise CannotEdit("the chain is not one expression")
            below = below.func.value
            ends.insert(0, source.end(below))
        parts = [_link(text[start:stop]) for start, stop in zip(ends, ends[1:])]
        lines = any("\n" in above or "\r" in above for _, above, _ in parts)
        behind = re.match(COMMENT, text[ends[-1] :])[0] if lines else ""  # type: ignore[index]  # of one line, it is the whole line's
        comments = [parts[0][0], behind, *(comment for comment, _, _ in parts[1:])]
        moved = [parts[-1], *parts[:-1]]
        new = "".join(_joined(comment, above + call) for comment, (_, above, call) in zip(comments, moved))
        return text[: ends[0]] + new + _closed(comments[-1], text[ends[-1] + len(behind) :])

    return edit


COMMENT = r"(?:[ \t]*#[^\r\n]*)?"


def _link(text: str) -> tuple[str, str, str]:
    """(the comment behind what stands before, what stands between the two, the call) of a part of a chain."""
    found = re.fullmatch(rf"({COMMENT})((?:\s|\\|#[^\r\n]*)*)(\..*)", text, re.DOTALL)
    if not found:
        raise CannotEdit("the chain has parentheses within")
    return found[1], found[2], found[3]


def _joined(comment: str, after: str) -> str:
    if comment and not after.lstrip(" \t").startswith(("\n", "\r")):
        raise CannotEdit("a comment would part from its call")
    return comment + after


def _closed(comment: str, after: str) -> str:
    """What stands after the chain, with the comment of its last call behind the parentheses that close there."""
    if not comment:
        return after
    brackets = re.match(r"[ \t)\]},]*", after)[0]  # type: ignore[index]
    rest = after[len(brackets) :]
    return brackets + (_joined(comment, rest) if rest else comment)


def move_imports(names: Sequence[tuple[Place, str]], function: Place | None) -> Edit:
    """Names imported at module level, each by (place of its statement, name that it binds), are imported first thing in a
    function instead; without a function, they are taken away."""
    def edit(text: str) -> str:
        import libcst as cst

        source = _Source(text)
        moved: list[Any] = []
        changes: dict[Any, list[Any]] = {}
        for place in dict.fromkeys(place for place, _ in names):
            statement = source.statement(place)
            kept, gone = _split(statement.body[0], {name for at, name in names if at == place})
            changes[statement] = [statement.with_changes(body=[kept])] if kept else []
            comment = statement.trailing_whitespace if not kept else cst.TrailingWhitespace()
            stays = kept or _begins_a_group(statement, source.module.body)
            said = [] if stays else [line for line in statement.leading_lines if line.comment]
            moved.append(cst.SimpleStatementLine(body=[gone], leading_lines=said, trailing_whitespace=comment))
        target = source.find(function, cst.FunctionDef) if function else None

        def rewrite(statement: Any) -> list[Any] | None:
            return changes.get(statement)

        return _rewritten(source, rewrite, target, moved, hands_over=True)

    return edit


def _split(statement: Any, wanted: set[str]) -> tuple[Any, Any]:
    """(the import statement without the names that are wanted, or None; one of these alone)."""
    import libcst as cst

    if not isinstance(statement, (cst.Import, cst.ImportFrom)) or isinstance(statement.names, cst.ImportStar):
        raise CannotEdit("it is not a plain import")
    gone = [alias for alias in statement.names if _bound(alias) in wanted]
    kept = [alias for alias in statement.names if _bound(alias) not in wanted]
    if not gone:
        raise CannotEdit("the import is not there")
    if not kept:
        return None, statement
    plain = {"lpar": None, "rpar": None} if isinstance(statement, cst.ImportFrom) else {}
    kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    gone = [alias.with_changes(comma=cst.MaybeSentinel.DEFAULT) for alias in gone]
    return statement.with_changes(names=kept), statement.with_changes(names=gone, **plain)


def _bound(alias: Any) -> str:
    if alias.asname is not None:
        return str(alias.asname.name.value)
    return str(alias.evaluated_name).split(".")[0]


def _begins_a_group(statement: Any, block: Sequence[Any]) -> bool:
    """Whether the next statement stands right below it: then what is above both is said of both."""
    place = next((place for place, one in enumerate(block) if one is statement), len(block))
    return place + 1 < len(block) and not block[place + 1].leading_lines


def _rewritten(source: _Source, change: Callable[[Any], list[Any] | None], function: Any = None, first: Sequence[Any] = (),
               hands_over: bool = False) -> str:
    """The text with each statement replaced by those that `change` gives for it; None keeps it. hands_over: what is above one that goes
    and begins a group stays above the group."""
    import libcst as cst

    class Rewriter(cst.CSTTransformer):
        def _body(self, original: Any, updated: Any) -> list[Any]:
            body: list[Any] = []
            above: Sequence[Any] = ()  # those that go
            for before, after in zip(original.body, updated.body):
                new = change(before)
                if above:
                    after = after.with_changes(leading_lines=above)
                    new = [one.with_changes(leading_lines=above) for one in new] if new else new
                body.extend([after] if new is None else [after if one is before else one for one in new])
                goes = hands_over and new == [] and _begins_a_group(before, original.body)
                above = (above or before.leading_lines) if goes else ()
            return body

        def leave_Module(self, original: Any, updated: Any) -> Any:
            return updated.with_changes(body=self._body(original, updated))

        def leave_IndentedBlock(self, original: Any, updated: Any) -> Any:
            body = self._body(original, updated)
            return updated.with_changes(body=body or [cst.parse_statement("pass")])

        def leave_FunctionDef(self, original: Any, updated: Any) -> Any:
            return _with_first(updated, first) if original is function else updated

    return source.module.visit(Rewriter()).code


def _with_first(function: Any, statements: Sequence[Any]) -> Any:
    """The function with these statements after its docstring, if it has one."""
    import libcst as cst

    if not isinstance(function.body, cst.IndentedBlock):
        raise CannotEdit("the function stands on one line")
    body = list(function.body.body)
    place = 1 if function.get_docstring() is not None else 0
    body[place:place] = statements
    return function.with_changes(body=function.body.with_changes(body=body))
