"""What the driver compiled is told by what its cache gained, in the folder that the program's own environment names."""

import json
import os
import time

from firststep.launch.kernel_cache import kept_since


def part(**environment):
    return "header\n" + json.dumps(["gpu", {"build": {}, "environment": environment}], separators=(",", ":")) + "\n"


def cache(folder, **ages_s):
    """A folder with kernels of 1,000 bytes that were written so many seconds ago."""
    (folder / "3" / "a").mkdir(parents=True)
    for name, age_s in ages_s.items():
        place = folder / name if name == "index" else folder / "3" / "a" / name
        place.write_bytes(bytes(1000))
        os.utime(place, (time.time() - age_s,) * 2)
    return str(folder)


A_MINUTE_AGO = time.time_ns() - 60 * 10**9


def test_what_was_written_since_is_counted(tmp_path):
    assert kept_since([part(CUDA_CACHE_PATH=cache(tmp_path, new=1, newer=0, old=3600))], A_MINUTE_AGO) == 2000


def test_the_index_changes_when_kernels_are_read(tmp_path):
    assert kept_since([part(CUDA_CACHE_PATH=cache(tmp_path, index=0, old=3600))], A_MINUTE_AGO) == 0


def test_nothing_is_known_where_nothing_is_kept(tmp_path, monkeypatch):
    folder = cache(tmp_path / "there", new=0)
    assert kept_since([part(CUDA_CACHE_PATH=str(tmp_path / "not there"))], A_MINUTE_AGO) is None
    assert kept_since([part(CUDA_CACHE_PATH=folder, CUDA_CACHE_DISABLE="1")], A_MINUTE_AGO) is None
    assert kept_since([part(CUDA_CACHE_PATH=folder, CUDA_CACHE_DISABLE="0")], A_MINUTE_AGO) == 1000
    monkeypatch.setenv("HOME", str(tmp_path))
    assert kept_since([part()], A_MINUTE_AGO) is None


def test_the_drivers_own_folder_and_torn_parts(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    cache(tmp_path / ".nv" / "ComputeCache", new=0)
    for torn in ('["gpu",{"build":', '["gpu",{}]', '["gpu",[1]]', '["gpu",7]', '["gpu",{"environment":"x"}]'):
        assert kept_since([torn], A_MINUTE_AGO) == 1000
