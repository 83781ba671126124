"""TensorFlow's own persistent cache of XLA programs, switched on beside the function cache.

Its key has no field for the version of TensorFlow, XLA's flags or the CPU, and a file that fails to load becomes the
compilation's error. So the folder is named by all of these, and a process gets a folder of its own into which only files
whose content still has the checksum in their names are linked; what it adds is taken over at exit.
"""

import hashlib
import os
import sys

from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.folders import Unsafe, open_below, open_folder
from firststep_agent.boost.store import open_regular

_FLAGS = ("--tf_xla_persistent_cache_directory={} --tf_xla_persistent_cache_device_types=CPU,XLA_CPU_JIT "
          "--tf_xla_persistent_cache_read_only=false")
_FOLDER, _LIVE = "xla", "live-"
_OLDEST = (2, 16)  # before it, XLA for CPUs cannot write a program out, and with a cache every compilation fails


def can_be_kept(version):
    """Whether this TensorFlow ("2.16.2") keeps programs for CPUs."""
    return tuple(int(part) for part in version.split(".")[:2]) >= _OLDEST


class XlaCache:
    """The programs compiled for one version, machine and set of flags, below the cache directory `path`.

    TensorFlow is given a path; whatever is done here is done below the directory's descriptor.
    """

    def __init__(self, path):
        self._path = path
        self._shared: tuple = ()  # names of the folders down to the one that processes share
        self._live = None  # name in it of the folder that this process has for itself

    def switch_on(self):
        """Tells TensorFlow, which has not read its XLA flags yet, where to keep programs. False where the user has, or none can be."""
        flags = os.environ.get("TF_XLA_FLAGS", "")
        if "persistent_cache" in flags:
            return False
        self._shared, live = (ID, _FOLDER, _digest(flags)), f"{_LIVE}{os.getpid()}"
        try:
            with _Folder(self._path, *self._shared) as shared, _Folder(self._path, *self._shared, live) as own:
                _remove_abandoned(shared)
                for name in os.listdir(shared):
                    if not name.startswith(_LIVE):
                        _link(name, shared, own)
        except (OSError, Unsafe):
            return False
        self._live = live
        os.putenv("TF_XLA_FLAGS", f"{flags} {_FLAGS.format(os.path.join(self._path, *self._shared, live))}".strip())
        return True

    def take_over(self):
        """Keeps what this process has compiled, and removes its folder."""
        if self._live is None:
            return
        with _Folder(self._path, *self._shared) as shared, _Folder(self._path, *self._shared, self._live) as own:
            known = {name.partition("-")[2] for name in os.listdir(shared)}
            for name in os.listdir(own):
                checksum = _checksum(name, own) if name.endswith(".pb") and name not in known else None
                if checksum is not None:
                    os.rename(name, f"{checksum}-{name}", src_dir_fd=own, dst_dir_fd=shared)
            _remove(self._live, shared)
        self._live = None

    def forget(self):
        """In a forked child: the folder is the parent's."""
        self._live = None


class _Folder:
    """The descriptor of a folder below the cache directory, made where it is not there; closed at the end."""

    def __init__(self, path, *names):
        self._number = open_below(path, *names, make=True)

    def __enter__(self):
        return self._number

    def __exit__(self, *error):
        os.close(self._number)


def _link(name, shared, own):
    checksum, _, plain = name.partition("-")
    if plain and _checksum(name, shared) == checksum:
        os.link(name, plain, src_dir_fd=shared, dst_dir_fd=own, follow_symlinks=False)
    else:
        os.unlink(name, dir_fd=shared)


def _remove_abandoned(shared):
    for name in os.listdir(shared):
        if name.startswith(_LIVE) and not os.path.exists(f"/proc/{name[len(_LIVE):]}"):
            _remove(name, shared)


def _remove(name, shared):
    """Removes a process's folder with its files; one that holds anything else stays."""
    try:
        folder = open_folder(name, shared)
        try:
            for each in os.listdir(folder):
                os.unlink(each, dir_fd=folder)
        finally:
            os.close(folder)
        os.rmdir(name, dir_fd=shared)
    except (OSError, Unsafe):
        pass


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
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if line.startswith(("flags", "Features", "model name", "CPU part")):
                    words.append(line)
                elif not line.strip():
                    break
    except OSError:
        pass
    return "".join(words)


def _checksum(name, folder):
    """Of a regular file of this user's; None where it is none."""
    try:
        with open_regular(name, os.O_RDONLY, folder) as file, open(os.dup(file.number()), "rb") as content:
            return hashlib.sha256(content.read()).hexdigest()[:32]
    except OSError:
        return None
