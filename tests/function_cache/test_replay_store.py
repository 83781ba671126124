"""Entries of functions on disk: whole or not there."""

import multiprocessing
import os
import stat
from types import SimpleNamespace

import pytest
from replay_harness import set_trust

from firststep_agent import as_found
from firststep_agent.boost.cache_functions.keep import entries
from firststep_agent.boost.cache_functions.keep.header import TRACED, Header, NotAHeader
from firststep_agent.boost.store import SUFFIX, TRUST

KEY = "ab" * 16


def key(number=KEY):
    return SimpleNamespace(hex=number, ingredients={"code": number})


def kept(tmp_path, content=b"graph"):
    (tmp_path / "s").mkdir(mode=0o700)
    found = entries.Functions(str(tmp_path / "s"))
    entry = entries.FunctionEntry(Header("f", results=1, form=TRACED), {"library": content, "origins": b"\x00\x01"})
    found.write(key(), entry)
    return found, path_of(tmp_path, entry)


def path_of(tmp_path, entry, suffix=SUFFIX):
    return tmp_path / "s" / "cache-functions" / entry.key / (entry.name + suffix)


def test_what_was_written_comes_back(tmp_path):
    found, _ = kept(tmp_path)
    (entry,) = found.candidates(KEY)
    assert entry.header == Header("f", results=1, form=TRACED)
    assert entry.blobs == {"library": b"graph", "origins": b"\x00\x01"}
    assert entry.key == KEY


def test_what_is_learned_twice_is_one_file(tmp_path):
    found, path = kept(tmp_path)
    found.write(key(), entries.FunctionEntry(Header("f", trace_ns=5, results=1, form=TRACED), {"library": b"graph", "origins": b"\x02"}))
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_an_entry_and_what_lies_beside_it_are_private(tmp_path):
    found, path = kept(tmp_path)
    (entry,) = found.candidates(KEY)
    set_trust(found, entry, entries.Trust(confirmed=True))
    for file in path.parent.iterdir():
        assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    for folder in (path.parent, path.parent.parent):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700


def test_any_flipped_byte_makes_it_no_entry(tmp_path):
    found, path = kept(tmp_path)
    whole = path.read_bytes()
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 0x41
        path.write_bytes(damaged)
        assert list(found.candidates(KEY)) == [], at


