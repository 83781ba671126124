"""The zoo holds real programs: they parse, know nothing of the tool, are described, and run."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from programs import can_import

ZOO = Path(__file__).resolve().parents[2] / "zoo"
FILES = sorted(path.relative_to(ZOO).as_posix() for path in ZOO.rglob("*.py"))
# A leading underscore marks a module that programs import; make_models only makes their files.
PROGRAMS = [name for name in FILES if not Path(name).name.startswith("_") and name != "make_models.py"]
NAMED_IN_README = re.compile(r"^\| `([^`]+\.py)`", re.MULTILINE)
SECONDS_ALLOWED = 900
NEEDS = {"slow/profiler_in_first_steps.py": "tensorboard"}  # libraries that TensorFlow does not bring along everywhere


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("zoo-data")


@pytest.mark.parametrize("name", FILES)
def test_compiles(name: str) -> None:
    compile((ZOO / name).read_text(encoding="utf-8"), name, "exec")


@pytest.mark.parametrize("name", FILES)
def test_knows_nothing_of_the_tool(name: str) -> None:
    assert "firststep" not in (ZOO / name).read_text(encoding="utf-8").lower()


def test_readme_lists_exactly_the_programs() -> None:
    listed = NAMED_IN_README.findall((ZOO / "README.md").read_text(encoding="utf-8"))
    assert set(listed) == set(PROGRAMS)


@pytest.mark.suite
@pytest.mark.tensorflow
@pytest.mark.parametrize("name", PROGRAMS)
def test_runs(name: str, target: str, model_folder: Path, tmp_path: Path) -> None:
    library = NEEDS.get(name)
    if library is not None and not can_import(library):
        pytest.skip(f"needs {library}, which TensorFlow does not bring along everywhere")
    ended = subprocess.run(
        [target, str(ZOO / name)],
        cwd=tmp_path,
        env={**os.environ, "ZOO_DATA": str(model_folder)},
        capture_output=True,
        text=True,
        timeout=SECONDS_ALLOWED,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert ended.stdout.strip()
