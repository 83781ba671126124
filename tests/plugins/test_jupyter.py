"""The magic, and notebooks: cells are known by their number, with their source."""

import subprocess
import sys
import textwrap

import pytest

from firststep import jupyter
from firststep.analyse.facts import Facts
from firststep.analyse.source_lines import source_lines
from firststep.report.places import place, source


class Shell:
    """As much of IPython's as an extension needs."""

    def __init__(self):
        self.magics = {}

    def register_magic_function(self, function, kind, name):
        self.magics[kind, name] = function


@pytest.fixture
def magic():
    shell = Shell()
    jupyter.load_ipython_extension(shell)
    return shell.magics["line_cell", "firststep"]


def test_a_line_is_the_command_line(magic, capsys):
    magic("--version")
    assert capsys.readouterr().out.startswith("firststep, version ")
    magic("recrod")
    assert "did you mean record?" in capsys.readouterr().err


def test_a_cell_is_a_program_of_its_own(magic, capsys, tmp_path):
    magic(f"record -o '{tmp_path}/a.trace'", "import json\nprint('ran é')")
    said = capsys.readouterr()
    assert said.out == "ran é\n" and "from start to its end" in said.err and (tmp_path / "a.trace").exists()


@pytest.mark.parametrize("line", ["", "report", "record -- python x.py"])
def test_a_cell_needs_a_verb_that_runs_it(magic, capsys, line):
    magic(line, "print('ran')")
    assert capsys.readouterr().out == jupyter.USAGE + "\n"


# What IPython keeps of its cells, in a program that needs no IPython.
KERNEL = """
import linecache, sys, time, types
class Compiler: pass
class InteractiveShell: _instance = None
sys.modules["IPython"] = types.ModuleType("IPython")
sys.modules["IPython.core.interactiveshell"] = module = types.ModuleType("interactiveshell")
module.InteractiveShell = InteractiveShell
InteractiveShell._instance = shell = InteractiveShell()
shell.compile = Compiler()
shell.compile._filename_map = {"/tmp/ipykernel_7/11.py": 1, "/tmp/ipykernel_7/22.py": 2, "gone": 3, "odd": "x"}
cells = {"/tmp/ipykernel_7/11.py": "x = 3\\n", "/tmp/ipykernel_7/22.py": "y = x\\nwhile time.monotonic() < end: pass\\n", "odd": "z\\n"}
for file, text in cells.items():
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
names = {"time": time, "end": time.monotonic() + 1}
for file, text in list(cells.items())[:2]:
    exec(compile(text, file, "exec"), names)
"""


def test_lines_of_cells_have_their_number_and_source(record, target, write):
    got = record([target, write("kernel.py", KERNEL)])
    assert b"cell 2:2" in got.err and b"while time.monotonic()" in got.err
    facts = Facts(got.trace)
    lines = {place(one.line, facts.trace): source(one.line, facts.trace) for one in facts(source_lines)}
    assert lines["cell 2:2"] == "while time.monotonic() < end: pass"
    assert got.trace.processes[0].cells["/tmp/ipykernel_7/11.py"] == (1, ("x = 3",))


@pytest.mark.suite
def test_a_notebook_through_nbconvert(record, tmp_path):
    """In an environment of its own, which has Jupyter."""
    python = tmp_path / "jupyter" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "-q", "nbconvert", "ipykernel"], check=True)
    subprocess.run([str(python), "-c", textwrap.dedent("""
        import nbformat
        book = nbformat.v4.new_notebook()
        book.cells = [nbformat.v4.new_markdown_cell("# Title"), nbformat.v4.new_code_cell("import time"),
                      nbformat.v4.new_code_cell("end = time.monotonic() + 2\\nwhile time.monotonic() < end: pass")]
        nbformat.write(book, "book.ipynb")
    """)], cwd=tmp_path, check=True)
    got = record([str(python), "-m", "nbconvert", "--to", "notebook", "--execute", "--stdout", "book.ipynb"], "--until", "exit")
    assert got.code == 0, got.err
    cells = {number: lines for process in got.trace.processes for number, lines in process.cells.values()}
    assert cells[2][1] == "while time.monotonic() < end: pass"
