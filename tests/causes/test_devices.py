"""Causes that have to do with devices; told by the framework's own spans and log lines, so no GPU is needed."""

from firststep.diagnose import diagnosis
from firststep.report.compose import verdict

from . import lines
from .kit import MS, S, check_found, check_silent, span, start

H100 = {"name": "NVIDIA H100", "capability": "9.0", "memory": 80 << 30, "persistent": True}
BUILT = {"is_cuda_build": True, "is_rocm_build": False, "cuda_compute_capabilities": ["sm_60", "sm_80", "compute_90"]}
NOT_BUILT = {"is_cuda_build": False, "is_rocm_build": False}


def gpus(number, *configured, asked=()):
    found = {"CPU": 1, "GPU": number} if number else {"CPU": 1}
    return [span("device-discovery", S, 2 * S, devices=found), span("runtime-init", 2 * S, 3 * S),
            *[span("device-configuration", 3 * S, 3 * S + MS, name, asked=list(asked)) for name in configured]]


def logged(*said, spans=(), **rest):
    """A start in which Python logged these lines."""
    return start(*spans, log=tuple((S + n, line) for n, line in enumerate(said)), **rest)


def on(there, *spans, build=BUILT, lines=(), compiled=None, **environment):
    """A start on a machine with these GPUs (None: nobody can tell) in this environment. compiled: bytes that the driver's cache gained."""
    return logged(*lines, spans=spans, gpu={"build": build, "environment": environment},
                  header={"host": {"machine": "x86_64", "gpus": there, "kernels_compiled": compiled}})


def test_slow_device_discovery():
    check_silent("slow-device-discovery", start(span("device-discovery", S, S + 10 * MS, devices={"CPU": 1})))
    check_found("slow-device-discovery", start(*gpus(1)), "2.0 s for 1 CPU, 1 GPU", "nvidia-persistenced")
    assert "persistenced" not in check_found("slow-device-discovery", start(*gpus(0)), "2.0 s for 1 CPU", "CUDA_VISIBLE_DEVICES=-1").do
    check_silent("slow-device-discovery", start(span("cluster-wait", S, 4 * S), *gpus(1)))  # its runtime waits for the other workers


def test_all_devices_visible():
    check_silent("all-devices-visible", start(*gpus(1)))
    check_silent("all-devices-visible", start(*gpus(8, "Context.set_visible_devices")))
    check_silent("all-devices-visible", start(*gpus(8), span("strategy", 4 * S, 5 * S)))
    check_found("all-devices-visible", start(*gpus(8)), "8 GPUs", "CUDA_VISIBLE_DEVICES=0")


def test_memory_preallocated():
    check_silent("memory-preallocated", start(*gpus(0)))
    check_silent("memory-preallocated", start(*gpus(1, "Context.set_memory_growth", asked=("/physical_device:GPU:0", True))))
    check_silent("memory-preallocated", start(*gpus(1, "Context.set_logical_device_configuration", asked=("/physical_device:GPU:0",))))
    check_silent("memory-preallocated", on([H100], *gpus(1), TF_FORCE_GPU_ALLOW_GROWTH="true"))
    check_silent("memory-preallocated", start(*gpus(1), span("session-create", 4 * S, 4 * S + MS)))
    check_found("memory-preallocated", start(*gpus(1)), "TF_FORCE_GPU_ALLOW_GROWTH", "1 GPU found, its memory")
    check_found("memory-preallocated", start(*gpus(4)), "4 GPUs found, their memory")
    check_found("memory-preallocated", on([H100], *gpus(1), TF_FORCE_GPU_ALLOW_GROWTH="false"))
    check_found("memory-preallocated", start(*gpus(1, "Context.set_memory_growth", asked=("/physical_device:GPU:0", False))))


def test_slow_strategy_setup():
    check_silent("slow-strategy-setup", start(span("strategy", S, S + 10 * MS)))
    check_found("slow-strategy-setup", start(span("strategy", S, 3 * S)), "2.0 s", line=7)


def test_kernels_compiled_from_ptx():
    check_silent("kernels-compiled-from-ptx", logged(*lines.ORDINARY))
    check_found("kernels-compiled-from-ptx", logged(lines.PTX), "compute capability 9.0")
    check_found("kernels-compiled-from-ptx", logged(lines.PTX_LATER), "compute capability 12.0")


