"""TensorFlow's own persistent cache of XLA programs, switched on beside the function cache.

Its key has no field for the version of TensorFlow, XLA's flags or the CPU, and a file that fails to load becomes the
compilation's error. So the folder is named by all of these, and a process gets a folder of its own into which only files
whose content still has the checksum in their names are linked; what it adds is taken over at exit.
"""

import hashlib
import os
import shutil
import sys

from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.folders import Unsafe, private_folder

_FLAGS = ("--tf_xla_persistent_cache_directory={} --tf_xla_persistent_cache_device_types=CPU,XLA_CPU_JIT "
          "--tf_xla_persistent_cache_read_only=false")
_FOLDER, _LIVE = "xla", "live-"
_OLDEST = (2, 16)  # before it, XLA for CPUs cannot write a program out, and with a cache every compilation fails


def can_be_kept(version):
    """Whether this TensorFlow ("2.16.2") keeps programs for CPUs."""
    return tuple(int(part) for part in version.split(".")[:2]) >= _OLDEST


class XlaCache:
    """The programs compiled for one version, machine and set of flags, below the cache directory `path`."""

    def __init__(self, path):
        self._path = path
        self._shared: str = None  # type: ignore[assignment]
        self._live = None

    def switch_on(self):
        """Tells TensorFlow, which has not read its XLA flags yet, where to keep programs. False where the user has, or none can be."""
        flags = os.environ.get("TF_XLA_FLAGS", "")
        if "persistent_cache" in flags:
            return False
        within = ID, _FOLDER, _digest(flags)
        try:
            self._shared = private_folder(self._path, *within)
            self._remove_abandoned()
            self._live = private_folder(self._path, *within, f"{_LIVE}{os.getpid()}")
        except (OSError, Unsafe):
            return False
        for name in os.listdir(self._shared):
            if not name.startswith(_LIVE):
                self._link(name)
        os.putenv("TF_XLA_FLAGS", f"{flags} {_FLAGS.format(self._live)}".strip())
        return True

    def _link(self, name):
        checksum, _, own = name.partition("-")
        path = os.path.join(self._shared, name)
        if own and _checksum(path) == checksum:
            os.link(path, os.path.join(self._live, own))  # type: ignore[arg-type]
        else:
            os.unlink(path)

    def take_over(self):
        """Keeps what this process has compiled, and removes its folder."""
        if self._live is None:
            return
        known = {name.partition("-")[2] for name in os.listdir(self._shared)}
        for name in os.listdir(self._live):
            if name.endswith(".pb") and name not in known:
                path = os.path.join(self._live, name)
                os.rename(path, os.path.join(self._shared, f"{_checksum(path)}-{name}"))
        shutil.rmtree(self._live, ignore_errors=True)
        self._live = None

    def forget(self):
        """In a forked child: the folder is the parent's."""
        self._live = None

    def _remove_abandoned(self):
        for name in os.listdir(self._shared):
            if name.startswith(_LIVE) and not os.path.exists(f"/proc/{name[len(_LIVE):]}"):
                shutil.rmtree(os.path.join(self._shared, name), ignore_errors=True)


def _digest(flags):
    """Everything that decides what XLA compiles and that its own key forgets."""
    versions = sys.modules.get("tensorflow.python.framework.versions")
    words = [getattr(versions, "__version__", ""), getattr(versions, "__git_version__", ""), flags, _cpu()]
    words.extend(f"{k}={v}" for k, v in sorted(os.environ.items())
                 if k.startswith(("XLA_", "TF_", "OMP_", "CUDA_")) and not k.startswith("TF_CPP_"))
    return hashlib.sha256("\n".join(words).encode("utf-8", "surrogateescape")).hexdigest()[:24]


def _cpu():
    words = [os.uname().machine]
    try:
        with open("/proc/cpuinfo") as lines:
            for line in lines:
                if line.startswith(("flags", "Features", "model name", "CPU part")):
                    words.append(line)
                elif not line.strip():
                    break
    except OSError:
        pass
    return "".join(words)


def _checksum(path):
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()[:32]
    except OSError:
        return None
