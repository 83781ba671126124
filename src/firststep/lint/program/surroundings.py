"""What an import finds around it when it runs, and who may take from a module what it has imported."""

from __future__ import annotations

import ast
import re

from firststep.lint.program import Program

# What an import may find changed when it runs later: where modules come from, and what they read when they are loaded.
DECIDES = ("sys.path", "sys.modules", "sys.meta_path", "sys.path_hooks", "os.environ", "os.putenv", "os.chdir", "importlib.reload")
WATCHES = ("warnings.", "logging.basicConfig", "logging.config.", "logging.disable", "logging.captureWarnings", "logging.setLoggerClass")
SETS_LEVEL = "setLevel"  # of a logger: what libraries say while they are imported is then heard, or not
# What makes processes that have what this one has loaded; a count of processors, and what a process alone uses, make none.
FORKS = ("multiprocessing.", "multiprocess.", "torch.multiprocessing.", "billiard.", "pathos.", "loky.", "ray.", "os.fork", "os.forkpty",
         "pty.fork", "concurrent.futures.ProcessPoolExecutor", "concurrent.futures.process.", "joblib.Parallel")
NO_FORKS = ("cpu_count", "current_process", "pool.ThreadPool", "dummy")
# What loads, by their names, the modules of whatever it reads.
UNPICKLES = ("pickle.load", "pickle.loads", "pickle.Unpickler", "_pickle.", "cPickle.load", "dill.load", "dill.loads", "cloudpickle.load",
             "cloudpickle.loads", "joblib.load", "sklearn.externals.joblib.load", "shelve.open", "pandas.read_pickle", "torch.load",
             "importlib.import_module", "runpy.", "skops.io.load", "mlflow.pyfunc.", "mlflow.sklearn.load_model")


def changes_after(program: Program, place: ast.stmt) -> bool:
    """Whether anything below a statement may change what an import there would find."""
    for node in [*program.tree.of(ast.Attribute), *program.tree.of(ast.Name)]:
        name = program.name(node) or ""
        if node.lineno > place.lineno and (name in DECIDES or name.startswith(WATCHES)) and not _is_reading(node):
            return True
    return any(node.attr == SETS_LEVEL and node.lineno > place.lineno for node in program.tree.of(ast.Attribute))


def _is_reading(node: ast.expr) -> bool:
    """`os.environ.get(...)`, `os.environ[...]` and `... in sys.modules`, where nothing is set."""
    above = node.up  # type: ignore[attr-defined]
    if isinstance(above, ast.Subscript):
        return isinstance(above.ctx, ast.Load)
    return isinstance(above, ast.Compare) or (isinstance(above, ast.Attribute) and above.attr == "get")


def is_for_others(program: Program) -> bool:
    """Whether the file makes processes, which need not load again what is loaded here, or reads objects, whose modules are loaded with
    them: there an import has its use though nothing in the file names it."""
    names = {program.name(node) or "" for node in [*program.tree.of(ast.Attribute), *program.tree.of(ast.Name)]}
    forks = any(name.startswith(FORKS) and not name.endswith(NO_FORKS) for name in names)
    return forks or any(name in UNPICKLES or name.startswith(_packages(UNPICKLES)) for name in names) or _reads_objects(program)


def _packages(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name.endswith("."))


def _reads_objects(program: Program) -> bool:
    """`numpy.load(path, allow_pickle=True)`."""
    return any(keyword.arg == "allow_pickle" and not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
               for call in program.calls("numpy.load") for keyword in call.keywords)


def is_used_in_text(program: Program, name: str) -> bool:
    """The same of what is read or run as code: a string that is no docstring, an example in one, a comment `# type:`. What a docstring
    tells of it is no use."""
    if re.search(rf"#\s*type:.*\b{re.escape(name)}\b", program.text):
        return True
    spoken, example = _speaks_of(name), re.compile(rf"^\s*(?:>>>|\.\.\.).*\b{re.escape(name)}\b", re.MULTILINE)
    strings = [node for node in program.tree.of(ast.Constant) if isinstance(node.value, str)]
    return any((example if isinstance(node.up, ast.Expr) else spoken).search(node.value) for node in strings)  # type: ignore[attr-defined, arg-type]


def _speaks_of(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}\.\w|(?:^|\.){re.escape(name)}$")


def is_named_in_text(program: Program, name: str) -> bool:
    """Whether a string speaks of what the name stands for: a type in quotes, an example in a docstring, a place to be patched."""
    spoken = _speaks_of(name)
    return any(isinstance(node.value, str) and spoken.search(node.value) for node in program.tree.of(ast.Constant))