def test_kernels_compiled_from_ptx_are_foreseen_from_the_gpu_and_the_build():
    older = {**BUILT, "cuda_compute_capabilities": ["3.5", "7.0", "8.0"]}
    check_found("kernels-compiled-from-ptx", on([H100], *gpus(1)), "compute capability 9.0")
    check_found("kernels-compiled-from-ptx", on([H100], *gpus(1), build=older), "compute capability 9.0")
    for capability in ("8.0", "8.9", "6.1"):
        check_silent("kernels-compiled-from-ptx", on([{**H100, "capability": capability}], *gpus(1)))
    check_silent("kernels-compiled-from-ptx", on([H100], *gpus(0)))  # it runs on the CPU
    check_silent("kernels-compiled-from-ptx", on([H100, {**H100, "capability": "8.0"}], *gpus(1)))  # which of them, nobody knows
    check_silent("kernels-compiled-from-ptx", on([{}], *gpus(1)))  # the driver does not say
    check_silent("kernels-compiled-from-ptx", on(None, *gpus(1)))
    check_silent("kernels-compiled-from-ptx", on([H100], *gpus(1), build={"is_cuda_build": True}))


def test_kernels_compiled_from_ptx_are_seen_in_the_drivers_cache():
    check_found("kernels-compiled-from-ptx", on([H100], *gpus(1), compiled=12_000_000), "12 MB of kernels", confidence="high")
    check_silent("kernels-compiled-from-ptx", on([H100], *gpus(1), compiled=0))  # they lie there since another start, or none was wanted
    check_found("kernels-compiled-from-ptx", on([H100], *gpus(1), compiled=None), confidence="medium")  # the driver keeps none
    check_found("kernels-compiled-from-ptx", on([H100], *gpus(1), lines=[lines.PTX], compiled=0), confidence="high")


def test_what_xla_compiles_is_none_of_the_builds_kernels():
    """On an H100 most of a first step of Keras is XLA's compilation, which the build's kernels have no part in."""
    compiling = span("xla-compile", 4 * S, 9 * S, "__inference_one_step_4")
    one = check_found("kernels-compiled-from-ptx", on([H100], *gpus(1), compiling), confidence="medium")
    assert one.gain.high_ns < 3 * S


def test_the_lines_of_a_gpu_in_use_say_nothing_of_a_fault():
    for cause in ("gpu-not-used", "ptxas-missing-or-old", "small-cuda-cache"):
        check_silent(cause, on([H100], *gpus(1), lines=lines.H100_IN_USE))


def test_what_boost_does_on_cpus_alone_is_not_promised_beside_a_gpu():
    traced = span("trace", 4 * S, 8 * S, "step", source="/home/me/train.py:7")
    assert check_found("slow-graph-construction", start(*gpus(0), traced)).boosted
    assert not check_found("slow-graph-construction", start(*gpus(1), traced)).boosted


def test_a_gpu_that_nobody_uses_stands_before_all_that_the_start_takes():
    slow = span("import", 0, 4 * S, "tensorflow", self_ns=4 * S)
    found = on([H100], *gpus(0), slow)
    assert found(diagnosis).findings[0].id == "gpu-not-used"
    assert verdict(found).startswith("It runs on the CPU: NVIDIA H100 but TensorFlow found none. ")
    meant = on([H100], *gpus(0), slow, build=NOT_BUILT)
    assert "runs on the CPU" not in verdict(meant) and meant(diagnosis).findings[0].id != "gpu-not-used"


def test_ptxas_missing_or_old():
    check_silent("ptxas-missing-or-old", logged(*lines.ORDINARY, lines.PTX))
    check_found("ptxas-missing-or-old", logged(*lines.PTXAS), "driver")
    check_found("ptxas-missing-or-old", logged(lines.PTXAS_OLD), "driver")


def test_gpu_not_used():
    check_silent("gpu-not-used", logged(*lines.ORDINARY))
    check_silent("gpu-not-used", on([H100], *gpus(1)))
    check_found("gpu-not-used", logged(lines.NO_LIBRARIES), "runs on the CPU", "a GPU but")
    unloaded = on([H100], *gpus(0), lines=(lines.NO_LIBRARIES_LATER,))
    check_found("gpu-not-used", unloaded, "NVIDIA H100 but a library of CUDA cannot be loaded", "LD_LIBRARY_PATH", confidence="high")
    check_found("gpu-not-used", logged(lines.NO_CUSOLVER, lines.NO_LIBRARIES), "libcusolver.so.11 cannot be loaded", confidence="high")
    check_found("gpu-not-used", on([H100], *gpus(0)), "NVIDIA H100 but TensorFlow found none", confidence="high")
    check_found("gpu-not-used", on([H100], *gpus(0), build=NOT_BUILT), "built without GPUs", "tensorflow[and-cuda]", confidence="medium")
    check_found("gpu-not-used", on([H100], *gpus(0), CUDA_VISIBLE_DEVICES="3"), "CUDA_VISIBLE_DEVICES=3 names another", confidence="high")
    check_found("gpu-not-used", on(None, *gpus(0), CUDA_VISIBLE_DEVICES="0"), "CUDA_VISIBLE_DEVICES=0 but", confidence="medium")
    check_found("gpu-not-used", on([], *gpus(0), lines=(lines.NO_DEVICE,), CUDA_VISIBLE_DEVICES="0"),
                "TensorFlow found none: CUDA_ERROR_NO_DEVICE")


