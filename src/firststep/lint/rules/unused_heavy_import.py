"""A heavy library is imported at the top for one function that is not needed at the start, or for nothing.

Symptom: seconds of imports before the first line of the program runs, for things that it does later or never.

Why: an import at module level runs with the module. Libraries such as matplotlib, pandas or scikit-learn load hundreds
of modules and open native libraries; TensorFlow thousands.

Confirmed by: `firststep record`, which shows the milliseconds of each import and whether anything of it was touched
before ready. In source, one of some fifty heavy libraries (pandas, scipy, matplotlib, torch and their like) that is
imported at module level and used in one function only, which this file does not call before training (or, in a module
that has more than what comes to this function, or a program, does not call itself), and which no other import of the file
loads anyway, as a module of the project whose name speaks of it, or TensorFlow and Keras 3, which import pandas, matplotlib, scipy
and scikit-learn where they are installed. An import in a `try` counts where a missing library only
leaves None, or no name, behind; where the program says at once that it is missing, or takes another, the import is meant.
So is one under a condition, but for `if TYPE_CHECKING`, which imports nothing. What a class has for a framework to call at the start
(`on_train_begin`, `build`, `call`) is needed there. An import at the top whose names nothing in the file uses is found too, but in
files that make processes, which begin with what is loaded here, or that unpickle, which loads the modules of what is read.

Remedy: import it in that function; take out what nothing uses.

Source: Python's documentation of `-X importtime`; PEP 690 and PEP 810 on lazy imports; the document "Why is TensorFlow
startup slow?".

Fix: the import moves to the beginning of the function. Safe for a library whose import changes nothing that the program
could see, in a function whose decorators leave its body alone, in a file that is a program (it asks whether it is, or trains
at its top), where no string names what is imported and nothing below the import changes the environment, the folder, the
warnings, what is logged or where modules come from. None for an import in a `try`. Unsafe for others (UNSAFE), whose import sets up the
process, and in modules, from which others may take the name.
What nothing uses is taken out, unsafe too: something may rely on its having been imported.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program, Setting
from firststep.lint.program.blocks import before, statement_of
from firststep.lint.program.functions import calls_of, enclosing
from firststep.lint.program.imports import (
    Imported,
    exported,
    function_around,
    imported_packages,
    is_marked,
    loaded_packages,
    module_imports,
    optional_imports,
    uses,
)
from firststep.lint.program.names import is_none_value
from firststep.lint.program.surroundings import changes_after, is_for_others, is_named_in_text, is_used_in_text
from firststep.lint.program.tree import FUNCTIONS, Function

HEAVY = (
    "matplotlib", "pandas", "sklearn", "scipy", "seaborn", "plotly", "bokeh", "altair", "cv2", "skimage", "torch", "torchvision",
    "transformers", "tensorflow", "keras", "tf_keras", "tensorflow_hub", "tensorflow_datasets", "tensorflow_probability",
    "tensorflow_addons", "jax", "statsmodels", "xgboost", "lightgbm", "catboost", "nltk", "spacy", "gensim", "sympy", "networkx", "numba",
    "librosa", "wandb", "mlflow", "boto3", "pyspark", "dask", "polars", "pyarrow", "IPython", "gradio", "streamlit", "shap", "umap",
)
UNSAFE = (
    "tensorflow", "keras", "tf_keras", "tensorflow_hub", "tensorflow_datasets", "tensorflow_probability", "tensorflow_addons", "torch",
    "torchvision", "jax", "transformers", "numba", "cv2", "pyspark", "wandb", "mlflow", "dask", "librosa", "seaborn", "gradio",
    "streamlit", "IPython", "spacy", "shap", "umap",
)
FRAMEWORKS = ("tensorflow", "keras", "tf_keras")  # and the libraries on them, which begin so
LIGHT = {"numpy", "absl", "click", "PIL", "yaml", "requests", "tqdm", "rich", "attr", "typing_extensions", "psutil", "h5py", "six"}
WHERE_INSTALLED = {"pandas", "matplotlib", "scipy", "sklearn"}  # Keras 3 imports them, and `import tensorflow` imports Keras
OF_TENSORFLOW = {"tensorflow", "keras"} | WHERE_INSTALLED
# What an import of one of these loads besides.
LOADS = {
    "seaborn": {"matplotlib", "pandas", "scipy"}, "sklearn": {"scipy"}, "statsmodels": {"pandas", "scipy"}, "skimage": {"scipy"},
    "keras": OF_TENSORFLOW, "tf_keras": OF_TENSORFLOW, "tensorflow": OF_TENSORFLOW, "tensorflow_hub": OF_TENSORFLOW,
    "tensorflow_datasets": OF_TENSORFLOW, "tensorflow_probability": OF_TENSORFLOW, "tensorflow_addons": OF_TENSORFLOW,
    "librosa": {"scipy", "sklearn", "numba"}, "shap": {"pandas", "sklearn", "scipy", "numba"}, "umap": {"sklearn", "scipy", "numba"},
    "xgboost": {"scipy"}, "lightgbm": {"scipy", "sklearn"}, "gensim": {"scipy"}, "torchvision": {"torch"}, "altair": {"pandas"},
    "mlflow": {"pandas"},
}
CHANGES_BY_IMPORT = ("sklearn.experimental",)  # modules that are imported for what they do to others
# Methods that a framework calls of a class that derives from one of its own, before or within the first step.
AT_START = {"__init__", "__new__", "__call__", "__enter__", "__iter__", "__next__", "__len__", "__getitem__", "set_model", "set_params",
            "build", "call", "forward", "compute_output_shape", "train_step", "setup", "setUp", "configure", "get_config",
            *(f"on_{what}_begin" for what in ("train", "epoch", "train_batch", "batch", "test", "test_batch", "predict", "predict_batch"))}
AT_END = ("_end", "__del__", "__exit__")
WORDS = ("import",)
KNOWN_DECORATORS = {"staticmethod", "classmethod", "property", "builtins.staticmethod", "builtins.classmethod", "builtins.property"}
TRAINING = ("fit", "fit_generator", "train_on_batch")
WORK = (*TRAINING, "predict", "evaluate")


def concerns(text: str, setting: Setting) -> bool:
    if setting.is_init or setting.is_test:
        return False
    return not imported_packages(text).isdisjoint(set(HEAVY) - {setting.package})


def check(program: Program) -> Iterator[LintFinding]:
    if program.looks_up_names or program.scope.stars:
        return
    optional = optional_imports(program)
    imports = [one for one in [*module_imports(program), *optional] if one.package in HEAVY and one.package != program.setting.package]
    packages = loaded_packages(program)
    kept = exported(program)
    for package in dict.fromkeys(one.package for one in imports):
        group = [one for one in imports if one.package == package]
        loaded = {loaded for other in set(packages) - {package} for loaded in LOADS.get(other, ())}
        if package.startswith(FRAMEWORKS) and (program.setting.package or _may_load_it(program)):
            continue
        elsewhere = packages.count(package) > len({one.statement for one in group})
        if package in loaded or elsewhere or _has_own_module_for(program, package) or _is_for_a_notebook(program, package):
            continue
        if any(one.name in kept or is_marked(program, one.statement) for one in group):
            continue
        if _is_for_nothing(program, group) and not any(one in optional for one in group):
            yield _for_nothing(program, group)
            continue
        function = _only_user(program, group)
        if function is not None and not _needed_at_start(program, function):
            place = group[0].statement
            fix = _fix(program, group, function) if not any(one in optional for one in group) else None
            yield program.finding(__name__, place, f"`{package}` is imported with the module, and only `{function.name}` uses it",
                                  f"import it in `{function.name}`", fix)


def _for_nothing(program: Program, group: list[Imported]) -> LintFinding:
    edit = edits.move_imports([(program.position(one.statement), one.name) for one in group], None)
    message = f"`{group[0].package}` is imported with the module, and nothing in this file uses it"
    return program.finding(__name__, group[0].statement, message, "take the import out", Fix("take it out", edit))


def _is_for_nothing(program: Program, group: list[Imported]) -> bool:
    """Whether nothing uses any of the names, and none is imported for what its import does. Of frameworks another rule speaks."""
    if group[0].package.startswith(FRAMEWORKS) or any(one.module.startswith(CHANGES_BY_IMPORT) for one in group):
        return False
    return not (is_for_others(program) or any(uses(program, one.name) or is_used_in_text(program, one.name) for one in group))


def _may_load_it(program: Program) -> bool:
    """Whether another module of the project or of an unknown package is imported, which may load the framework anyway."""
    known = LIGHT | set(HEAVY) | sys.stdlib_module_names
    statements = program.tree.of(ast.Import, ast.ImportFrom)
    relative = any(isinstance(node, ast.ImportFrom) and node.level for node in statements)
    return relative or any(one.package not in known for one in module_imports(program))


def _is_for_a_notebook(program: Program, package: str) -> bool:
    """`%matplotlib inline` of a notebook that was written out as a program: it loads the library itself."""
    return package == "matplotlib" and "get_ipython" in program.names


def _has_own_module_for(program: Program, package: str) -> bool:
    """Whether another module of the project that is imported works with the library, by its name: it loads it anyway."""
    for node in program.tree.of(ast.ImportFrom):
        module = node.module or ""
        own = node.level or (program.setting.package and module.split(".")[0] == program.setting.package)
        if own and any(package in re.split("[._]", name) for name in [module, *(alias.name for alias in node.names)]):
            return True
    return False


def _only_user(program: Program, group: list[Imported]) -> Function | None:
    """The one function that uses any of the names; None where more do, none, or the module itself."""
    users: set[Function | None] = set()
    for one in group:
        bindings = [binding for binding in program.scope.names.get(one.name, []) if not _says_that_it_is_missing(binding.node)]
        if len(bindings) != 1:
            same = {other.statement for other in group if other.name == one.name}
            if {binding.node for binding in bindings} != same:
                return None
        users |= {function_around(use) for use in uses(program, one.name) if not _says_that_it_is_missing(use.up)}  # type: ignore[attr-defined]
    return users.pop() if len(users) == 1 else None


def _says_that_it_is_missing(statement: ast.AST | None) -> bool:
    """`pandas = None`, where its import has failed."""
    return (isinstance(statement, ast.Assign) and is_none_value(statement.value)
            and isinstance(statement.up, ast.ExceptHandler))  # type: ignore[attr-defined]


def _needed_at_start(program: Program, function: Function) -> bool:
    """Whether the program calls the function before it trains; in a module that calls nothing, whether all that it has comes to it."""
    if _is_called_by_framework(program, function) or _is_called_early(program, function, set()):
        return True
    called = bool(calls_of(program, function))
    if function.name == "main" and not called:
        return True
    if _has_more(program, function):
        return False
    return bool(function.decorator_list) and not called if _is_program(program) else not _is_used_by_module(program, function)


def _is_called_by_framework(program: Program, function: Function) -> bool:
    """Whether a class has the function for a framework to call when training begins, or when an object is made or first asked: by its
    name, or as nothing in the file calls it, but for what is called at an end."""
    owner = enclosing(function, ast.ClassDef)
    if not isinstance(owner, ast.ClassDef) or all(program.name(base) == "builtins.object" for base in owner.bases):
        return False
    return function.name in AT_START or not (function.name.endswith(AT_END) or _references(program, function))


def _is_used_by_module(program: Program, function: Function) -> bool:
    return any(function_around(use) is None for use in _references(program, function))


def _has_more(program: Program, function: Function) -> bool:
    """Whether the module has a function or a class that does without this one."""
    coming = _all_that_come_to(program, function)
    classes = {enclosing(one, ast.ClassDef) for one in coming}
    functions = [node for node in program.tree.of(*FUNCTIONS) if function_around(node) is None]
    if any(node not in coming and not _is_set_up(node) for node in functions):
        return True
    return any(isinstance(node, ast.ClassDef) and node not in classes for node in program.module.body)


def _all_that_come_to(program: Program, function: Function) -> set[ast.AST]:
    """The function, and all that call it, directly or through others."""
    found: set[ast.AST] = set()
    todo: list[Function] = [function]
    while todo:
        now = todo.pop()
        if now not in found:
            found.add(now)
            todo += [around for use in _references(program, now) if (around := function_around(use)) is not None]
    return found


def _is_set_up(node: ast.AST) -> bool:
    """`__init__` and the like: nobody makes an object for that alone."""
    name = getattr(node, "name", "")
    return name.startswith("__") and name.endswith("__") and name not in ("__call__", "__iter__", "__next__", "__getitem__")


def _is_program(program: Program) -> bool:
    """Whether the file is run, for sure: it asks whether it is, or trains or predicts at its top. Nobody imports it for a function."""
    def is_work(node: ast.Call) -> bool:
        return getattr(node.func, "attr", "") in WORK and function_around(node) is None and enclosing(node, ast.ClassDef) is None

    asks = any(isinstance(node, ast.If) and "__main__" in ast.unparse(node.test) for node in program.module.body)
    return asks or any(map(is_work, program.tree.calls))


def _is_called_early(program: Program, function: Function, seen: set[ast.AST]) -> bool:
    """Whether code that runs with the module, directly or through other functions, reaches the function before training."""
    if function in seen:
        return False
    seen.add(function)
    for use in _references(program, function):
        if _after_training(use):
            continue
        around = function_around(use)
        if around is None or _is_called_early(program, around, seen):
            return True
    return False


def _references(program: Program, function: Function) -> list[ast.AST]:
    """The places where the function is called, or handed over by its name."""
    owner = enclosing(function, ast.ClassDef)
    if not isinstance(owner, ast.ClassDef):
        return [*uses(program, function.name)]
    methods: list[ast.AST] = [*program.attributes.get(function.name, [])]
    return [*uses(program, owner.name), *methods] if function.name.startswith("__") else methods


def _after_training(use: ast.AST) -> bool:
    """Whether a training call stands before a use, in the same function or module, where it is sure to have run."""
    for statement in before(statement_of(use)):
        value = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
        if isinstance(value, ast.Call) and getattr(value.func, "attr", "") in TRAINING:
            return True
    return False


def _fix(program: Program, group: list[Imported], function: Function) -> Fix | None:
    names = {one.name for one in group}
    bound_inside = any(isinstance(node, (ast.Global, ast.Nonlocal)) and names & set(node.names) for node in ast.walk(function))
    if bound_inside or isinstance(function, ast.AsyncFunctionDef) or any(one.name != one.module and _is_dotted(one) for one in group):
        return None
    decorators = {program.name(getattr(one, "func", one)) for one in function.decorator_list}
    safe = group[0].package not in UNSAFE and decorators <= KNOWN_DECORATORS and _may_run_later(program, group, function)
    edit = edits.move_imports([(program.position(one.statement), one.name) for one in group], program.position(function))
    return Fix(f"import it in `{function.name}`", edit, safe)


def _may_run_later(program: Program, group: list[Imported], function: Function) -> bool:
    """Whether the import finds the same when the function runs, and nobody else misses the name."""
    at_the_end = function.name == "__del__"  # when nothing can be imported any more
    spoken_of = any(is_named_in_text(program, one.name) for one in group)
    return _is_program(program) and not at_the_end and not spoken_of and not changes_after(program, group[0].statement)


def _is_dotted(one: Imported) -> bool:
    """`import scipy.stats`, which binds `scipy`: two such imports bind one name."""
    return isinstance(one.statement, ast.Import) and "." in one.module and one.name == one.package and len(one.statement.names) > 1
