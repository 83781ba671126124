"""The cache's folder is this user's, and nobody else can put another in its place."""

import os
import pwd
from types import SimpleNamespace

import pytest

from firststep.cache.place import cache_refused, cache_root
from firststep.user_folders import cache_folder, state_folder


@pytest.fixture
def cache(tmp_path, monkeypatch):
    path = tmp_path / "above" / "cache"
    path.mkdir(parents=True, mode=0o700)
    monkeypatch.setenv("FIRSTSTEP_CACHE", str(path))
    return path


@pytest.mark.parametrize(("named", "used"), [
    (None, ("home/.cache", "home/.local/state")), ("", ("home/.cache", "home/.local/state")), ("{}/x", ("x", "x")),
    ("relative", ("home/.cache", "home/.local/state")),
])
def test_the_users_own_folders(tmp_path, monkeypatch, named, used):
    """As the XDG base directory specification says, which wants relative paths to be ignored."""
    monkeypatch.delenv("FIRSTSTEP_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(variable, raising=False)
        if named is not None:
            monkeypatch.setenv(variable, named.format(tmp_path))
    assert [str(cache_root()), state_folder()] == [f"{tmp_path}/{folder}/firststep" for folder in used]
    assert cache_root().stat().st_mode & 0o777 == 0o700 and cache_refused() is None


@pytest.mark.parametrize("home", [None, "", "relative"])
@pytest.mark.parametrize("registered", ["/registered", ""])
def test_who_has_no_home_of_an_absolute_path(monkeypatch, home, registered):
    """A container's user may be one that nobody has registered: nothing is made in the folder that it works in."""
    def entry(uid):
        if not registered:
            raise KeyError(uid)
        return SimpleNamespace(pw_dir=registered)

    monkeypatch.setattr(pwd, "getpwuid", entry)
    for variable in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    if home is not None:
        monkeypatch.setenv("HOME", home)
    own = f"/tmp/firststep-{os.getuid()}"
    expected = ["/registered/.cache/firststep", "/registered/.local/state/firststep"] if registered else [own + "-cache", own + "-state"]
    assert [cache_folder(), state_folder()] == expected


@pytest.mark.parametrize("ending", ["", "/", "/.", "//"])
def test_a_folder_that_is_named_is_made_private(tmp_path, monkeypatch, ending):
    monkeypatch.setenv("FIRSTSTEP_CACHE", f"above/cache{ending}")
    assert cache_root() == tmp_path / "above/cache"
    assert cache_root().stat().st_mode & 0o777 == 0o700


def test_a_folder_of_ones_own_is_used(cache):
    assert cache_refused() is None


@pytest.mark.parametrize(("mode", "refused"), [(0o700, False), (0o755, False), (0o777, True), (0o1777, False), (0o757, True)])
def test_a_folder_above_that_others_can_write(cache, mode, refused):
    cache.parent.chmod(mode)
    said = cache_refused()
    assert bool(said) == refused
    assert not refused or "can be written by others: chmod go-w" in said


def test_a_folder_above_that_is_a_link_is_looked_at_where_it_leads(cache, tmp_path, monkeypatch):
    cache.parent.chmod(0o777)
    (tmp_path / "link").symlink_to(cache.parent)
    monkeypatch.setenv("FIRSTSTEP_CACHE", str(tmp_path / "link" / "cache"))
    assert "can be written by others" in cache_refused()


@pytest.mark.parametrize(("mode", "advice"), [(0o777, "chmod 700"), (0o1777, "set FIRSTSTEP_CACHE to a directory of your own")])
def test_nobody_is_told_to_close_what_is_everybodys(cache, mode, advice):
    cache.chmod(mode)
    assert f"can be written by others: {advice}" in cache_refused()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_above_of_another_user(cache):
    os.chown(cache.parent, 12345, 12345)
    assert "belongs to another user" in cache_refused()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_group_with_other_members(cache):
    os.chown(cache.parent, 0, 12345)
    cache.parent.chmod(0o775)
    assert "can be written by others" in cache_refused()
