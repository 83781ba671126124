"""Devices that a program asks for, and what it says about how they are used."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from firststep.lint.program import Program
from firststep.lint.program.counts import loop_numbers
from firststep.lint.program.functions import enclosing
from firststep.lint.program.tree import DEFERRED

STRATEGIES = ("MirroredStrategy", "MultiWorkerMirroredStrategy", "CentralStorageStrategy", "ParameterServerStrategy")
GPU = re.compile(r"(?:^|/)(?:device:)?gpu:(\d{1,3})$", re.IGNORECASE)
GPU_OF = re.compile(r"(?:^|/)(?:device:)?gpu:$", re.IGNORECASE)  # what stands before a number that is filled in
MOST = 64  # GPUs of one loop
# Where one of these stands in the file, in a call or a string, the author has decided.
SAID = ("set_memory_growth", "set_visible_devices", "set_logical_device_configuration", "set_virtual_device_configuration", "gpu_options",
        "GPUOptions", "CUDA_VISIBLE_DEVICES", "TF_FORCE_GPU_ALLOW_GROWTH", "NVIDIA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "allow_growth",
        "visible_device_list")
TRAINS = ("fit", "run", "train_on_batch", "evaluate", "predict", "experimental_distribute_dataset", "minimize", "apply_gradients")


def strategies(program: Program) -> list[ast.Call]:
    """Where a strategy for several GPUs is made."""
    names = [f"tensorflow.distribute.{kind}{name}" for kind in ("", "experimental.") for name in STRATEGIES]
    return list(program.calls(*names))


def named_gpus(program: Program) -> dict[int, ast.Call]:
    """GPUs named to `tf.device`, `OneDeviceStrategy` or a strategy, with the first place of each: in a literal, or in one that is
    filled in with the number of a loop whose numbers the source tells."""
    made = {program.name(call.func) or "" for call in strategies(program)}
    takers = {"tensorflow.device", "tensorflow.distribute.OneDeviceStrategy", *made}
    found: dict[int, ast.Call] = {}
    for call in program.calls(*takers):
        for node in ast.walk(call):
            for number in _gpus(program, node):
                found.setdefault(number, call)
    return found


def _gpus(program: Program, node: ast.AST) -> Sequence[int]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        match = GPU.search(node.value)
        return [int(match[1])] if match else []
    number = filled_in(program, node, GPU_OF)
    return loop_numbers(program, number)[:MOST] if number is not None else []


def filled_in(program: Program, node: ast.AST, start: re.Pattern[str]) -> ast.expr | None:
    """The one value that is put behind a literal start: of `"start%d" % n`, `f"start{n}"`, `"start{}".format(n)` or `"start" + str(n)`."""
    if isinstance(node, ast.JoinedStr) and len(node.values) == 2 and isinstance(node.values[1], ast.FormattedValue):
        return node.values[1].value if _is_literal(node.values[0], start) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        value = node.right.elts[0] if isinstance(node.right, ast.Tuple) and len(node.right.elts) == 1 else node.right
        return value if _is_literal(node.left, start, "%d", "%i", "%s") else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format" and len(node.args) == 1:
        return node.args[0] if _is_literal(node.func.value, start, "{}", "{:d}", "{0}") else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_literal(node.left, start) and isinstance(node.right, ast.Call):
        return node.right.args[0] if program.name(node.right.func) == "builtins.str" and len(node.right.args) == 1 else None
    return None


def _is_literal(node: ast.AST, start: re.Pattern[str], *ends: str) -> bool:
    """Whether a literal is the start and one of the ends, if any are asked for."""
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
    plain = next((text.removesuffix(end) for end in ends if text.endswith(end)), None) if text and ends else text
    return bool(plain and start.search(plain))


def says_how(program: Program) -> bool:
    return any(word in program.text for word in SAID)


def is_program(program: Program) -> bool:
    """Whether the file trains, predicts or computes on a device when it is run, so that nobody else has set its devices up."""
    for node in program.module.body:
        if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
            if any(isinstance(call.func, ast.Attribute) and call.func.attr in TRAINS for call in calls):
                return True
            if any(_is_on_device(program, inner) for inner in ast.walk(node)):
                return True
    return False


def _is_on_device(program: Program, node: ast.AST) -> bool:
    """`with tf.device(...):`, in which the module itself computes something."""
    if not isinstance(node, ast.With) or enclosing(node, *DEFERRED, ast.ClassDef) is not None:
        return False
    entered = [item.context_expr for item in node.items]
    placed = any(isinstance(one, ast.Call) and program.name(one.func) == "tensorflow.device" for one in entered)
    return placed and any(isinstance(inner, ast.Call) for statement in node.body for inner in ast.walk(statement))
