"""What surrounds a program of `zoo/slow` where its cause lies outside of it, made as a user would meet it.

Each function takes the interpreter that has TensorFlow, the program and a folder of its own, and gives a `Start`; what it made outside of
that folder is gone afterwards. Where the machine does not allow it, it raises Unavailable, with what is missing.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

QUOTA_GROUPS = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")  # of the kernel's first interface, and of the second
PERIOD_US, QUOTA_US = 100_000, 40_000
DISK_GROUP = Path("/sys/fs/cgroup/blkio")
BYTES_A_SECOND = 100_000_000
UNREACHABLE = """
set -e
ip link set lo up
ip route add 169.254.0.0/16 dev lo
ip route add 192.0.2.0/24 dev lo
printf 'nameserver 192.0.2.53\\noptions timeout:1 attempts:2\\n' >"$1"
mount --bind "$1" /etc/resolv.conf
shift
exec "$@"
"""  # a network of its own, in which nobody answers
SLOW_HOOK = "import time; time.sleep(0.8)  # as a tool that asks its server whether it may run\n"
PANDAS = """
import time


class DataFrame:
    pass


class Series:
    pass


until = time.process_time() + 0.6
while time.process_time() < until:
    pass
"""


class Unavailable(Exception):
    """This machine lacks what a circumstance is made of."""


@dataclass(frozen=True)
class Start:
    """before: words before the whole command; python: the program's interpreter; environment: what is added to the caller's; again: to be
    called before each run, for what a run takes away."""

    python: str
    before: tuple[str, ...] = ()
    environment: dict = field(default_factory=dict)
    again: Callable[[], None] = lambda: None


@cache
def packages_of(python):
    """The folder of an interpreter's packages."""
    ask = "import sysconfig; print(sysconfig.get_path('platlib'))"
    return Path(subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip())


def run_once(python, program, **environment):
    """The program as it is, for what it leaves behind."""
    subprocess.run([python, str(program)], check=True, capture_output=True, env={**os.environ, **environment}, timeout=900)


@contextmanager
def nothing_special(python, program, folder):
    yield Start(python, environment={"ZOO_DATA": str(folder)})


@contextmanager
def files_made_before(python, program, folder):
    """What a program makes when it is first wanted is there."""
    run_once(python, program, ZOO_DATA=str(folder))
    yield Start(python, environment={"ZOO_DATA": str(folder)})


@contextmanager
def libraries_made_before(python, program, folder):
    if not shutil.which("cc"):
        raise Unavailable("needs a C compiler")
    with files_made_before(python, program, folder) as start:
        yield start


@contextmanager
def no_bytecode(python, program, folder):
    """As in an image that was built without."""
    yield Start(python, environment={"PYTHONPYCACHEPREFIX": str(folder / "pycache"), "PYTHONDONTWRITEBYTECODE": ""})


@contextmanager
def bytecode_switched_off(python, program, folder):
    yield Start(python, environment={"PYTHONPYCACHEPREFIX": str(folder / "pycache"), "PYTHONDONTWRITEBYTECODE": "1"})


@contextmanager
def outdated_bytecode(python, program, folder):
    """As after a deployment that gave every source file another time than its bytecode knows."""
    cache = {"PYTHONPYCACHEPREFIX": str(folder / "pycache"), "PYTHONDONTWRITEBYTECODE": ""}
    run_once(python, program, **cache)

    def again():
        for path in (folder / "pycache").rglob("*.pyc"):
            whole = path.read_bytes()
            path.write_bytes(whole[:8] + bytes(4) + whole[12:])

    yield Start(python, environment=cache, again=again)


@contextmanager
def bytecode_without_times(python, program, folder):
    """As `compileall --invalidation-mode unchecked-hash` makes it when an image is built."""
    cache = {"PYTHONPYCACHEPREFIX": str(folder / "pycache"), "PYTHONDONTWRITEBYTECODE": ""}
    run_once(python, program, **cache)
    for path in (folder / "pycache").rglob("*.pyc"):
        whole = path.read_bytes()
        path.write_bytes(whole[:4] + (1).to_bytes(4, "little") + whole[8:])
    yield Start(python, environment=cache)


@contextmanager
def slow_hook(python, program, folder):
    """An environment in which some tool has put a `.pth` file."""
    python = environment_of_its_own(python, folder)
    (packages_of(python) / "licence_hook.pth").write_text(SLOW_HOOK)
    yield Start(python)


@contextmanager
def pandas_beside(python, program, folder):
    """An environment in which pandas is installed for something else: one that takes as long to import, and has what Keras asks it for."""
    python = environment_of_its_own(python, folder)
    place = packages_of(python) / "pandas"
    place.mkdir()
    (place / "__init__.py").write_text(PANDAS)
    yield Start(python)


@contextmanager
def real_pandas_beside(python, program, folder):
    """pandas itself, as the package index has it."""
    own = environment_of_its_own(python, folder)
    wanted = ("pandas", "python-dateutil", "pytz", "tzdata", "six")
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--target", str(packages_of(own)), *wanted], check=True)
    yield Start(own)


def environment_of_its_own(python, folder):
    """Its Python: it has all that the tests' program has, and whatever is put into it."""
    subprocess.run([python, "-m", "venv", "--without-pip", str(folder / "env")], check=True)
    own = str(folder / "env/bin/python")
    (packages_of(own) / "others.pth").write_text(f"{packages_of(python)}\n")
    return own


