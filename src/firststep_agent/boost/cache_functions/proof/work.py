"""What the child does: traces for real, from the state that the program answers from, and compares everything.

A child of its own, forked from the same state, does what the answer does instead of a trace. The two must leave the same
world behind.
"""

import functools
import signal

from firststep_agent import kinds
from firststep_agent.as_found import open, os, time
from firststep_agent.boost.cache_functions.keep import outputs
from firststep_agent.boost.cache_functions.keep.header import STARVED
from firststep_agent.boost.cache_functions.proof import addresses, own_errors, sandbox, state
from firststep_agent.boost.cache_functions.proof.answering import Answering
from firststep_agent.boost.cache_functions.reads.sources import Sources
from firststep_agent.boost.cache_functions.reads.watch import files
from firststep_agent.boost.objects import canonical
from firststep_agent.boost.traces import speech
from firststep_agent.forks import leave
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from mmap import mmap as Region
    from typing import Any, NoReturn

    from firststep_agent.boost.cache_functions.keep.header import Header

    Words = dict[int, int]

RUNNING, EQUAL, DIFFERS, FAILED = range(4)
HELD, GO = range(2)  # what the program tells the child
SIZE = 1 << 16  # bytes of the region that the verdict stands in
# status, word to the child, number of the child, length of the text, number of the child's own child, milliseconds of processor time that
# both have had in the end; then the text
_TEXT_AT = 20
_NUMBERS_AT = _CHILD, _ANSWERS = 4, 12
_USED_AT = 16
_AT_ONCE = 2  # children that work, of those that are alive
_HELD_S = 5.0  # that a child lets the program go first, to its first step
_TICK_S = 0.02
_REASON = 300  # characters of an error of a trace that was put off
_MORE_BYTES = 3 << 30  # of address space


class Job:
    """What is to be proved. undo(), perform() lead from the state at the fork to that before the trace, and on to that after the
    answer; trace() gives the concrete function. is_late: it is a trace that was put off: its graph is all that counts, and if it fails
    it is another. is_first: it is the start that learns. is_answer: the program goes on with an answer meanwhile. expected(): the
    entry's header; captures: what the answer is bound to; files: {path: digest} of those that the trace was seen to read; bound_s: of
    processor time that it may take. sources: the program's as they are before it goes on. program: the number of the process that it is
    a proof for, once that begins it.
    """

    def __init__(self, name: str, python_function: "Any", undo: "Callable[[], None]", perform: "Callable[[], None]",
                 trace: "Callable[[], Any]", expected: "Callable[[], Header]", captures: "list[Any]", files: "dict[str, Any]",
                 bound_s: float, is_late: bool = False, is_first: bool = False, sources: "Sources | None" = None) -> None:
        self.name = name
        self.python_function = python_function
        self.undo = undo
        self.perform = perform
        self.trace = trace
        self.expected = expected
        self.captures = captures
        self.files = files
        self.bound_s = bound_s
        self.is_late = is_late
        self.is_first = is_first
        self.is_answer = False
        self.program: int | None = None
        self.sources = sources or Sources()


def do(job: "Job", region: "Region", earlier: "list[Region]", registered: "list[Any]",
       shared: "list[tuple[int, bytes, str]]") -> "NoReturn":
    """In the child, which it ends: the verdict is in the region when it has. earlier: regions of those who began before it; shared:
    the memory that it would share with the program (sandbox.py)."""
    status, text = FAILED, ""
    try:
        _note(region, _CHILD, os.getpid())
        end = sandbox.End()  # whether or not the program still lives
        end.be_after(job.bound_s, _HELD_S + STARVED * job.bound_s * (1 + len(earlier)))
        _be_nobody(shared)
        _wait_for_turn(region, earlier, job.program)
        if region[0] or _is_gone(job.program):  # nobody wants to know any more
            leave(0)
        end.be_after(job.bound_s, STARVED * job.bound_s)
        difference = _difference(job, region, registered)
        status, text = (EQUAL, "") if difference is None else (DIFFERS, difference)
        changed = None if difference is None else files.recheck(job.files) or job.sources.changed()
        if changed is not None:  # the program went on, and may have done that: nothing is shown
            status, text = FAILED, f"{changed} before its proof had ended"
    except BaseException as error:  # whatever it is, it is no verdict
        text = f"{type(error).__name__}: {error}"
    try:
        say(region, status, text)
    finally:
        leave(0)


def let_go(region: "Region") -> None:
    """Tells the child that it may begin."""
    region[1] = GO


