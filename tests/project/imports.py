"""What the modules of this project import, by full names, relative imports too."""

import ast
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src"


def modules(package):
    return sorted((SOURCES / package).rglob("*.py"))


def name_of(path):
    """The full name of a module of ours; a package's for its `__init__`."""
    return ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")


def imported(path):
    """`a.b` for each module that is imported, and `a.b.name` for each name that is taken from one."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = path.relative_to(SOURCES).parts[:-node.level] if node.level else ()
            source = ".".join((*above, *filter(None, (node.module,))))
            yield source
            yield from (f"{source}.{name.name}" for name in node.names)


def is_module(name):
    place = SOURCES.joinpath(*name.split("."))
    return place.is_dir() or place.with_suffix(".py").is_file()
