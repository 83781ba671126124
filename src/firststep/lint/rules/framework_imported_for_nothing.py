"""TensorFlow is imported, and nothing in the file uses it.

Symptom: a tool that needs no framework takes a second or more to start.

Why: `import tensorflow` loads thousands of modules and a hundred native libraries, whether or not anything is called
afterwards; a module that imports it for nothing makes all that import it as slow.

Confirmed by: `firststep record`, which shows the import's milliseconds and that nothing of it was touched. In source,
an import at module level of `tensorflow` or `keras` whose name is used nowhere in the file, where no other import loads
it, as one of transformers or keras_hub, or of what another package has for it (`horovod.tensorflow`). Types in quotes and
in comments, and examples in docstrings, are uses. Package
files (`__init__.py`), names in `__all__` and imports marked `noqa` are left alone; so are files that make processes, which
begin with what is loaded here, and files that unpickle, as with `joblib.load`, which loads the modules of what it reads.

Remedy: take it out.

Source: the document "Why is TensorFlow startup slow?".

Fix: the import is taken away. Unsafe: another module may take the name from here, or rely on TensorFlow having been
imported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program, Setting
from firststep.lint.program.imports import Imported, exported, imported_packages, is_marked, module_imports, uses
from firststep.lint.program.surroundings import is_for_others, is_used_in_text

FRAMEWORKS = ("tensorflow", "keras", "tf_keras")
# Packages that load the framework themselves, by how their names begin: without this import it is loaded all the same.
LOADERS = ("tensorflow_", "tf_", "keras_", "kerastuner", "autokeras", "transformers", "sentence_transformers", "gpflow", "deepchem",
           "tensorlayer", "tensorpack", "tensor2tensor", "tensorforce", "tflearn", "tfx", "tflite_", "tf2onnx", "spektral", "stellargraph",
           "stable_baselines", "deepxde", "cleverhans", "ktrain", "segmentation_models", "efficientnet", "edward", "sonnet", "trax",
           "zfit", "ddsp", "magenta", "dopamine", "bayesflow", "official", "object_detection", "larq", "rl")
FAMILY = (*FRAMEWORKS, *LOADERS)
FOR_IT = re.compile(r"tensorflow|keras|(?:^|[._])tf(?:[._\d]|$)", re.IGNORECASE)  # in the name of another package's part
WORDS = ("import",)


def concerns(text: str, setting: Setting) -> bool:
    return not setting.is_init and not imported_packages(text).isdisjoint(set(FRAMEWORKS) - {setting.package})


def check(program: Program) -> Iterator[LintFinding]:
    if program.looks_up_names or program.scope.stars or is_for_others(program):
        return
    imports = [one for one in module_imports(program) if one.package.startswith(FAMILY)]
    kept = exported(program)
    unused = [one for one in imports if one.name not in kept and not _is_used(program, one) and not is_marked(program, one.statement)]
    wanted = [one for one in imports if one not in unused or one.package not in FRAMEWORKS]
    if wanted or _names_it_otherwise(program) or _is_loaded_by_a_part(program):
        return
    for one in unused:
        if one.package in FRAMEWORKS and one.package != program.setting.package:
            fix = Fix("take it out", edits.move_imports([(program.position(one.statement), one.name)], None))
            message = f"`{one.name}` is imported, and nothing in this file uses it"
            yield program.finding(__name__, one.statement, message, "take the import out", fix)


def _is_loaded_by_a_part(program: Program) -> bool:
    """Whether a part of another package is imported that is made for the framework, by its name: `horovod.tensorflow`, or
    `from art.estimators.classification import TensorFlowV2Classifier`. It loads it."""
    names = (name for node in program.tree.of(ast.Import, ast.ImportFrom) for name in _full_names(node))
    return any(FOR_IT.search(name) and not name.startswith(FAMILY) for name in names)


def _full_names(node: ast.stmt) -> list[str]:
    module = f"{'.' * node.level}{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
    return [module + alias.name for alias in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else []


def _is_used(program: Program, one: Imported) -> bool:
    return bool(uses(program, one.name)) or is_used_in_text(program, one.name)


def _names_it_otherwise(program: Program) -> bool:
    """Whether some other code of the file imports the framework: in a function, under a condition."""
    for node in program.tree.of(ast.Import, ast.ImportFrom):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None) or ""]
        if node not in program.module.body and any(name.startswith(FAMILY) for name in names):
            return True
    return False
