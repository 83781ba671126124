"""What was started, as every Python tells it."""

import pytest

from analyse.traces import process, trace
from firststep.analyse.facts import Facts
from firststep.analyse.identity import identity


def told(argv, command=("python",), cwd="/home/me"):
    made = process([], ready=900)
    made.header.update(argv=list(argv), cwd=cwd)
    found = identity(Facts(trace(made, command=list(command))))
    return found.program, found.arguments


@pytest.mark.parametrize(("argv", "program", "arguments"), [
    (["python", "train.py", "--small"], "train.py", ("--small",)),
    (["/env/bin/python", "-X", "dev", "-u", "/home/me/src/../train.py", "1"], "train.py", ("1",)),
    (["python", "-m", "pkg.train", "x"], "-m pkg.train", ("x",)),
    (["python", "/elsewhere/train.py"], "/elsewhere/train.py", ()),
])
def test_a_program_and_its_arguments(argv, program, arguments):
    assert told(argv) == (program, arguments)


def test_a_python_that_does_not_know_its_command_line():
    """sys.argv alone, as 3.9 has it when the agent begins."""
    assert told([""], ["python3.9", "prog.py", "a"]) == ("prog.py", ("a",))
    assert told([], ["python3.9", "prog.py"]) == ("prog.py", ())


def test_code_is_told_apart_and_not_shown():
    one, other = told(["python", "-c", "secret = 1"]), told(["python", "-c", "secret = 2"])
    assert one != other and "secret" not in one[0]