@contextmanager
def tensorboard(python, program, folder):
    if subprocess.run([python, "-c", "import tensorboard"], capture_output=True).returncode:
        raise Unavailable("needs TensorBoard, which TensorFlow does not bring along everywhere")
    yield Start(python)


@contextmanager
def older_python(python, program, folder):
    """The one that FIRSTSTEP_BENCH_OLDER_PYTHON names, with the same TensorFlow."""
    if "FIRSTSTEP_BENCH_OLDER_PYTHON" not in os.environ:
        raise Unavailable("needs an older Python that has TensorFlow, named by FIRSTSTEP_BENCH_OLDER_PYTHON")
    yield Start(os.environ["FIRSTSTEP_BENCH_OLDER_PYTHON"])


@contextmanager
def one_cpu(python, program, folder):
    """As `docker run --cpuset-cpus` gives."""
    yield Start(python, before=("taskset", "-c", str(min(os.sched_getaffinity(0)))))


@contextmanager
def quota(python, program, folder):
    """A control group of less than one CPU, as `docker run --cpus 0.4` makes."""
    base = next(filter(_can_bound, QUOTA_GROUPS), None)
    if base is None:
        raise Unavailable("needs a control group for CPU time that may be written")
    with group(base) as made:
        if (made / "cpu.max").exists():
            (made / "cpu.max").write_text(f"{QUOTA_US} {PERIOD_US}")
        else:
            (made / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (made / "cpu.cfs_quota_us").write_text(str(QUOTA_US))
        yield Start(python, before=joining(made))


def _can_bound(base):
    known = (base / "cpu.cfs_quota_us").exists() or "cpu" in _read(base / "cgroup.subtree_control").split()
    return known and os.access(base, os.W_OK)


def _read(path):
    return path.read_text() if path.exists() else ""


@contextmanager
def nobody_answers(python, program, folder):
    """As in a company's network that lets nothing out: packets get lost, and every question waits for its time-out."""
    before = ("unshare", "-rnm", "sh", "-c", UNREACHABLE, "sh", str(folder / "resolv.conf"))
    tried = subprocess.run([*before, "true"], capture_output=True) if shutil.which("unshare") and shutil.which("ip") else None
    if tried is None or tried.returncode:
        raise Unavailable("needs a network of its own (unshare)")
    yield Start(python, before=before)


@contextmanager
def cold_files(python, program, folder):
    """As after a boot on a small machine of a cloud: nothing of the interpreter's packages is in memory."""
    packages = packages_of(python)
    with slow_disk(packages) as before:
        yield Start(python, before=before, again=lambda: forget(packages))


@contextmanager
def cold_data(python, program, folder):
    """The program's files are there, on such a disk, and not in memory."""
    run_once(python, program, ZOO_DATA=str(folder))
    with slow_disk(folder) as before:
        yield Start(python, before=before, environment={"ZOO_DATA": str(folder)}, again=lambda: forget(folder))


@contextmanager
def named_in_hosts(python, program, folder):
    """The same network, where `/etc/hosts` knows the name that the program asks for."""
    with nobody_answers(python, program, folder) as start:
        hosts = folder / "hosts"
        hosts.write_text("127.0.0.1 localhost\n192.0.2.7 models.registry.example.org\n")
        yield replace(start, before=(*start.before, "sh", "-c", 'mount --bind "$1" /etc/hosts; shift; exec "$@"', "sh", str(hosts)))


@contextmanager
def slow_disk(folder):
    """Words before a command that reads the disk of a folder at BYTES_A_SECOND, as a small volume gives."""
    if not os.access(DISK_GROUP / "blkio.throttle.read_bps_device", os.W_OK):
        raise Unavailable("needs a control group for disks that may be written")
    device = os.stat(folder).st_dev
    with group(DISK_GROUP) as made:
        (made / "blkio.throttle.read_bps_device").write_text(f"{os.major(device)}:{os.minor(device)} {BYTES_A_SECOND}")
        yield joining(made)


def forget(folder):
    """Has the kernel drop the files below a folder from memory."""
    os.sync()
    for path in folder.rglob("*"):
        if path.is_file():
            with open(path, "rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


@contextmanager
def group(base):
    """A control group of our own below another."""
    made = base / f"zoo-{os.getpid()}"
    made.mkdir()
    try:
        yield made
    finally:
        for left in (made / "cgroup.procs").read_text().split():
            (base / "cgroup.procs").write_text(left)
        made.rmdir()


def joining(group):
    """Words before a command that has it run in that control group."""
    return "sh", "-c", f'echo $$ >{group}/cgroup.procs; exec "$@"', "sh"


def around(program, cause):
    """What surrounds a program: what shows its cause, the files that it loads, or nothing special."""
    loads = "make_models" in program.read_text()
    return AROUND.get(cause, files_made_before if loads else nothing_special)


AROUND = {  # cause -> what surrounds its program
    "cloud-metadata-lookup": nobody_answers,
    "cold-page-cache": cold_files,
    "cold-weights": cold_data,
    "custom-op-library": libraries_made_before,
    "library-opened-in-vain": libraries_made_before,
    "missing-bytecode": no_bytecode,
    "profiler-in-first-steps": tensorboard,
    "optional-imports": pandas_beside,
    "slow-interpreter-start": slow_hook,
    "slow-name-lookup": nobody_answers,
    "stale-bytecode": outdated_bytecode,
    "throttled-by-quota": quota,
    "too-few-cpus": one_cpu,
    "unwritable-bytecode": bytecode_switched_off,
}
