"""The cache directory is open for one use at a time after ready: whatever is done there, by however many, and however it ends."""

import errno
import os
import signal
import threading
from pathlib import Path

import pytest

from firststep_agent import descriptors
from firststep_agent.boost import folders, upkeep
from firststep_agent.boost import store as stores
from firststep_agent.boost.store import Store

KEY, NAME = "a" * 32, "b" * 32


@pytest.fixture(autouse=True)
def apart(monkeypatch):
    monkeypatch.setattr(folders, "_roots", {})
    monkeypatch.setattr(folders, "_holding", True)


@pytest.fixture
def cache(tmp_path):
    path = tmp_path / "there" / "cache"
    path.parent.mkdir(mode=0o700)
    return path


@pytest.fixture
def store(cache):
    return Store(str(cache), "a-remedy")


def open_files():
    """number -> path; the listing's own descriptor is gone by then."""
    found = {}
    for number in os.listdir("/proc/self/fd"):
        try:
            found[number] = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue
    return found


def ours(cache):
    return [path for path in open_files().values() if path.startswith(str(cache.parent))]


def damaged(store):
    store.write(KEY, {}, b"body")
    (found,) = [file for file in upkeep.files(store._root, [store.remedy]) if file.is_entry]
    Path(store._root.path, *found.parts).write_bytes(stores.MAGIC + b"cut")
    assert store.read(KEY) is None


def entry(store):
    store.add(KEY, NAME, {}, b"body")
    (found,) = store.candidates(KEY)
    return found


def used(store):
    found = entry(store)
    assert store.use(found) == 1
    found.close()


def quarantined(store):
    found = entry(store)
    store.quarantine(found)
    found.close()
    assert not list(store.candidates(KEY))


def turned(store):
    with store.turn():
        store.keep_beside(KEY, NAME, ".trust", {"a": 1})


def pruned(store):
    entry(store).close()
    assert upkeep.prune(store._root, [store.remedy], 0)[0] == 1


def half_read(store):
    for number in range(3):
        store.add(KEY, f"{number:032x}", {}, b"body")
    found = store.candidates(KEY)
    next(found).close()


def half_walked(store):
    entry(store).close()
    next(upkeep.files(store._root, [store.remedy]))


WAYS = {
    "write": lambda store: store.write(KEY, {}, b"body"),
    "read what is not there": lambda store: store.read("c" * 32),
    "candidates": lambda store: entry(store).close(),
    "some of the candidates": half_read,
    "damaged": damaged,
    "use": used,
    "quarantine": quarantined,
    "touch": lambda store: store.touch(KEY, NAME),
    "beside": lambda store: (store.keep_beside(KEY, NAME, ".trust", {"a": 1}), store.beside(KEY, NAME, ".trust"),
                             store.forget_beside(KEY, NAME, ".trust")),
    "a turn": turned,
    "discard": lambda store: (entry(store).close(), store.discard(KEY, NAME)),
    "prune": pruned,
    "clear": lambda store: (entry(store).close(), upkeep.clear(store._root, [store.remedy])),
    "some of the files": half_walked,
    "a store made later": lambda store: Store(store._root.path, "another").write(KEY, {}, b"body"),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_nothing_is_open_after_a_use(cache, store, way):
    folders.let_go()
    before = open_files()
    way(store)
    assert open_files() == before and not ours(cache)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_until_ready_one_is_open_and_no_more(cache, store, way):
    way(store)
    assert ours(cache) == [str(cache)]
    folders.let_go()
    assert not ours(cache)


def test_a_root_that_is_found_after_ready_is_not_held(cache):
    folders.let_go()
    assert Store(str(cache), "a-remedy").write(KEY, {}, b"body") is None
    assert not ours(cache)


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt(), MemoryError()], ids=str)
def test_nothing_is_open_after_an_error(cache, store, monkeypatch, error):
    folders.let_go()

    def fails(*given):
        raise error

    monkeypatch.setattr(stores, "write_entry", fails)
    if isinstance(error, OSError):
        assert store.write(KEY, {}, b"body") == os.strerror(errno.ENOSPC)
    else:
        with pytest.raises(type(error)):
            store.write(KEY, {}, b"body")
    assert not ours(cache) and list((cache / "a-remedy").iterdir()) == []


def test_another_directory_in_its_place_is_not_written_to(cache, store):
    cache.rename(cache.with_name("gone"))
    cache.mkdir(mode=0o700)
    assert store.write(KEY, {}, b"body") is None  # into the one that is open
    folders.let_go()
    assert store.read(KEY) is None and store.write(KEY, {}, b"body") == os.strerror(errno.ESTALE)
    assert not ours(cache) and not (cache / "a-remedy").exists()


