"""One carrying-out of a plan in one process: what observers and remedies talk to."""

import sys
from _thread import get_ident

from firststep_agent import clock, imports, kinds, tracing
from firststep_agent import plan as plans
from firststep_agent.as_found import os
from firststep_agent.command_line import command_line
from firststep_agent.descriptors import close_others, open_own
from firststep_agent.forks import Forks
from firststep_agent.frameworks.ways import EXIT, READY, WATCHED, Ways
from firststep_agent.observe import OBSERVERS
from firststep_agent.recorder import MAGIC, SCHEMA, Recorder
from firststep_agent.signals import is_theirs
from firststep_agent.threads import tell_errors_to
from firststep_agent.writing import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from firststep_agent.descriptors import Own

PREDICTION_STANDS_AFTER_NS = 10_000_000_000  # a program that predicts for so long and never trains is ready
ANY_PYTHON = ("prefetch-pages",)  # remedies that rest on nothing of Python's inside

# Built into every Python; others are so in some distributions' only, and are to be imported by the program as plainly.
BUILT_IN = frozenset((
    "atexit", "errno", "gc", "itertools", "_collections", "_functools", "_operator", "_signal", "_sre", "_thread", "_weakref", "time",
))

_active: "Run | None" = None


def active() -> "Run | None":
    """The Run of this process, or None."""
    return _active


