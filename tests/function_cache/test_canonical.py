"""What counts of a traced graph, and what is a number of the process."""

import os
import subprocess
from pathlib import Path

import pytest

from programs import TARGET

pytestmark = pytest.mark.tensorflow

SOURCE = Path(__file__).parents[2] / "src"
HEAD = """
import tensorflow
from tensorflow.core.framework import function_pb2
from firststep_agent.boost.objects import canonical
"""


def check(folder, program):
    """The program's assertions hold."""
    (folder / "program.py").write_text(HEAD + program)
    done = subprocess.run([TARGET, folder / "program.py"], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(SOURCE)})
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_loop_that_captures_a_tensor_is_the_same_each_time_it_is_traced(tmp_path):
    check(tmp_path, LOOP)


def test_results_that_are_arguments_count_by_their_place_unless_they_are_taken_by_their_name(tmp_path):
    check(tmp_path, RESULTS)


def test_what_runs_beside_a_captured_variable_is_the_same_each_time_it_is_traced(tmp_path):
    check(tmp_path, BESIDE)


BESIDE = """
variable, other = tensorflow.Variable(tensorflow.ones((4, 2))), tensorflow.Variable(tensorflow.ones((4, 2)))

def looked_up(count, first=variable, second=other):
    total = tensorflow.zeros((2,))
    for each in tensorflow.range(count):
        total += tensorflow.nn.embedding_lookup(first, each % 4) + 2 * tensorflow.nn.embedding_lookup(second, each % 4)
    if count > 3:
        total += tensorflow.nn.embedding_lookup(first, 1)
    return total

def traced(**variables):
    function = tensorflow.function(lambda count: looked_up(count, **variables))
    return function.get_concrete_function(tensorflow.TensorSpec((), "int32"))._inference_function

kept = traced()  # what it has made is no other's
one, again = traced(), traced()
assert "loc:@" in str(canonical.definitions_of(one)) and str(one.cached_definition) != str(again.cached_definition)
assert len({canonical.exact_digest(each) for each in (kept, one, again)}) == 1
assert canonical.exact_digest(traced(second=variable)) != canonical.exact_digest(one)
"""
LOOP = """
table = tensorflow.random.stateless_uniform((200,), (1, 2))

def summed(count):
    total = tensorflow.zeros(())
    for each in tensorflow.range(count):
        total += tensorflow.reduce_sum(table[tensorflow.newaxis, :each])
    return total

traced = [tensorflow.function(summed).get_concrete_function(tensorflow.TensorSpec((), "int32")) for _ in range(2)]
assert len({canonical.exact_digest(one._inference_function) for one in traced}) == 1
"""
RESULTS = """
def function(name, results, nodes=()):
    made = function_pb2.FunctionDef()
    made.signature.name = name
    for argument in ("x", "y"):
        made.signature.input_arg.add(name=argument, type=1)
    for result, value in results.items():
        made.signature.output_arg.add(name=result, type=1)
        made.ret[result] = value
    for named, operation, inputs in nodes:
        made.node_def.add(name=named, op=operation, input=inputs)
    return made

def digest(*functions):
    return canonical.digest_of(functions[0].signature.name, {one.signature.name: one for one in functions})

negated = [("n", "Neg", ["x"])]
assert digest(function("f", {"a_1": "x", "b_2": "y"})) == digest(function("g", {"a_7": "x", "b_8": "y"}))
assert digest(function("f", {"a": "x", "b": "y"})) != digest(function("f", {"a": "y", "b": "x"}))
assert digest(function("f", {"a": "n:z:0"}, negated)) != digest(function("f", {"b": "n:z:0"}, negated))
calls = function("main", {"r": "n:a:0"}, [("n", "inner", ["x", "y"])])
assert digest(calls, function("inner", {"a": "x", "b": "y"})) != digest(calls, function("inner", {"b": "x", "a": "y"}))
"""
