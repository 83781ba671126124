"""What decides how TensorFlow uses a GPU: what it was built for, and what the environment says. Nothing is imported or asked."""

import sys

from firststep_agent.as_found import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BUILD_INFO = "tensorflow.python.platform.build_info"
BUILT = ("is_cuda_build", "is_rocm_build", "cuda_version", "cudnn_version", "cuda_compute_capabilities")
SETTINGS = (
    "CUDA_VISIBLE_DEVICES", "TF_FORCE_GPU_ALLOW_GROWTH", "CUDA_CACHE_DISABLE", "CUDA_CACHE_MAXSIZE", "CUDA_CACHE_PATH",
    "CUDA_MODULE_LOADING",
)


def seen() -> "dict[str, Any] | None":
    """{"build": …, "environment": …}, those that are there; None where TensorFlow has not been imported."""
    module = sys.modules.get(BUILD_INFO)
    if module is None:
        return None
    known = getattr(module, "build_info", None) or {}
    build = {name: plain for name in BUILT if (plain := _plain(known.get(name))) is not None}
    return {"build": build, "environment": {name: os.environ[name][:500] for name in SETTINGS if name in os.environ}}


def _plain(value: object) -> "list[str] | bool | str | None":
    if isinstance(value, (list, tuple)):
        return [str(one) for one in value]
    return value if isinstance(value, (bool, str)) else None