class Run(Ways):
    """The plan's run in this process. Contract of each method: docs/architecture.md, "Inside the process"."""

    def __init__(self, plan: "dict[str, Any]", plan_path: str, entered_ns: int, path: "list[str]") -> None:
        self.plan = plan
        self.plan_path = plan_path
        self.path = path  # the program's sys.path
        self.cache = plan.get("cache")
        self.ready_ns: int | None = None
        self.finished = False
        self.steps: dict[str, int] = {}  # kind of step -> how many have ended
        self._callbacks: dict[str, list[Callable[..., object]]] = {
            "ready": [], "exit": [], "fork": [], "forked": [], "training": [], "model": []}
        self._prediction: tuple[int, str] = None  # type: ignore[assignment]  # (ns, label): ready if no training step comes
        self.recorder = self._open_recorder(entered_ns, "start", path)
        self.imports = imports.Imports(self)
        self._forks = Forks()
        Ways.__init__(self)

    # --- the trace -------------------------------------------------------------------------------------------

    def _open_recorder(self, entered_ns: int, origin: str, program_path: "list[str]") -> "Recorder":
        """A forked child's file is made when something is written: many a child does but one small thing, or another program."""
        pid, forked = os.getpid(), origin == "fork"
        path = os.path.join(self.plan["session"], "parts", f"{pid}-{clock.now()}.part")
        return Recorder(path, {
            "magic": MAGIC, "schema": SCHEMA, "pid": pid, "ppid": os.getppid(), "thread": get_ident(),
            "origin": origin, "entered_ns": entered_ns, "python": sys.version, "executable": sys.executable,
            "tag": sys.implementation.cache_tag,
            "prefix": sys.prefix, "base_prefix": sys.base_prefix, "argv": command_line(),
            "path": program_path, "cwd": _cwd(), "flags": repr(sys.flags), "preloaded": [] if forked else sorted(sys.modules),
        }, late=forked)

    def span(self, kind: str, name: str, start_ns: int, end_ns: int, **labels: "Any") -> None:
        self.recorder.span(kind, name, start_ns, end_ns, get_ident(), labels)

    def mark(self, name: str, **labels: "Any") -> None:
        ns = clock.now()
        self.recorder.record("m", ns, name, labels)
        if self.plan["until"] == {"kind": "mark", "value": name}:
            self.reach_ready(ns, "mark", name)

    def note(self, remedy: str, what: str, **labels: "Any") -> None:
        """What a remedy did: `what` is live, refused, learned or error; labels are free, `reason` in words."""
        self.recorder.record("r", clock.now(), remedy, what, labels)

    def tally(self, remedy: str, word: str) -> "list[int]":
        """A list of one number to count up: how often the remedy did its work, noted as live at ready or at the end."""
        count = [0]

        def report():
            if count[0]:
                self.note(remedy, "live", **{word: count[0]})
                count[0] = 0

        self.on_ready(report)
        self.on_exit(report)
        self.on_fork(lambda: count.__setitem__(0, 0))  # its parent tells
        return count

    # --- doors for observers and remedies --------------------------------------------------------------------

    def after_import(self, name: str, callback: "Callable[[Any], object]") -> None:
        self.imports.after(name, callback)

    def before_import(self, name: str, callback: "Callable[[], object]") -> None:
        """callback() right before the module `name` is looked for; at once if it is there already."""
        self.imports.before(name, callback)

    def on_ready(self, callback: "Callable[[], object]") -> None:
        self._callbacks["ready"].append(callback)

    def on_exit(self, callback: "Callable[[], object]") -> None:
        self._callbacks["exit"].append(callback)

    def tell_beside(self, work: "Callable[[], Iterator[object]]") -> None:
        """work() is done beside the program: once, at ready or at the end of one that never was."""
        told: list[bool] = []

        def tell():
            if not told:
                told.append(True)
                self.beside.add(work())

        self.on_ready(tell)
        self.on_exit(tell)

    def on_fork(self, callback: "Callable[[], object]") -> None:
        self._callbacks["fork"].append(callback)

    def on_forked(self, callback: "Callable[[], object]") -> None:
        """callback() after a fork in the parent, once nothing looks at its threads any more."""
        self._callbacks["forked"].append(callback)

    def forked(self) -> None:
        self._call("forked")

    def on_training(self, callback: "Callable[[str], object]") -> None:
        """callback(name) when a training step is traced, or a traced one is taken from a cache, on this thread."""
        self._callbacks["training"].append(callback)

    def mark_training(self, function_name: str) -> None:
        """The function being traced, or taken from a cache, on this thread is a training step."""
        self._call("training", function_name)

    def on_model(self, callback: "Callable[[], object]") -> None:
        """callback() when a model is called in a trace, or a function that calls one is taken from a cache, on this thread."""
        self._callbacks["model"].append(callback)

    def mark_model(self) -> None:
        """The function being traced, or taken from a cache, on this thread calls a model."""
        self._call("model")

    # --- ready -----------------------------------------------------------------------------------------------

    @property
    def watching_steps(self) -> bool:
        """True while ended steps still matter: before ready, and after it up to the plan's `watch_steps`."""
        if self.finished:
            return False
        return self.ready_ns is None or self.steps.get("train", 0) < self.plan.get("watch_steps", 0)

    def step_ended(self, kind: str, label: str, ends_ns: "int | None" = None, firm: bool = True) -> None:
        """A "train" or "predict" step's outputs are there. May make the program ready.

        firm: False for a prediction that may have been a trial; it counts once a firm one has come.
        """
        if not self.watching_steps:
            return
        ns = ends_ns or clock.now()
        number = self.steps[kind] = self.steps.get(kind, 0) + 1
        if number <= max(1, self.plan.get("watch_steps", 0)):
            self.recorder.record("t", ns, kind, number, label)
        if kind == "predict" and self._prediction is None:
            self._prediction = (ns, label)
        if self.ready_ns is None and self._is_ready(kind, number, ns, firm):
            if kind == "predict":
                ns, label = self._prediction
            self.reach_ready(ns, kind, label)

    def _is_ready(self, kind: str, number: int, ns: int, firm: bool) -> bool:
        until = self.plan["until"]
        wanted = until["kind"]
        if wanted == "step":
            return kind == "train" and number == until["value"]
        if wanted == "predict":
            return kind == "predict"
        if wanted != "first-step":
            return False
        if kind == "predict":
            waited = ns - self._prediction[0] > PREDICTION_STANDS_AFTER_NS
            return waited or (firm and not self.training_expected())
        return kind == "train"

    def training_expected(self) -> bool:
        """Whether the program looks as if it will train: then a prediction alone does not make it ready."""
        return bool(getattr(self, "saw_training_intent", False))

    def reach_ready(self, ns: int, kind: str, label: str) -> None:
        """Ends the watching: from here on the program runs unwatched."""
        if self.ready_ns is not None or self.finished:
            return
        self.ready_ns = ns
        self.recorder.record("ready", ns, kind, label)
        self._call("ready")
        self.put_back(READY, *(() if self.plan.get("watch_steps") else (WATCHED,)))
        self.look_for_copies()
        self.recorder.open_spans()
        self.recorder.record("end", clock.now(), "ready")
        self.recorder.flush()  # a program that is killed now has this much
        _let_go_of_folders()
        self.beside.add(self._tell_ready(f"ready {os.getpid()} {ns}\n", self._events()))
        self.beside.begin()

    def _tell_ready(self, line: str, events: "Own | None") -> "Iterator[None]":
        """The last of what is done beside the program: the tool then finds in the trace what the others have told.

        events: the pipe, open. A thread of ours opens none: it would hold, for a moment, a number that the program expects to get.
        """
        self.recorder.flush(reopen=False)
        self._notify(self._lost() + line, events)
        self.recorder.close()
        yield

    def _flush(self) -> None:
        """Writes the trace out, and tells the tool where that was not possible. Leaves no file open."""
        self.recorder.flush()
        if self.recorder.failed:
            self._notify(self._lost(), self._events())
        self._let_go()

    def _lost(self) -> str:
        return f"lost {self.recorder.failed}\n" if self.recorder.failed else ""

    def _let_go(self) -> None:
        """Closes all that is ours and open for more than one use; from here on nothing is."""
        self.recorder.close()
        _let_go_of_folders()

    def _events(self) -> "Own | None":
        """The pipe to the tool; None where that is gone."""
        try:
            return open_own(os.path.join(self.plan["session"], "events"), os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        except OSError as error:
            if is_theirs(error):
                raise
            return None

    @staticmethod
    def _notify(line: str, events: "Own | None") -> None:
        if events is None:
            return
        try:
            with events:
                write_all(events.number(), line.encode())
        except OSError as error:  # the tool is gone: nobody to tell
            if is_theirs(error):
                raise

    # --- the end ---------------------------------------------------------------------------------------------

    def finish(self, how: str) -> None:
        """Writes out everything: at exit, before os._exit and before exec. A program that has taken away what we need for that is
        told nothing of it."""
        if self.finished:
            return
        try:
            self._finish(how)
        except Exception as error:
            if is_theirs(error):
                raise

    def at_exit(self, how: str = "exit") -> None:
        """Where plainly nothing of the program runs any more: an interrupt means what we do or wait for, and not the program."""
        try:
            self.finish(how)
            if how == "exit":
                kinds.let_go()
        except BaseException:
            pass

    def _finish(self, how: str) -> None:
        self.beside.complete()
        self._call("exit", at_end=how in ("exit", "_exit"))
        if self.ready_ns is None and self._prediction and self.plan["until"]["kind"] == "first-step":
            ns, label = self._prediction
            self.reach_ready(ns, "predict", label)
        self.finished = True
        self.gather_copies()
        if how != "_exit":  # nothing of the program runs any more
            self.put_back(READY, WATCHED, EXIT)
        if how == "aside":  # else nobody comes to them any more
            self.look_for_copies()
        self.beside.complete()
        if self.recorder.is_new and "samples" not in self.plan.get("observe", ()):
            return  # a forked child of which only its number could be told
        self.recorder.open_spans()
        if how == "exit" and (error := _uncaught()):
            self.recorder.record("uncaught", error)
        self.recorder.record("end", clock.now(), how)
        self._flush()

    def step_aside(self) -> None:
        """The program is about to trace itself: it is to see nothing of ours from here on."""
        if self.finished:
            return
        import atexit

        self.finish("aside")
        self.imports.forget()
        atexit.unregister(self.at_exit)
        self._forks.forget()

    def _call(self, which: str, *arguments: "Any", at_end: bool = False) -> None:
        """at_end: what a signal's handler raises ends what it interrupts, and nothing else."""
        for callback in list(self._callbacks[which]):
            try:
                callback(*arguments)
            except BaseException as error:
                if not is_theirs(error):
                    self.failed(which, error, callback)
                elif not at_end:
                    raise

    def failed(self, where: str, error: "BaseException", callback: object = None) -> None:
        """An error of our own, raised in `callback`: an event in the trace, and where that is a remedy's a note, never the program's."""
        words = f"{type(error).__name__}: {error}"
        self.recorder.record("e", clock.now(), str(where), words)
        remedy = self._remedy_of(callback)
        if remedy is not None:
            self.note(remedy, "error", reason=f"{where}: {words}")

    def _remedy_of(self, callback: object) -> "str | None":
        """By the room in which it is written; None where that is no remedy's of this plan."""
        package, _, place = str(getattr(callback, "__module__", "")).partition(".boost.")
        name = place.partition(".")[0].replace("_", "-")
        return name if package == __package__ and name in (self.plan.get("boost") or {}) else None

    def know_fork_handlers(self) -> None:
        """Registers for forks, and knows the interpreter's own list of what runs in forked children."""
        self.fork_handlers = self._forks.register(before=self.beside.complete, after_in_child=self.after_fork_in_child)

    def at_fork(self, **handlers: "Callable[[], object]") -> None:
        """As os.register_at_fork, until the run is over in the process."""
        self._forks.register(**handlers)

    def after_fork_in_child(self) -> None:
        global _active
        self.finished = True
        close_others()
        self._let_go()  # it is the parent's
        self.beside.after_fork()
        if not self.plan.get("follow") or self.ready_ns is not None:
            self._call("fork")
            self.gather_copies()  # those that a child has call straight on: it is not to look through all modules first
            self.put_back(READY, WATCHED, EXIT)
            self._forks.forget()
            _active = None
            return
        self.finished = False
        self.recorder = self._open_recorder(clock.now(), "fork", sys.path)
        self._call("fork")


def _let_go_of_folders() -> None:
    folders = sys.modules.get("firststep_agent.boost.folders")
    if folders is not None:
        folders.let_go()


def _cwd() -> "str | None":
    try:
        return os.getcwd()
    except OSError as error:
        if is_theirs(error):
            raise
        return None


def start(plan_path: str, entered_ns: int, before: "set[str]", path: "list[str]") -> None:
    """Carries out the plan at `plan_path` in this process. Errors before anything is changed propagate.

    before: the names in sys.modules before the agent imported anything; path: the program's sys.path.
    """
    global _active
    plan = plans.read(plan_path)
    run = _active = Run(plan, plan_path, entered_ns, path)
    import atexit

    atexit.register(run.at_exit)
    run.know_fork_handlers()
    tell_errors_to(run.failed)
    run.imports.install()
    run.before_import("firststep", _offer_marks)
    tracing.step_aside_from(run)
    for name in plan.get("observe", ()):
        _begin(run, "firststep_agent.observe", OBSERVERS, name, {})
    for remedy, settings in (plan.get("boost") or {}).items():
        _begin(run, "firststep_agent.boost", None, remedy, settings)
    _forget_modules(before)
    run.recorder.record("agent", entered_ns, clock.now())
    run.recorder.flush(reopen=False)  # a program that is killed in its first moments is known to have been there


def _uncaught() -> "str | None":
    """The class of the error that has ended the program; None where there was none. Others tell of errors in the same place: a prompt,
    which goes on after each, and pytest, of tests that fail. Of this one the outermost frame ended where it was raised."""
    known = vars(sys)
    error, raised = known.get("last_type"), known.get("last_traceback")
    if not isinstance(error, type) or "ps1" in known:
        return None
    if raised is not None and (raised.tb_frame.f_back is not None or raised.tb_frame.f_lineno != raised.tb_lineno):
        return None
    return kinds.name(error)


def _offer_marks() -> None:
    from firststep_agent.marks import offer

    offer()


def _forget_modules(before: "set[str]") -> None:
    """Takes modules of Python's out that only the agent has imported: the program may have its own of that name. And the finders of
    the agent's folders, which are no business of the program's."""
    ours = os.path.dirname(__file__)
    for folder in [folder for folder in sys.path_importer_cache if str(folder).startswith(ours)]:
        del sys.path_importer_cache[folder]
    for name in set(sys.modules).difference(before, BUILT_IN):
        if not name.startswith("firststep_agent"):
            del sys.modules[name]


def _begin(run: "Run", package: str, known: "tuple[str, ...] | None", name: str, settings: "dict[str, Any]") -> None:
    """Starts one observer or remedy; one that fails is an event in the trace."""
    module_name = f"{package}.{name.replace('-', '_')}"
    if known is not None and name not in known:
        run.recorder.record("e", clock.now(), name, "unknown observer")
        return
    try:
        if known is None and name not in ANY_PYTHON and run.refuses(name, "python"):
            return
        __import__(module_name)
        sys.modules[module_name].start(run, settings)
    except Exception as error:
        if is_theirs(error):
            raise
        run.failed(name, error)
        if known is None:
            run.note(name, "error", reason=f"{type(error).__name__}: {error}")
