"""Causes that have to do with devices; told by the framework's own spans and log lines, so no GPU is needed."""

from . import lines
from .kit import MS, S, check_found, check_silent, span, start


def gpus(number, *configured):
    return [span("device-discovery", S, 2 * S, devices={"CPU": 1, "GPU": number}), span("runtime-init", 2 * S, 3 * S),
            *[span("device-configuration", 3 * S, 3 * S + MS, name, asked=[]) for name in configured]]


def logged(*said, spans=()):
    return start(*spans, log=tuple((S + n, line) for n, line in enumerate(said)))


def test_slow_device_discovery():
    check_silent("slow-device-discovery", start(span("device-discovery", S, S + 10 * MS, devices={"CPU": 1})))
    check_found("slow-device-discovery", start(*gpus(1)), "2.0 s for 1 CPU, 1 GPU")


def test_all_devices_visible():
    check_silent("all-devices-visible", start(*gpus(1)))
    check_silent("all-devices-visible", start(*gpus(8, "Context.set_visible_devices")))
    check_silent("all-devices-visible", start(*gpus(8), span("strategy", 4 * S, 5 * S)))
    check_found("all-devices-visible", start(*gpus(8)), "8 GPUs", "CUDA_VISIBLE_DEVICES=0")


def test_memory_preallocated():
    check_silent("memory-preallocated", start(*gpus(0)))
    check_silent("memory-preallocated", start(*gpus(1, "Context.set_memory_growth")))
    check_found("memory-preallocated", start(*gpus(1)), "TF_FORCE_GPU_ALLOW_GROWTH")


def test_slow_strategy_setup():
    check_silent("slow-strategy-setup", start(span("strategy", S, S + 10 * MS)))
    check_found("slow-strategy-setup", start(span("strategy", S, 3 * S)), "2.0 s", line=7)


def test_kernels_compiled_from_ptx():
    check_silent("kernels-compiled-from-ptx", logged(*lines.ORDINARY))
    check_found("kernels-compiled-from-ptx", logged(lines.PTX), "compute capability 9.0")


def test_ptxas_missing_or_old():
    check_silent("ptxas-missing-or-old", logged(*lines.ORDINARY, lines.PTX))
    check_found("ptxas-missing-or-old", logged(lines.PTXAS), "driver")


def test_gpu_not_used():
    check_silent("gpu-not-used", logged(*lines.ORDINARY))
    check_silent("gpu-not-used", logged(lines.NO_RUNTIME, spans=gpus(1)))
    check_found("gpu-not-used", logged(lines.NO_LIBRARIES), "runs on the CPU")
    check_found("gpu-not-used", logged(lines.NO_DRIVER), "no GPU was found")
    check_found("gpu-not-used", logged(lines.NO_RUNTIME), "libcudart.so.11.0")
