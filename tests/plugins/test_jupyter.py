"""The magic, and notebooks: cells are known by their number, with their source."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firststep import jupyter
from firststep.analyse.facts import Facts
from firststep.analyse.source_lines import source_lines
from firststep.report.places import place, source

ROOT = Path(__file__).parents[2]


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


def test_a_quotation_that_is_not_closed_is_said(magic, capsys):
    for cell in (None, "print(1)"):
        magic("report 'unclosed", cell)
        told = capsys.readouterr()
        assert told.err == "firststep: no closing quotation: report 'unclosed\n" and told.out == ""


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


@pytest.fixture(scope="module")
def jupyter_python(tmp_path_factory):
    """The Python of an environment that has Jupyter, and firststep as its users install it there."""
    python = tmp_path_factory.mktemp("jupyter") / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
    done = subprocess.run([str(python), "-m", "pip", "install", "-q", "nbconvert", "ipykernel", str(ROOT)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"Jupyter cannot be installed here: {done.stderr.strip().splitlines()[-1:]}")
    return str(python)


def write_book(python, folder, *cells):
    """book.ipynb, with a cell of text before those of code."""
    write = ("import json, nbformat.v4 as v4, nbformat\nbook = v4.new_notebook()\n"
             f"book.cells = [v4.new_markdown_cell('# Title'), *map(v4.new_code_cell, {cells!r})]\nnbformat.write(book, 'book.ipynb')")
    subprocess.run([python, "-c", write], cwd=folder, check=True)


NBCONVERT = ("-m", "nbconvert", "--to", "notebook", "--execute", "--stdout", "book.ipynb")
WAIT = "end = time.monotonic() + 2\nwhile time.monotonic() < end: pass"


@pytest.mark.suite
def test_a_notebook_through_nbconvert(record, tmp_path, jupyter_python):
    write_book(jupyter_python, tmp_path, "import time", WAIT)
    got = record([jupyter_python, *NBCONVERT], "--until", "exit")
    assert got.code == 0, got.err
    cells = {number: lines for process in got.trace.processes for number, lines in process.cells.values()}
    assert cells[2][1] == "while time.monotonic() < end: pass"
    facts = Facts(got.trace)
    longest = facts(source_lines)[0]
    assert (place(longest.line, got.trace), longest.self_ns > 1_500_000_000) == ("cell 2:2", True)
    assert b"cell 2:2" in got.err and b"the cells ran in pid" in got.err
    assert b"traces itself" not in got.err  # every kernel imports a debugger, which this notebook does not use


@pytest.mark.suite
def test_a_notebook_through_jupyter_execute(record, tmp_path, jupyter_python):
    write_book(jupyter_python, tmp_path, "import time", WAIT)
    got = record([str(Path(jupyter_python).with_name("jupyter")), "execute", "book.ipynb"],
                 env={**os.environ, "PATH": f"{Path(jupyter_python).parent}:{os.environ['PATH']}"})
    assert got.code == 0, got.err
    assert place(Facts(got.trace)(source_lines)[0].line, got.trace) == "cell 2:2"


@pytest.mark.suite
@pytest.mark.tensorflow
def test_the_first_step_of_a_notebook(record, tmp_path, jupyter_python):
    """The kernel's environment sees the TensorFlow that is here."""
    import site

    folder = next(Path(jupyter_python).parents[1].glob("lib/python*/site-packages"))
    (folder / "tensorflow.pth").write_text(site.getsitepackages()[0] + "\n")
    write_book(jupyter_python, tmp_path, "import numpy, tensorflow as tf", "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
               "model.compile('sgd', 'mse')", "model.fit(numpy.ones((8, 2)), numpy.ones(8), verbose=0)")
    try:
        got = record([jupyter_python, *NBCONVERT])
    finally:
        (folder / "tensorflow.pth").unlink()
    assert got.code == 0, got.err
    lines = {place(one.line, got.trace): source(one.line, got.trace) for one in Facts(got.trace)(source_lines)}
    assert got.trace.ready.kind == "train"
    assert lines["cell 1:1"] == "import numpy, tensorflow as tf" and lines["cell 3:1"].startswith("model.fit")


LIVE = """
import json, sys
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="python3")
try:
    for cell in json.load(sys.stdin):
        said = {"stdout": "", "stderr": "", "error": ""}
        def hear(message):
            content = message["content"]
            if message["msg_type"] == "stream":
                said[content["name"]] += content["text"]
            elif message["msg_type"] == "error":
                said["error"] += content["evalue"]
        client.execute_interactive(cell, output_hook=hear, timeout=900)
        print(json.dumps(said))
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
"""


@pytest.mark.suite
@pytest.mark.parametrize("extension", ["firststep.jupyter", "firststep"])
def test_the_magic_in_a_live_kernel(tmp_path, jupyter_python, extension):
    cells = [f"%load_ext {extension}", "known = 3", "%%firststep record --until exit\nimport time\n" + WAIT + "\nprint('ran é')",
             "%%firststep record\nprint(known)", "%firststep recrod", "print(known)"]
    done = subprocess.run([jupyter_python, "-c", LIVE], input=json.dumps(cells), capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "XDG_STATE_HOME": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    loaded, _, ran, apart, wrong, still = map(json.loads, done.stdout.splitlines())
    assert loaded == {"stdout": "", "stderr": "", "error": ""}
    assert ran["stdout"] == "ran é\n" and "cell.py:3" in ran["stderr"] and "while time.monotonic() < end: pass" in ran["stderr"]
    assert "NameError" in apart["stderr"]  # it is a program of its own
    assert "did you mean record?" in wrong["stderr"] and still["stdout"] == "3\n"
