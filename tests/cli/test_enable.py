"""What `firststep enable` keeps is its user's alone."""

import os
import subprocess

import pytest
from programs import FIRSTSTEP


@pytest.mark.parametrize("umask", [0o022, 0o000])
def test_folders_and_files_are_private(tmp_path, umask):
    (tmp_path / "v/lib/python3.11/site-packages").mkdir(parents=True)
    environment = {**os.environ, "FIRSTSTEP_CACHE": str(tmp_path / "cache")}
    for _ in range(2):
        subprocess.run([*FIRSTSTEP, "enable", str(tmp_path / "v")], env=environment, check=True, capture_output=True, umask=umask)
        kept = tmp_path / "cache/enabled"
        modes = {path.name: path.stat().st_mode & 0o777 for path in (kept, *kept.rglob("*"))}
        assert modes.pop("plan.json") == 0o600
        assert len(modes) == 3 and set(modes.values()) == {0o700}
        for folder in (kept, *kept.iterdir()):
            folder.chmod(0o755)  # as older versions left them
