"""The agent's files: whole or absent, ours or refused."""

from __future__ import annotations

import itertools
import os
import socket
import stat
import subprocess
import sys
from binascii import crc32

import pytest

from firststep_agent.boost import folders
from firststep_agent.boost.store import NEWEST, Store, Unsafe

KEY, OTHER = "0" * 32, "1" * 32

@pytest.fixture
def store(tmp_path):
    root = tmp_path / "cache"
    root.mkdir(mode=0o700)
    return Store(str(root), "remedy")


def test_an_entry_comes_back_whole(store):
    assert store.write(KEY, {"program": "p"}, b"body", [b"one", b"three"]) is None
    entry = store.read(KEY)
    assert (entry.meta["program"], entry.body, entry.tail_is_whole()) == ("p", b"body", True)
    assert entry.piece(3, 5, crc32(b"three")) == b"three"
    assert entry.piece(3, 5, crc32(b"other")) is None
    assert entry.piece(6, 5, crc32(b"ee")) is None


def test_pieces_that_follow_one_another_come_in_blocks(store):
    pieces = [bytes([number % 251]) * (number * 7919 % 40_000) for number in range(200)] + [b"x" * (3 << 20), b"y"]
    assert store.write(KEY, {}, b"", pieces) is None
    entry, offset = store.read(KEY), 0
    piece = entry.in_order()
    for data in pieces:
        assert bytes(piece(offset, len(data), crc32(data))) == data
        assert piece(offset, len(data), crc32(data) ^ 1) is None
        offset += len(data)
    assert piece(offset - 1, 2, crc32(b"y")) is None, "nothing comes after the end"
    assert piece(0, 0, 0) == b""


def test_every_single_flipped_bit_is_seen(store, tmp_path):
    store.write(KEY, {}, b"b", [b"tail"])
    path = tmp_path / f"cache/remedy/{KEY}.entry"
    with open(path, "rb") as file:
        whole = file.read()
    for bit in range(len(whole) * 8):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        with open(path, "wb") as file:
            file.write(damaged)
        entry = store.read(KEY)
        assert entry is None or not entry.tail_is_whole(), bit


def test_a_descriptor_that_the_program_took_over_stays_open(store, tmp_path):
    store.write(KEY, {}, b"")
    entry = store.read(KEY)
    theirs = os.open(tmp_path, os.O_RDONLY)
    number = entry._file.number()
    os.dup2(theirs, number)
    entry.close()
    os.fstat(number)


def test_a_link_is_no_cache(tmp_path):
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "cache").symlink_to(tmp_path / "real")
    with pytest.raises(Unsafe, match="is not a directory"):
        Store(str(tmp_path / "cache"), "remedy")


# --- bound to their key --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("there", ["another key's", "another remedy's", "another kind's", "one of several", "a name's"])
def test_a_swapped_entry_is_a_miss(store, tmp_path, there):
    cache = tmp_path / "cache"
    store.write(KEY, {}, b"body")
    other = {"another remedy's": Store(str(cache), "other"), "another kind's": Store(str(cache), "remedy", "second")}.get(there)
    if other is not None:
        other.write(KEY, {}, b"other")
        if there == "another remedy's":
            os.replace(cache / f"other/{KEY}.entry", cache / f"remedy/{KEY}.entry")
    elif there == "another key's":
        store.write(OTHER, {}, b"other")
        os.replace(cache / f"remedy/{OTHER}.entry", cache / f"remedy/{KEY}.entry")
    else:
        store.add(KEY, OTHER, {}, b"other")
        moved = {"one of several": f"remedy/{KEY}.entry", "a name's": f"remedy/{KEY}/{'2' * 32}.entry"}[there]
        os.replace(cache / f"remedy/{KEY}/{OTHER}.entry", cache / moved)
        assert not list(store.candidates(KEY))
        if there == "a name's":
            return
    assert store.read(KEY) is None
    store.write(KEY, {}, b"again")
    assert store.read(KEY).body == b"again"


def fifo(path):
    os.mkfifo(path)


def folder(path):
    path.mkdir()
    (path / "theirs").write_text("kept")


def listening(path):
    here = os.getcwd()
    os.chdir(path.parent)  # a socket's address is short
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(here)


def link_to_a_file(path):
    target = path.parent / "theirs"
    target.write_text("kept")
    path.symlink_to(target)


def link_to_nothing(path):
    path.symlink_to("nowhere")


def link_to_itself(path):
    path.symlink_to(path.name)


def link_to_a_device(path):
    path.symlink_to("/dev/zero")


def device(path):
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))  # /dev/zero
    except OSError:
        pytest.skip("devices cannot be made here")


def writable_by_others(path):
    path.write_bytes(b"firststep-entry\n" + bytes(100))
    path.chmod(0o666)


def of_another_user(path):
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    path.write_bytes(b"firststep-entry\n" + bytes(100))
    os.chown(path, 12345, 12345)