def test_a_damaged_entry_is_removed_when_it_is_met(tmp_path):
    found, path = kept(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert list(found.candidates(KEY)) == [] and not path.exists()


def test_any_truncation_makes_it_no_entry(tmp_path):
    found, path = kept(tmp_path)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert list(found.candidates(KEY)) == [], length


def test_an_entry_under_another_key_is_none(tmp_path):
    found, path = kept(tmp_path)
    path.parent.rename(path.parent.with_name("cd" * 16))
    assert list(found.candidates("cd" * 16)) == []


def test_an_entry_that_a_link_leads_to_is_none(tmp_path):
    found, path = kept(tmp_path)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert list(found.candidates(KEY)) == []


def test_an_entry_of_another_format_is_none(tmp_path, monkeypatch):
    found, _ = kept(tmp_path)
    monkeypatch.setattr(entries, "FORMAT", entries.FORMAT + 1)
    assert list(found.candidates(KEY)) == []


def test_a_quarantined_entry_is_never_used_again(tmp_path):
    found, path = kept(tmp_path)
    (entry,) = found.candidates(KEY)
    found.quarantine(entry)
    assert list(found.candidates(KEY)) == []
    assert path.exists()


def test_what_proofs_have_shown_is_kept_beside_the_entry(tmp_path):
    found, _ = kept(tmp_path)
    (entry,) = found.candidates(KEY)
    assert found.trust(entry) == entries.Trust()
    trust = entries.Trust(confirmed=True, proved=3, last=5.5, varies=["__main__.args"])
    set_trust(found, entry, trust)
    assert entries.Functions(str(tmp_path / "s")).trust(entry) == trust
    beside = path_of(tmp_path, entry, TRUST)
    whole = beside.read_bytes()
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 0x41
        beside.write_bytes(damaged)
        assert not found.trust(entry).confirmed, at


def proved_often(place, entry, times):
    found = entries.Functions(place)

    def change(trust):
        trust.proved += 1
        trust.doubt([str(os.getpid())])

    for _ in range(times):
        assert found.change_trust(entry, change) is None


def test_what_processes_find_out_at_once_is_all_kept(tmp_path):
    found, _ = kept(tmp_path)
    (entry,) = found.candidates(KEY)
    fork = multiprocessing.get_context("fork")
    others = [fork.Process(target=proved_often, args=(str(tmp_path / "s"), entry, 50)) for _ in range(4)]
    for each in others:
        each.start()
    for each in others:
        each.join()
    trust = found.trust(entry)
    assert trust.proved == 200 and len(trust.doubted) == 4


def answered(tmp_path, store, ends):
    """A process that answers from the one entry, and has a verdict or none when it ends."""
    pid = os.fork()
    if not pid:
        try:
            (entry,) = store.candidates(KEY)
            assert store.answers(entry) is None
            if ends:
                store.has_verdict(entry)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


def test_each_of_several_that_answer_at_once_counts_for_itself(tmp_path):
    found, path = kept(tmp_path)
    (mine,), (again,) = found.candidates(KEY), found.candidates(KEY)
    assert found.answers(mine) is None and found.answers(again) is None
    answered(tmp_path, found, ends=True)
    assert not found.was_left(mine)
    answered(tmp_path, found, ends=False)
    found.has_verdict(mine)
    assert found.was_left(again)
    found.is_shown(again)
    assert not found.was_left(again) and len(list(path.parent.glob("*.answering"))) == 1  # who answers still
    found.has_verdict(again)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_note_that_is_damaged_is_one_of_a_killed_process(tmp_path):
    found, path = kept(tmp_path)
    (entry,) = found.candidates(KEY)
    found.answers(entry)
    (note,) = path.parent.glob("*.answering")
    note.write_bytes(b"")
    assert found.was_left(entry)


def test_proofs_of_another_entry_are_not_this_ones(tmp_path):
    found, _ = kept(tmp_path)
    (entry,) = found.candidates(KEY)
    other = entries.FunctionEntry(Header("g", form=TRACED), {})
    found.write(key(), other)
    set_trust(found, other, entries.Trust(confirmed=True))
    path_of(tmp_path, other, TRUST).rename(path_of(tmp_path, entry, TRUST))
    assert not found.trust(entry).confirmed


def test_a_key_keeps_its_newest_entries(tmp_path):
    found, first = kept(tmp_path)
    first.unlink()
    for number in range(entries.PER_KEY + 3):
        entry = entries.FunctionEntry(Header("f", results=number, form=TRACED), {})
        found.write(key(), entry)
        set_trust(found, entry, entries.Trust())
        assert found.answers(entry) is None
        os.utime(path_of(tmp_path, entry), ns=(number, number))
    found.write(key(), entries.FunctionEntry(Header("f", results=99, form=TRACED), {}))
    numbers = [entry.header.results for entry in found.candidates(KEY)]
    assert len(numbers) == entries.PER_KEY
    assert 99 in numbers and 0 not in numbers
    assert len(list(first.parent.glob(f"*{TRUST}"))) == len(list(first.parent.glob("*.answering"))) == entries.PER_KEY - 1


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    found, path = kept(tmp_path)

    def full(source, target, **folders):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(as_found.os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        found.write(key(), entries.FunctionEntry(Header("f", form=TRACED), {"library": b"x"}))
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_pruning_removes_the_least_recently_used_and_what_the_dead_left(tmp_path, monkeypatch):
    found, first = kept(tmp_path)
    first.unlink()
    paths = []
    for number in range(4):
        entry = entries.FunctionEntry(Header("f", results=number, form=TRACED), {"library": bytes(1000)})
        found.write(key(KEY[:-1] + str(number)), entry)
        paths.append(path_of(tmp_path, entry))
    for age, path in enumerate(paths):
        os.utime(path, ns=(age, age))
    left = paths[0].with_name(f".{'ab' * 16}.999999999.1.tmp")
    left.touch()
    os.utime(left, ns=(0, 0))
    monkeypatch.setattr(entries, "WHOLE", 3500)
    found.prune()
    assert [path.exists() for path in paths] == [False, False, True, True]
    assert not left.exists()


@pytest.mark.parametrize("data", [
    b"", b"[]", b"{}", b'{"function": 3}', b'{"function": "f", "form": "another"}', b'{"function": "f", "form": "traced", "names": []}',
    b'{"function": "f", "form": "traced", "unheard": 1}', b'{"function": "f", "form": "traced", "trace_ns": "1"}',
])
def test_what_is_no_header_is_told(data):
    with pytest.raises(NotAHeader):
        Header.decoded(data)


def test_a_header_comes_back_as_it_was():
    header = Header("f", form=TRACED, manifest={"files": {}}, said=[], output={"list": []}, names={"dense": 1})
    assert Header.decoded(header.encoded()) == header and header.answers_unseen
