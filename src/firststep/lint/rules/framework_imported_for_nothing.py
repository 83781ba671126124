"""TensorFlow is imported, and nothing in the file uses it.

Symptom: a tool that needs no framework takes a second or more to start.

Why: `import tensorflow` loads thousands of modules and a hundred native libraries, whether or not anything is called
afterwards; a module that imports it for nothing makes all that import it as slow.

Confirmed by: `firststep record`, which shows the import's milliseconds and that nothing of it was touched. In source,
an import at module level of `tensorflow` or `keras` whose name is used nowhere in the file, where no other import loads
it. Package files (`__init__.py`), names in `__all__` and imports marked `noqa` are left alone.

Remedy: take it out.

Source: the document "Why is TensorFlow startup slow?".

Fix: the import is taken away. Unsafe: another module may take the name from here, or rely on TensorFlow having been
imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from firststep.lint import edits
from firststep.lint.findings import Fix, LintFinding
from firststep.lint.program import Program, Setting
from firststep.lint.program.imports import exported, imported_packages, is_marked, module_imports, uses

FRAMEWORKS = ("tensorflow", "keras", "tf_keras")
FAMILY = ("tensorflow", "keras", "tf_keras", "tensorflow_", "tf_", "transformers", "sentence_transformers", "gpflow", "deepchem")
WORDS = ("import",)


def concerns(text: str, setting: Setting) -> bool:
    return not setting.is_init and not imported_packages(text).isdisjoint(set(FRAMEWORKS) - {setting.package})


def check(program: Program) -> Iterator[LintFinding]:
    if program.looks_up_names or program.scope.stars:
        return
    imports = [one for one in module_imports(program) if one.package.startswith(FAMILY)]
    kept = exported(program)
    unused = [one for one in imports if one.name not in kept and not uses(program, one.name) and not is_marked(program, one.statement)]
    wanted = [one for one in imports if one not in unused]
    if wanted or _names_it_otherwise(program):
        return
    for one in unused:
        if one.package in FRAMEWORKS and one.package != program.setting.package:
            fix = Fix("take it out", edits.move_imports([(program.position(one.statement), one.name)], None))
            message = f"`{one.name}` is imported, and nothing in this file uses it"
            yield program.finding(__name__, one.statement, message, "take the import out", fix)


def _names_it_otherwise(program: Program) -> bool:
    """Whether some other code of the file imports the framework: in a function, under a condition."""
    for node in program.tree.of(ast.Import, ast.ImportFrom):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None) or ""]
        if node not in program.module.body and any(name.startswith(FAMILY) for name in names):
            return True
    return False
