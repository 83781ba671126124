"""Devices that a program asks for, and what it says about how they are used."""

from __future__ import annotations

import ast
import re

from firststep.lint.program import Program

STRATEGIES = ("MirroredStrategy", "MultiWorkerMirroredStrategy", "CentralStorageStrategy", "ParameterServerStrategy")
GPU = re.compile(r"(?:^|/)(?:device:)?gpu:(\d{1,3})$", re.IGNORECASE)
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
    """GPUs named in a literal given to `tf.device`, `OneDeviceStrategy` or a strategy, with the first place of each."""
    made = {program.name(call.func) or "" for call in strategies(program)}
    takers = {"tensorflow.device", "tensorflow.distribute.OneDeviceStrategy", *made}
    found: dict[int, ast.Call] = {}
    for call in program.calls(*takers):
        for node in ast.walk(call):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                match = GPU.search(node.value)
                if match:
                    found.setdefault(int(match[1]), call)
    return found


def says_how(program: Program) -> bool:
    return any(word in program.text for word in SAID)


def is_program(program: Program) -> bool:
    """Whether the file trains or predicts when it is run, so that nobody else has set its devices up."""
    for node in program.module.body:
        if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
            if any(isinstance(call.func, ast.Attribute) and call.func.attr in TRAINS for call in calls):
                return True
    return False
