"""The agent's files: whole or absent, ours or refused."""

from __future__ import annotations

import os
from binascii import crc32

import pytest

from firststep_agent.boost.store import Store, Unsafe


@pytest.fixture
def store(tmp_path):
    root = tmp_path / "cache"
    root.mkdir(mode=0o700)
    return Store(str(root), "remedy")


def test_an_entry_comes_back_whole(store):
    assert store.write("key", {"program": "p"}, b"body", [b"one", b"three"]) is None
    entry = store.read("key")
    assert (entry.meta, entry.body, entry.tail_is_whole()) == ({"program": "p"}, b"body", True)
    assert entry.piece(3, 5, crc32(b"three")) == b"three"
    assert entry.piece(3, 5, crc32(b"other")) is None
    assert entry.piece(6, 5, crc32(b"ee")) is None


def test_pieces_that_follow_one_another_come_in_blocks(store):
    pieces = [bytes([number % 251]) * (number * 7919 % 40_000) for number in range(200)] + [b"x" * (3 << 20), b"y"]
    assert store.write("key", {}, b"", pieces) is None
    entry, offset = store.read("key"), 0
    piece = entry.in_order()
    for data in pieces:
        assert bytes(piece(offset, len(data), crc32(data))) == data
        assert piece(offset, len(data), crc32(data) ^ 1) is None
        offset += len(data)
    assert piece(offset - 1, 2, crc32(b"y")) is None, "nothing comes after the end"
    assert piece(0, 0, 0) == b""


def test_every_single_flipped_bit_is_seen(store):
    store.write("key", {}, b"b", [b"tail"])
    path = os.path.join(store.folder, "key.entry")
    with open(path, "rb") as file:
        whole = file.read()
    for bit in range(len(whole) * 8):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        with open(path, "wb") as file:
            file.write(damaged)
        entry = store.read("key")
        assert entry is None or not entry.tail_is_whole(), bit


def test_a_descriptor_that_the_program_took_over_stays_open(store, tmp_path):
    store.write("key", {}, b"")
    entry = store.read("key")
    theirs = os.open(tmp_path, os.O_RDONLY)
    os.dup2(theirs, entry._file)
    number = entry._file
    entry.close()
    os.fstat(number)


def test_a_link_is_no_cache(tmp_path):
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "cache").symlink_to(tmp_path / "real")
    with pytest.raises(Unsafe, match="is not a directory"):
        Store(str(tmp_path / "cache"), "remedy")
