"""A virtual environment whose every run is boosted: one `.pth` file in its site-packages, and the plan it names."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import firststep_agent
from firststep import exit_codes
from firststep.boost.compose import boost_plan
from firststep.cache.enabled_parts import remove_parts
from firststep.cache.place import ENABLED, VARIABLE, cache_refused, cache_root
from firststep.errors import FirststepError, reason_of
from firststep.launch.private_file import write_private

NAME = "firststep-boost.pth"
WAY_IN = Path(firststep_agent.__file__).parent / "boost" / "way_in.py"
OLDEST = (3, 9)  # Python that the agent works in
# Says nothing and fails nowhere: not where a file that is left open, or text without a named encoding, is warned of, nor for a user
# who may not read the file. In ASCII: `site` reads it in the locale's encoding.
_START = """
try:
    with open({way_in!a}, 'rb') as file:
        code = compile(file.read(), {way_in!a}, 'exec')
except OSError:
    pass
else:
    exec(code, {{'PLAN': {plan!a}}})
"""


def enable(environment: Path | None) -> list[Path]:
    """Writes the `.pth` file of each site-packages. Returns them. Raises FirststepError."""
    written = []
    for folder in _site_packages(environment, "enable"):
        if _python(folder) < OLDEST:
            raise FirststepError(f"{folder} is for a Python that cannot be boosted", "3.9 is the oldest that can",
                                 "enable an environment of a newer Python", exit_codes.USAGE)
        plan = _write_plan(folder)
        path = folder / NAME
        try:
            path.write_text(f"import os; exec({_START.format(way_in=str(WAY_IN), plan=str(plan))!a}, {{}})\n", encoding="ascii")
        except OSError as error:
            raise FirststepError(f"cannot write {path}", reason_of(error),
                                 "enable an environment of your own", exit_codes.CANNOT_WRITE) from error
        written.append(path)
    return written


def disable(environment: Path | None) -> list[Path]:
    """Removes what enable() wrote, and what the runs since have left. Returns the `.pth` files removed. Raises FirststepError."""
    removed = []
    for folder in _site_packages(environment, "disable"):
        path = folder / NAME
        try:
            path.unlink()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise FirststepError(f"cannot remove {path}", reason_of(error), f"remove it yourself: rm {path}",
                                 exit_codes.CANNOT_WRITE) from error
        removed.append(path)
        _forget(_session(folder))
    return removed


def _forget(session: Path) -> None:
    """Takes away what was ours in an environment's folder, and the folder where that was all."""
    remove_parts(session)
    try:
        (session / "plan.json").unlink(missing_ok=True)
        (session / "parts").rmdir()
        session.rmdir()
    except OSError:
        return


def _session(site_packages: Path) -> Path:
    """The folder of an enabled environment: its plan, and a part of a trace of each run."""
    return cache_root() / ENABLED / hashlib.sha256(str(site_packages).encode()).hexdigest()[:16]


def _write_plan(folder: Path) -> Path:
    """The plan, in a session folder of the environment's own; no tool listens, and children start by themselves."""
    if refused := cache_refused():
        raise FirststepError(refused, "", f"set {VARIABLE} to a directory of your own", exit_codes.CANNOT_WRITE)
    session = _session(folder)
    for private in (session.parent, session, session / "parts"):  # one by one: `parents` makes those above as the umask wants them
        private.mkdir(mode=0o700, exist_ok=True)
        private.chmod(0o700)  # older versions left them open
    plan = boost_plan().but(observe=("steps",), follow=False)
    path = session / "plan.json"
    write_private(path, json.dumps(plan.document(str(session))).encode(), VARIABLE)
    return path


def _python(folder: Path) -> tuple[int, ...]:
    """(3, 11) of `…/lib/python3.11/site-packages`."""
    return tuple(int(part) for part in folder.parent.name.removeprefix("python").rstrip("t").split("."))


def _site_packages(environment: Path | None, verb: str) -> list[Path]:
    named = environment or (Path(os.environ["VIRTUAL_ENV"]) if "VIRTUAL_ENV" in os.environ else None)
    if named is None:
        raise FirststepError("no virtual environment is active", "", f"name one: firststep {verb} PATH",
                             exit_codes.USAGE)
    found = sorted(named.absolute().glob("lib/python3.*/site-packages"))
    if not found:
        raise FirststepError(f"{named} is not a virtual environment", "it has no lib/python3.*/site-packages",
                             "name the folder that `python -m venv` made", exit_codes.USAGE)
    return found