def empty(path):
    path.touch(mode=0o600)


def huge(path):
    from firststep_agent.boost.store import HEADER, MAGIC, SCHEMA

    path.write_bytes(HEADER.pack(MAGIC, SCHEMA, 0, 1 << 40, 0, 0) + bytes(32))
    os.truncate(path, HEADER.size + 32 + (1 << 40))


KINDS = [fifo, folder, listening, link_to_a_file, link_to_nothing, link_to_itself, link_to_a_device, device,
         writable_by_others, of_another_user, empty, huge]
FILES = [f"{KEY}.entry", f"{KEY}/{OTHER}.entry", f"{KEY}/{OTHER}.uses", f"{KEY}/{OTHER}.bad", f"{KEY}"]


@pytest.mark.parametrize(("kind", "name"), list(itertools.product(KINDS, FILES)), ids=lambda one: getattr(one, "__name__", one))
def test_nothing_in_the_place_of_a_file_hangs_or_fails(store, tmp_path, kind, name):
    """What is no entry counts as absent; what others made is neither followed, written into nor removed."""
    path = tmp_path / "cache/remedy" / name
    path.parent.mkdir(mode=0o700, exist_ok=True)
    kind(path)
    before = path.lstat()
    assert store.read(KEY) is None
    for entry in store.candidates(KEY):
        store.use(entry)
    reasons = [store.write(KEY, {}, b"body"), store.add(KEY, OTHER, {}, b"body")]
    assert all(reason is None or isinstance(reason, str) for reason in reasons)
    found = [entry.body for entry in (store.read(KEY), *store.candidates(KEY)) if entry is not None]
    assert found == [b"body"] * len(found)
    if path.exists() and stat.S_IFMT(before.st_mode) not in (stat.S_IFREG, stat.S_IFLNK) and path.lstat().st_ino == before.st_ino:
        assert path.lstat().st_mode == before.st_mode
    theirs = list((tmp_path / "cache").rglob("theirs"))
    assert all(one.read_text() == "kept" for one in theirs)


# --- several entries to a key --------------------------------------------------------------------------------------------


def name_of(number):
    return f"{number:032x}"


def test_the_last_used_candidate_comes_first_and_the_oldest_go(store):
    assert list(store.candidates(KEY)) == []
    for number in range(NEWEST + 3):
        assert store.add(KEY, name_of(number), {"n": number}, b"%d" % number) is None
        for entry in store.candidates(KEY):
            os.utime(entry._file.number(), ns=(entry.meta["n"], entry.meta["n"]))
            entry.close()
    bodies = [int(entry.body) for entry in store.candidates(KEY)]
    assert bodies == sorted(bodies, reverse=True) and len(bodies) == NEWEST and bodies[0] == NEWEST + 2
    assert store.read(KEY) is None and not list(store.candidates(OTHER))


def test_others_files_among_a_keys_entries_stay_however_many_entries_there_are(store, tmp_path):
    store.add(KEY, OTHER, {}, b"")
    theirs = [tmp_path / "cache/remedy" / KEY / name for name in (
        *(f"checkpoint-{number}.entry" for number in range(NEWEST)), *(f"{name_of(number)}.entry" for number in range(900, 900 + NEWEST)),
        f"{name_of(900)}.uses", f"{name_of(900)}.trust", ".entry")]
    for path in theirs:
        path.write_text("theirs")
        os.utime(path, (1, 1))
    for number in range(NEWEST + 3):
        assert store.add(KEY, name_of(number), {}, b"") is None
    store.discard(KEY, name_of(900))
    assert {path.read_text() for path in theirs} == {"theirs"}


def test_uses_are_counted_and_quarantine_is_for_good(store):
    store.add(KEY, OTHER, {}, b"body")
    (entry,) = store.candidates(KEY)
    assert [store.use(entry) for _ in range(3)] == [1, 2, 3]
    store.quarantine(entry)
    assert not list(store.candidates(KEY))
    store.add(KEY, OTHER, {}, b"body")
    assert not list(store.candidates(KEY))
    store.discard(KEY, OTHER)


BETWEEN = """
import os
from firststep_agent.boost.store import Store
store = Store({root!r}, "remedy")
for number in range(3):
    store.add("0" * 32, f"{{number:032x}}", {{}}, b"body")
found = store.candidates("0" * 32)
next(found)
os.closerange(3, 20)
theirs = [os.open("/", os.O_RDONLY) for _ in range(10)]
print(len(list(found)), [os.close(number) for number in theirs] == [None] * 10)
"""