def test_no_gpu_is_missed_where_there_is_none_or_it_is_hidden():
    """TensorFlow logs errors of the driver on every machine without a GPU."""
    for there in (None, []):
        for said in ((*lines.NO_GPU_AT_ALL, lines.NO_TENSORRT), (lines.NO_CUSOLVER,), (lines.NO_DEVICE,)):
            check_silent("gpu-not-used", on(there, *gpus(0), lines=said))
        check_silent("gpu-not-used", on(there, *gpus(0), build=NOT_BUILT))
    check_silent("gpu-not-used", logged(*lines.NO_GPU_AT_ALL, spans=gpus(0)))  # of an older version: no facts about the machine
    for hidden in ("-1", "", " "):
        check_silent("gpu-not-used", on([H100], *gpus(0), CUDA_VISIBLE_DEVICES=hidden))


def test_disabled_cuda_cache():
    check_silent("disabled-cuda-cache", on([H100], *gpus(1), CUDA_CACHE_DISABLE="0"))
    check_silent("disabled-cuda-cache", on(None, *gpus(0), CUDA_CACHE_DISABLE="1"))
    check_found("disabled-cuda-cache", on([H100], *gpus(1), CUDA_CACHE_DISABLE="1"), "CUDA_CACHE_PATH")


def test_small_cuda_cache():
    check_silent("small-cuda-cache", on([H100], *gpus(1), CUDA_CACHE_MAXSIZE="268435456"))  # nothing is compiled, so far as is known
    for value in ("4294967296", "much", ""):
        check_silent("small-cuda-cache", on([H100], *gpus(1), lines=(lines.PTX,), CUDA_CACHE_MAXSIZE=value))
    check_found("small-cuda-cache", on([H100], *gpus(1), lines=(lines.PTX,), CUDA_CACHE_MAXSIZE="268435456"), "268 MB")


def test_driver_not_resident():
    unloaded = {**H100, "persistent": False}
    check_silent("driver-not-resident", on([H100], *gpus(1)))
    check_silent("driver-not-resident", on([unloaded, H100], *gpus(2)))
    check_silent("driver-not-resident", on([unloaded], *gpus(0)))
    check_silent("driver-not-resident", on([{"name": "NVIDIA H100"}], *gpus(1)))
    check_found("driver-not-resident", on([unloaded], *gpus(1)), "nvidia-persistenced")


def test_eager_module_loading():
    check_silent("eager-module-loading", on([H100], *gpus(1), CUDA_MODULE_LOADING="LAZY"))
    check_silent("eager-module-loading", on([H100], *gpus(0), CUDA_MODULE_LOADING="EAGER"))
    check_found("eager-module-loading", on([H100], *gpus(1), CUDA_MODULE_LOADING="EAGER"), "CUDA_MODULE_LOADING=LAZY")


def test_lines_of_native_code_count_as_those_of_python():
    header = {"log": [[S, lines.PTX], [20 * S, lines.PTXAS_OLD]]}
    check_found("kernels-compiled-from-ptx", start(header=header), "compute capability 9.0")
    check_silent("ptxas-missing-or-old", start(header=header))  # logged after ready


def test_autotuned_per_shape():
    check_silent("autotuned-per-shape", logged(*lines.ORDINARY))
    check_silent("autotuned-per-shape", logged(lines.TRIED[1]))  # of another slow operation
    other = tuple(line.replace("f32[4,256,257,257]", "f32[8,256,257,257]") for line in lines.TRIED)
    check_found("autotuned-per-shape", logged(*lines.TRIED, *lines.TRIED, *other), "3 slow tries for 2 convolutions took 4.8 s",
                gain=(2300, 4800), confidence="high")
    at_once = tuple(line.replace("The operation took 1", "The operation took 31") for line in lines.TRIED)
    assert check_found("autotuned-per-shape", logged(*at_once)).gain.high_ns <= 10 * S  # no more than the start
