"""Traces that nobody named are kept in a folder of ours, the newest of them; what the user keeps there is the user's."""

import pytest

from firststep.launch import store


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    store.folder().mkdir(parents=True)
    return store.folder()


def test_the_newest_are_kept_and_what_is_not_ours_stays(folder):
    theirs = [folder / name for name in ("0-before.trace", "baseline.trace", "20200101-000000-7.trace.gz", "20200101-000000.trace", "x")]
    for path in theirs:
        path.write_text("theirs")
    (folder / "20190101-000000-1.trace").mkdir()
    for second in range(store.KEPT + 5):
        store.save_trace("text", folder / f"20260101-0000{second:02}-1.trace")
    kept = sorted(path.name for path in folder.glob("2026*"))
    assert kept == [f"20260101-0000{second:02}-1.trace" for second in range(5, store.KEPT + 5)]
    assert {path.read_text() for path in theirs} == {"theirs"}
    assert store.newest() == folder / kept[-1]


def test_what_is_given_a_place_is_ours(folder):
    store.save_trace("text", store.place(None))
    assert store.newest() is not None and store.newest().read_text() == "text"