def test_what_the_program_does_to_descriptors_between_two_candidates(tmp_path):
    """The list of candidates holds no descriptor while the program runs."""
    done = subprocess.run([sys.executable, "-c", BETWEEN.format(root=str(tmp_path / "cache"))], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("2 True\n", "")


# --- the cache directory -------------------------------------------------------------------------------------------------


def made(path, mode, owner=None):
    path.mkdir()
    path.chmod(mode)
    if owner is not None:
        os.chown(path, owner, owner)
    return path


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o757, 0o722])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_folder_above_that_others_can_write_is_refused(tmp_path, mode, depth):
    above = made(tmp_path / "above", mode)
    path = above.joinpath(*["sub"] * (depth - 1))
    path.mkdir(parents=True, exist_ok=True)
    with pytest.raises(Unsafe, match=rf"lies in {above}, which can be written by others: chmod go-w"):
        Store(str(path / "cache"), "remedy")
    assert not (path / "cache").exists()


def test_a_sticky_folder_above_is_fine_as_tmp_is(tmp_path):
    above = made(tmp_path / "above", 0o1777)
    assert Store(str(above / "cache"), "remedy").write(KEY, {}, b"") is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
@pytest.mark.parametrize("mode", [0o755, 0o1777])
def test_a_folder_above_of_another_user_is_refused(tmp_path, mode):
    above = made(tmp_path / "above", mode, 12345)
    with pytest.raises(Unsafe, match=r"belongs to another user \(uid 12345\)"):
        Store(str(above / "cache"), "remedy")


def test_a_link_above_leads_to_what_is_checked(tmp_path):
    made(tmp_path / "open", 0o777)
    made(tmp_path / "closed", 0o755)
    for name in ("open", "closed"):
        (tmp_path / f"to_{name}").symlink_to(name)
    with pytest.raises(Unsafe, match="can be written by others"):
        Store(str(tmp_path / "to_open/cache"), "remedy")
    assert Store(str(tmp_path / "to_closed/cache"), "remedy").write(KEY, {}, b"") is None
    assert (tmp_path / f"closed/cache/remedy/{KEY}.entry").exists()


def test_what_others_put_in_the_place_of_the_cache_is_not_used(tmp_path):
    """All is done below the descriptor that was checked: a rename above it moves it, and changes nothing."""
    above = made(tmp_path / "above", 0o755)
    store = Store(str(above / "cache"), "remedy")
    store.write(KEY, {}, b"ours")
    above.rename(tmp_path / "moved")
    planted = tmp_path / "above/cache/remedy"
    planted.mkdir(parents=True)
    (planted / f"{KEY}.entry").write_bytes(b"theirs")
    assert store.read(KEY).body == b"ours"
    store.write(KEY, {}, b"ours again")
    assert (planted / f"{KEY}.entry").read_bytes() == b"theirs"


def test_a_remedy_folder_that_is_a_link_is_refused(tmp_path):
    Store(str(tmp_path / "cache"), "other")
    (tmp_path / "cache/remedy").symlink_to(tmp_path)
    with pytest.raises(Unsafe, match="cannot be used"):
        Store(str(tmp_path / "cache"), "remedy")


def test_a_folder_with_files_of_somebody_is_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("kept")
    with pytest.raises(Unsafe, match="holds files that are not firststep's"):
        Store(str(tmp_path), "remedy")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("mark", [fifo, folder, listening, link_to_a_file, link_to_nothing, device, of_another_user],
                         ids=lambda one: one.__name__)
def test_a_mark_that_is_none(tmp_path, mark):
    made(tmp_path / "cache", 0o700)
    (tmp_path / "cache/mine.txt").write_text("kept")
    mark(tmp_path / "cache/.firststep-cache")
    with pytest.raises(Unsafe, match="not firststep's"):
        Store(str(tmp_path / "cache"), "remedy")


def test_who_empties_the_cache_while_it_is_filled_does_not_end_it(store, tmp_path, monkeypatch):
    """`rm -rf` takes the mark first and then meets a folder that a start has made: the next start finds a cache."""
    def taken(name, at, make=False):
        if make:
            (tmp_path / "cache" / folders.MARK).unlink(missing_ok=True)
        return opened(name, at, make)

    opened = folders.open_folder
    monkeypatch.setattr("firststep_agent.boost.store.open_folder", taken)
    for make in (lambda: Store(str(tmp_path / "cache"), "another"), lambda: store.write(KEY, {}, b"body")):
        make()
        folders.Root(str(tmp_path / "cache")).let_go()
    folders.let_go()
    monkeypatch.setattr(folders, "_holding", True)
    assert store.write(OTHER, {}, b"body") is None, "the directory is held open no longer"
    folders.Root(str(tmp_path / "cache")).let_go()
    assert store.read(KEY).body == store.read(OTHER).body == b"body"


def test_many_processes_make_and_mark_one_cache(tmp_path):
    code = f"from firststep_agent.boost.store import Store; print(Store({str(tmp_path / 'cache')!r}, 'r').write('0' * 32, {{}}, b''))"
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(8)]
    assert [one.communicate()[0] for one in running] == ["None\n"] * 8
