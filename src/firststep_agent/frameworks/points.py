"""Places of the frameworks, as data: importable without any of them."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TABLES = {  # by the package with which they come
    "tensorflow": ("tensorflow", "tf1", "lite"), "keras": ("keras3", "keras2"), "tf_keras": ("tf_keras",),
    "tflite_runtime": ("lite",), "ai_edge_litert": ("lite",),
}
SEEN = {"tensorflow": ("tensorflow_seen",), "keras": ("keras3_seen", "keras2_seen"), "tf_keras": ("tf_keras_seen",),
        "h5py": ("h5py_seen",)}  # what the observer `frameworks` alone wants
READ_ONLY = ("tensorflow_read", "tensorflow_objects", "keras3_read", "keras3_objects", "keras2_objects", "tf_keras_objects", "numpy_read")

MOST_IN_VAIN = 100  # calls after ready that a point's `when` turns down, one after the other, until nothing listens there

WRAPPED, REPLACED, READ = "wrapped", "replaced", "read"
FRAMEWORKS, STEPS = "frameworks", "steps"  # observers that the table itself tells what to do at a point
# Who stands where at one point, outermost first: an outer one begins before an inner one and ends after it.
ORDER = ("prebuild-variables", "cache-functions", "results", "afterwards", FRAMEWORKS, STEPS, "network")

BY_NAME_ALONE = "a name that is compared with others, or looked up in an object's own dictionary: nothing asks for it, and nothing fails"

KINDS = {  # of spans -> what is waited for there
    "autograph": "Python is converted to graph code",
    "checkpoint": "a checkpoint is read",
    "cluster-wait": "other machines are waited for",
    "custom-op-library": "a library of operations is loaded",
    "data-first-element": "an input pipeline gives its first element",
    "data-function": "a function of an input pipeline is made",
    "data-iterator": "an input pipeline is started",
    "data-pipeline": "an input pipeline is made",
    "device-configuration": "the program chooses devices",
    "device-discovery": "devices are looked for",
    "evaluate": "a model is evaluated",
    "file-read": "a data file is read",
    "first-call": "a function is optimised and runs for the first time",
    "first-execution": "operations run for the first time",
    "fit": "a model is trained",
    "function-register": "a function is given to the runtime",
    "gradients": "gradients are made",
    "graph-import": "a graph is imported",
    "initialisation": "an operation that initialises variables is made",
    "initialiser": "a variable's first value is computed",
    "model-build": "a model is built",
    "model-compile": "a model is compiled",
    "model-load": "a model is loaded",
    "optimizer-build": "an optimizer makes its variables",
    "predict": "a model predicts",
    "predict_on_batch": "a model predicts",
    "profiler": "a profile is begun or ended",
    "runtime-init": "the runtime starts",
    "saver": "a saver is made, or restores",
    "session-create": "a session is made",
    "session-extend": "a session's graph has grown",
    "session-run": "a session runs",
    "strategy": "a distribution strategy is made",
    "test_on_batch": "a model is evaluated",
    "trace": "a function is traced",
    "train_on_batch": "a model is trained",
    "variable": "a variable is made",
    "weights-load": "weights are read",
    "weights-set": "weights are set",
}
ROLES = {  # of the observer `steps` -> why it stands there
    "applies": "the end of an optimizer's work is the end of a step",
    "assigns": "a step without an optimizer ends with its assignments",
    "batch-ends": "a step of a Keras loop ends",
    "called-function": "a call of a function that trains is a step",
    "called-model": "a call of a model is a prediction",
    "compiles": "the program means to train",
    "constructs": "the program means to train",
    "enters-tape": "the program means to train",
    "gets-function": "the first trace says what a function does",
    "loads": "what loading compiles, the program did not wish",
    "loops": "what happens inside a Keras loop is the loop's",
    "makes-callable": "what a session's callable runs",
    "runs-callable": "a session's callable that trains is a step",
    "runs-interpreter": "an interpreter's run is a prediction",
    "runs-session": "a session's run that trains is a step",
    "single": "one batch is one step",
    "takes-gradients": "a step without an optimizer begins",
}


class SpanRule:
    """What the observer `frameworks` makes of a call while the program starts.

    kind: of the span. name, labels, when: functions of observe/labels as "module.function": name(args, kwargs) is the span's
    name, labels(args, kwargs, result) its labels, when(args, kwargs) whether this call is a span, or of which other kind.
    counted: calls that are no spans are counted, and their time added up. outermost: no span inside another of this point's on the
    same thread. splits: a span is followed by others, inside it, that say what the thread was busy with (observe/first_calls.py).
    once: only the first span, after which nothing listens there. late: seen after ready as well (observe/afterwards.py), for no
    step of a training passes it, or, where it has a `when`, until that has said no for a while.
    """

    name: "str | None" = None
    labels: "str | None" = None
    when: "str | None" = None
    counted = outermost = splits = once = late = False

    def __init__(self, kind: str, **told: "Any") -> None:
        self.kind = kind
        vars(self).update(told)


class Point:
    """One name of a framework: `attribute` (a path from the module on, as `Class.method` or `function.__code__`) of `module`.

    why: what it is for, in words. since, before: the versions of `package` that have it, as tuples of numbers. how: WRAPPED,
    REPLACED or READ. span: for the observer `frameworks`. step: its role for the observer `steps`. by: who else uses it, remedies
    and observers. inherited: it may be a base class's. after: the module after whose import it is wrapped, because until then the
    framework puts something of its own round this place, which would keep ours; None where it does not. stays: what of a remedy
    survives ready, and what that costs; None where nothing does. untried: why the mutation test (tests/frameworks) leaves it out;
    None where it does not.
    """

    package = "tensorflow"
    how = WRAPPED
    since: "tuple[int, ...] | None" = None
    before: "tuple[int, ...] | None" = None
    span: "SpanRule | None" = None
    step: "str | None" = None
    stays: "str | None" = None
    untried: "str | None" = None
    after: "str | None" = None
    by: "tuple[str, ...]" = ()
    inherited = False

    def __init__(self, module: str, attribute: str, why: "str | None" = None, **told: "Any") -> None:
        self.module, self.attribute, self._why = module, attribute, why
        vars(self).update(told)

    @property
    def name(self) -> str:
        """As "tensorflow.python.eager.context.Context.call_function"."""
        return f"{self.module}.{self.attribute}"

    @property
    def why(self) -> str:
        """What the place is for, in words."""
        return self._why or (KINDS[self.span.kind] if self.span else ROLES[str(self.step)])

    @property
    def users(self) -> "tuple[str, ...]":
        """Observers and remedies, outermost first."""
        told = (*self.by, *((FRAMEWORKS,) if self.span else ()), *((STEPS,) if self.step else ()))
        if self.span and self.span.late:
            told += ("afterwards",)
        return tuple(sorted(told, key=lambda user: ORDER.index(user) if user in ORDER else len(ORDER)))

    @property
    def lasts(self) -> "str | None":
        """What survives ready here, when, and what it costs, in words; None where nothing does."""
        told = [self.stays] if self.stays else []
        if self.span and self.span.late:
            until = f"until {MOST_IN_VAIN} calls in a row were of no interest" if self.span.when else "until exit"
            told.append(f"{until}, recorded: what still happens after the first step; 3 µs a call")
        if "results" in self.users:
            told.append("until exit, under prove: it is a result; 3 µs a call")
        return "; ".join(told) or None

    @property
    def versions(self) -> str:
        """As people write it: "tensorflow >= 2.14, < 2.16"."""
        bounds = [sign + " " + ".".join(str(part) for part in bound)
                  for sign, bound in ((">=", self.since), ("<", self.before)) if bound]
        return " ".join([self.package, ", ".join(bounds)]).strip()

    def exists_in(self, version: "tuple[int, ...]") -> bool:
        """Whether it should be there in `version`, a tuple of numbers."""
        return (self.since is None or version >= self.since) and (self.before is None or version < self.before)


_tables: "dict[str, tuple[Point, ...]]" = {}  # name -> its points
_index: "dict[tuple[str, str], list[Point]]" = {}  # (module, attribute) -> the points of that name, which differ by package or versions


def all_points() -> "tuple[Point, ...]":
    """Every point, in a tuple."""
    names = [name for tables in (*TABLES.values(), *SEEN.values(), READ_ONLY) for name in tables]
    return tuple(point for name in dict.fromkeys(names) for point in _table(name))


def of_package(package: str, seen: bool = False) -> "list[Point]":
    """The points that come with a package, in a list. seen: also those that the observer `frameworks` alone wants."""
    names = (*TABLES.get(package, ()), *(SEEN.get(package, ()) if seen else ()))
    return [point for name in names for point in _table(name)]


def _table(name: str) -> "tuple[Point, ...]":
    points = _tables.get(name)
    if points is None:
        points = _tables[name] = __import__(f"{__package__}.tables.{name}", fromlist=["POINTS"]).POINTS
        for point in points:
            _index.setdefault((point.module, point.attribute), []).append(point)
    return points


def points_at(package: str, module: str, *attributes: str) -> "list[Point]":
    """The points of these names. Raises KeyError for one that stands in no table: nothing else is ever touched."""
    of_package(package)
    return [point for attribute in attributes for point in _index[module, attribute]]
