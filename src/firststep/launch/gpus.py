"""The NVIDIA GPUs of this machine, as the driver's own library (NVML) names them. Asked in the tool, after the program is ready: asking
wakes the driver up, which would take time off the start that is measured."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

LIBRARY = "libnvidia-ml.so.1"
WITHOUT_DRIVER = 9  # NVML_ERROR_DRIVER_NOT_LOADED: there is the library, and no device that could be used
NAME_SIZE = 96


class _Memory(ctypes.Structure):
    _fields_ = [("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong)]


@cache
def gpus() -> list[dict[str, Any]] | None:
    """`listed` of this machine's library; None where there is none."""
    try:
        return listed(ctypes.CDLL(LIBRARY))
    except OSError:
        return None


def listed(nvml: Any) -> list[dict[str, Any]] | None:
    """Name, compute capability, memory in bytes and whether the driver stays loaded, of each GPU; None where NVML does not say."""
    begun = nvml.nvmlInit_v2()
    if begun:
        return [] if begun == WITHOUT_DRIVER else None
    try:
        count = ctypes.c_uint()
        if nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)):
            return None
        return [_described(nvml, number) for number in range(count.value)]
    finally:
        nvml.nvmlShutdown()


def _described(nvml: Any, number: int) -> dict[str, Any]:
    device = ctypes.c_void_p()
    if nvml.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(number), ctypes.byref(device)):
        return {}
    name, memory = ctypes.create_string_buffer(NAME_SIZE), _Memory()
    major, minor, stays = ctypes.c_int(), ctypes.c_int(), ctypes.c_uint()
    asked: dict[str, tuple[int, Callable[[], Any]]] = {
        "name": (nvml.nvmlDeviceGetName(device, name, ctypes.c_uint(NAME_SIZE)), lambda: name.value.decode("utf-8", "replace")),
        "capability": (nvml.nvmlDeviceGetCudaComputeCapability(device, ctypes.byref(major), ctypes.byref(minor)),
                       lambda: f"{major.value}.{minor.value}"),
        "memory": (nvml.nvmlDeviceGetMemoryInfo(device, ctypes.byref(memory)), lambda: int(memory.total)),
        "persistent": (nvml.nvmlDeviceGetPersistenceMode(device, ctypes.byref(stays)), lambda: bool(stays.value)),
    }
    return {what: value() for what, (error, value) in asked.items() if not error}