def _is_gone(program: "int | None") -> bool:
    """Whether the program was killed: the kernel tells no process of that but its children."""
    try:
        with open(f"/proc/{program}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] == b"Z"
    except OSError as error:
        if is_theirs(error):
            raise
        return program is not None


def _wait_for_turn(region: "Region", earlier: "list[Region]", program: "int | None" = None) -> None:
    """Waits until the program has made its first step, or waits itself: two processes that share a processor slow each other
    down, whatever their priorities. Then until most of the earlier children have their verdicts."""
    until = time.monotonic() + _HELD_S
    while region[1] == HELD and time.monotonic() < until:
        time.sleep(_TICK_S)
    while sum(each[0] == RUNNING for each in earlier) >= _AT_ONCE and not _is_gone(program):
        time.sleep(_TICK_S)


def say(region: "Region", status: int, text: str) -> None:
    """Writes a verdict."""
    data = text.encode("utf-8", "replace")[:SIZE - _TEXT_AT]
    region[8:12] = len(data).to_bytes(4, "little")
    region[_TEXT_AT:_TEXT_AT + len(data)] = data
    _note(region, _USED_AT, round(sum(os.times()[:4]) * 1000))
    region[0] = status


def said(region: "Region") -> str:
    """The text of a verdict."""
    return region[_TEXT_AT:_TEXT_AT + int.from_bytes(region[8:12], "little")].decode("utf-8", "replace")


def took_s(region: "Region") -> float:
    """Seconds of processor time that a verdict took."""
    return int.from_bytes(region[_USED_AT:_USED_AT + 4], "little") / 1000


def numbers(region: "Region") -> "list[int]":
    """The process numbers of the child and of its own children, as far as they have come up."""
    return [number for number in (int.from_bytes(region[at:at + 4], "little") for at in _NUMBERS_AT) if number]


def _note(region: "Region", at: int, number: int) -> None:
    region[at:at + 4] = number.to_bytes(4, "little")


def _be_nobody(shared: "list[tuple[int, bytes, str]]") -> None:
    """Takes from the child all that it could be noticed by, less its files (sandbox.close_all), which it has never had."""
    for each in signal.valid_signals():
        if callable(signal.getsignal(each)):
            signal.signal(each, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    sandbox.keep_to_itself(shared)
    sandbox.limit(_MORE_BYTES)
    _convert_in_memory()


def _convert_in_memory() -> None:
    """AutoGraph writes what it converts to a file, which the child may not."""
    import itertools
    import linecache
    import sys
    import types

    loader = sys.modules.get("tensorflow.python.autograph.pyct.loader")
    if loader is None:
        return
    numbers = itertools.count()

    def load_source(source, delete_on_exit):
        name = f"__autograph_generated_file{next(numbers)}"
        file = f"/{name}.py"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        module = types.ModuleType(name)
        module.__file__ = file
        sys.modules[name] = module
        exec(compile(source, file, "exec"), vars(module))
        return module, file

    loader.load_source = load_source  # type: ignore[attr-defined]


def _difference(job: "Job", region: "Region", registered: "list[Any]") -> "str | None":
    """In words what differs between answer and trace; None where nothing does."""
    import gc

    gc.disable()
    answering = Answering()
    sandbox.enter()
    job.undo()
    if job.is_late:
        return _of_late_trace(job)
    if job.is_first:
        addresses.disguise()
    before = state.BeforeTrace()
    words = functools.partial(_words, before)
    _note(region, _ANSWERS, answering.begin(registered, functools.partial(_after_answer, job, before), words))
    heard = speech.Speech()  # into nothing; what the program keeps of it, it keeps in both
    with heard:
        try:
            traced = job.trace()
        except Exception as error:
            if not job.is_answer or own_errors.may_be_of_child(error):
                raise
            return _of_error(error)
    difference = _of_graphs(job, traced, heard)
    if difference is not None:
        return difference
    after = state.State(job.python_function, before)
    answered, changed = answering.state()
    return _of_states(before, after, answered, {**changed, **answering.more([block for block in after.changed if block not in changed])})


def _after_answer(job: "Job", before: "state.BeforeTrace") -> "tuple[list[int], dict[int, Words]]":
    """Hashes of the state's words, and the words of those spaces that are not as they were: those of the others are what they were."""
    job.perform()
    after = state.State(job.python_function, before)
    return list(map(hash, after.words)), _words(before, after.changed)


def _words(before: "state.BeforeTrace", blocks: "list[int]") -> "dict[int, Words]":
    return {block: before.spaces.words(block) for block in blocks}


def _of_late_trace(job: "Job") -> "str | None":
    try:
        traced = job.trace()
    except Exception as error:
        return _of_error(error)
    return of_trace(traced, job.expected(), job.captures)


def _of_error(error: Exception) -> str:
    return f"an error that it raises ({type(error).__name__}: {' '.join(str(error).split())[:_REASON]})"


def of_trace(traced: "Any", expected: "Header", captures: "list[Any]") -> "str | None":
    """What of a traced function is not what its entry says, in words, or None. captures: those that the entry is bound to."""
    if canonical.exact_digest(traced._inference_function) != expected.exact:
        return "its graph"
    if outputs.encode(traced.function_type.output) != expected.output:
        return "the structure of its results"
    captured = traced.captured_inputs
    if not kinds.same(captured, captures):
        return "what it captures"
    return None


def _of_graphs(job: "Job", traced: "Any", heard: "speech.Speech") -> "str | None":
    expected = job.expected()
    differs = of_trace(traced, expected, job.captures)
    if differs is not None:
        return differs
    if expected.said is not None and _plain(heard.said) != _plain(expected.said_in_trace):
        return "what it prints, warns of or logs"
    return None


def _plain(value: "Any") -> "Any":
    import json

    return json.loads(json.dumps(value))


def _of_states(before: "state.BeforeTrace", after: "state.State", answered: "list[int]", spaces: "dict[int, Words]") -> "str | None":
    """answered, spaces: what the answer's child tells, the words of all blocks among them that are not as before in one of both."""
    for index, (one, other) in enumerate(zip(map(hash, after.words), answered)):
        if one not in (other, hash(state.GONE)):  # of one that is gone what led to it is another
            return f"the state that it leaves behind, at {after.where(index)}"
    for block, told in spaces.items():
        for place, token in before.spaces.words(block).items():
            if told.get(place, token) != token:  # of one that is not there any more what leads to it is another
                return f"the state that it leaves behind, at {before.spaces.name(block, place)}"
    return None if len(after.words) == len(answered) else "the state that it leaves behind"