@pytest.mark.parametrize("held", [True, False])
def test_a_program_that_closes_everything_takes_nothing_away(cache, store, held):
    if not held:
        folders.let_go()
    for number, path in open_files().items():
        if path.startswith(str(cache)):
            os.close(int(number))
    assert store.write(KEY, {}, b"body") is None
    store.read(KEY).close()
    assert not ours(cache)


def test_a_file_of_the_programs_under_our_number_is_left_alone(cache, store, tmp_path):
    (number,) = [int(number) for number, path in open_files().items() if path == str(cache)]
    theirs = os.open(tmp_path, os.O_RDONLY)
    os.dup2(theirs, number)
    assert store.write(KEY, {}, b"body") is None
    folders.let_go()
    assert os.path.samestat(os.fstat(number), os.fstat(theirs))
    os.close(number)
    os.close(theirs)


def test_many_threads_at_once_while_it_is_let_go_of(cache, store):
    wrong = []

    def work(mine):
        try:
            for number in range(40):
                if store.write(f"{mine:032x}", {"number": number}, b"%d" % number):
                    wrong.append("not written")
                found = store.read(f"{mine:032x}")
                if found is None or found.body != b"%d" % number:
                    wrong.append(found)
                if found is not None:
                    found.close()
        except BaseException as error:
            wrong.append(error)

    before = len(open_files())
    threads = [threading.Thread(target=work, args=(mine,)) for mine in range(6)]
    for thread in threads:
        thread.start()
    folders.let_go()
    for thread in threads:
        thread.join()
    assert not wrong and not ours(cache)
    assert len(open_files()) <= before


def test_one_that_another_thread_closes_while_it_is_asked_for_is_an_oserror_at_most(tmp_path, monkeypatch):
    own, identity = descriptors.Own(os.open(tmp_path, os.O_RDONLY)), descriptors.identity

    def closed_meanwhile(number):
        found = identity(number)
        monkeypatch.setattr(descriptors, "identity", identity)
        own.close()
        return found

    monkeypatch.setattr(descriptors, "identity", closed_meanwhile)
    number = own.number()
    with pytest.raises(OSError):
        os.dup(number)
    with pytest.raises(OSError):
        own.number()


def test_a_forked_child_has_nothing_of_another_threads(cache, store, monkeypatch):
    """That is forked while a thread writes; what the forking thread has open is its own, and is closed by it."""
    folders.let_go()
    writes, goes_on = threading.Event(), threading.Event()

    def slowly(*given):
        writes.set()
        goes_on.wait(30)

    monkeypatch.setattr(stores, "write_entry", slowly)
    thread = threading.Thread(target=store.write, args=(KEY, {}, b"body"))
    thread.start()
    writes.wait(30)
    with store._root.open() as mine:
        assert len(ours(cache)) == 4  # the cache directory, its folder, the file that is written, and this thread's
        pid = os.fork()
        if not pid:
            descriptors.close_others()
            left = ours(cache) == [str(cache)] and mine.number()
            mine.close()
            os._exit(0 if left and not ours(cache) else 1)
        _, status = os.waitpid(pid, 0)
    goes_on.set()
    thread.join()
    assert os.waitstatus_to_exitcode(status) == 0
    assert not ours(cache)


@pytest.mark.parametrize("part, way", [("write_entry", WAYS["write"]), ("read_entry", WAYS["candidates"]), ("read_entry", WAYS["beside"])],
                         ids=["writes", "reads", "reads beside"])
def test_what_a_signals_handler_raises_is_not_taken_for_a_disks_error(cache, store, monkeypatch, part, way):
    """A timeout of the program's, say: `TimeoutError` is an `OSError`."""
    def timeout(number, frame):
        raise TimeoutError

    def interrupted(*given):
        signal.raise_signal(signal.SIGUSR1)

    folders.let_go()
    before = signal.signal(signal.SIGUSR1, timeout)
    monkeypatch.setattr(stores, part, interrupted)
    try:
        with pytest.raises(TimeoutError):
            way(store)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert not ours(cache)


def test_a_disk_without_room_for_a_mark_takes_an_entry_back_all_the_same(cache, store, monkeypatch):
    found = entry(store)
    opened = stores.open_regular

    def full(name, flags, at=None):
        if flags & os.O_CREAT:
            raise OSError(errno.ENOSPC, "full")
        return opened(name, flags, at)

    with monkeypatch.context() as patch:
        patch.setattr(stores, "open_regular", full)
        store.quarantine(found)
    found.close()
    assert not list(store.candidates(KEY))
    store.add(KEY, NAME, {}, b"body")
    assert not list(store.candidates(KEY))
    assert (cache / "a-remedy" / KEY / f"{NAME}.bad").stat().st_size == 0
