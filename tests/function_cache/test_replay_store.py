"""Entries on disk: whole or not there."""

import os
import stat

import pytest

from firststep_agent.boost.cache_functions.keep import entries

KEY = "ab" * 16


def kept(tmp_path, content=b"graph"):
    found = entries.Store(str(tmp_path / "s"))
    path = found.write(KEY, entries.Entry({"function": "f", "n": 1}, {"library": content, "origins": b"\x00\x01"}))
    return found, path


def test_what_was_written_comes_back(tmp_path):
    found, _ = kept(tmp_path)
    (entry,) = found.candidates(KEY)
    assert entry.header == {"function": "f", "n": 1, "key": KEY}
    assert entry.blobs == {"library": b"graph", "origins": b"\x00\x01"}


def test_an_entry_is_private(tmp_path):
    _, path = kept(tmp_path)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    for folder in (os.path.dirname(path), os.path.dirname(os.path.dirname(path))):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700


def test_any_flipped_byte_makes_it_no_entry(tmp_path):
    found, path = kept(tmp_path)
    whole = open(path, "rb").read()
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 0x41
        open(path, "wb").write(damaged)
        assert list(found.candidates(KEY)) == [], at


def test_any_truncation_makes_it_no_entry(tmp_path):
    found, path = kept(tmp_path)
    whole = open(path, "rb").read()
    for length in range(len(whole)):
        open(path, "wb").write(whole[:length])
        assert list(found.candidates(KEY)) == [], length


def test_a_quarantined_entry_is_never_used_again(tmp_path):
    found, path = kept(tmp_path)
    (entry,) = found.candidates(KEY)
    found.quarantine(entry)
    assert list(found.candidates(KEY)) == []
    assert os.path.exists(path)


def test_what_proofs_have_shown_is_kept_beside_the_entry(tmp_path):
    found, path = kept(tmp_path)
    (entry,) = found.candidates(KEY)
    assert found.trust(entry) == entries.Trust()
    found.set_trust(entry, entries.Trust(confirmed=True, proved=3, varies=["__main__.args"]))
    assert entries.Store(str(tmp_path / "s")).trust(entry) == entries.Trust(confirmed=True, proved=3, varies=["__main__.args"])
    beside = path.replace(entries.SUFFIX, entries.TRUST)
    assert stat.S_IMODE(os.stat(beside).st_mode) == 0o600
    for damaged in (b"", b"[]", b'{"confirmed": true, "unknown": 1}', b"\xff"):
        open(beside, "wb").write(damaged)
        assert not found.trust(entry).confirmed


def test_a_key_keeps_its_newest_entries(tmp_path):
    found = entries.Store(str(tmp_path / "s"))
    for number in range(entries.PER_KEY + 3):
        path = found.write(KEY, entries.Entry({"n": number}, {}))
        found.set_trust(entries.Entry({}, {}, path), entries.Trust())
        os.utime(path, ns=(number, number))
    found.write(KEY, entries.Entry({"n": "last"}, {}))
    numbers = [entry.header["n"] for entry in found.candidates(KEY)]
    assert len(numbers) == entries.PER_KEY
    assert "last" in numbers and 0 not in numbers
    assert len([name for name in os.listdir(tmp_path / "s" / KEY) if name.endswith(entries.TRUST)]) == entries.PER_KEY - 1


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    found = entries.Store(str(tmp_path / "s"))

    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError):
        found.write(KEY, entries.Entry({}, {"library": b"x"}))
    assert os.listdir(tmp_path / "s" / KEY) == []


def test_collection_removes_the_least_recently_used_and_what_the_dead_left(tmp_path, monkeypatch):
    found = entries.Store(str(tmp_path / "s"))
    paths = [found.write(KEY[:-1] + str(n), entries.Entry({"n": n}, {"library": bytes(1000)})) for n in range(4)]
    for age, path in enumerate(paths):
        os.utime(path, ns=(age, age))
    left = paths[0] + ".999999999.tmp"
    open(left, "wb").close()
    monkeypatch.setattr(entries, "WHOLE", 2500)
    found.collect()
    assert [os.path.exists(p) for p in paths] == [False, False, True, True]
    assert not os.path.exists(left)
