"""The agent's imports point one way, stage by stage; the tool uses of it what is declared as shared."""

import pytest
from imports import SOURCES, imported, is_module, modules, name_of

AGENT = "firststep_agent"
# The rooms of the agent, lowest first. A module imports from its own room and from those in lines above.
ROOMS = [line.split() for line in """
    as_found signals
    clock command_line counted plain_json wire descriptors forks threads writing interpreters kinds pythons_own
    beside imports collector compiler_heard marks plan recorder
    dressing ownership streams
    frameworks tracing
    boost.folders boost.objects boost.turns data_stack
    boost.store boost.traces
    boost.program boost.upkeep
    boost.cache_functions.frames
    boost.cache_functions.key
    boost.cache_functions.reads
    boost.cache_functions.keep
    boost.cache_functions.proof
    boost.cache_functions.answer
    boost.cache_functions.learn
    boost.cache_functions.hooks
    boost.cache_functions.wanted
    boost.REMEDY
    observe
    run
""".strip().splitlines()]
RANKS = {room: rank for rank, line in enumerate(ROOMS) for room in line}
# Remedies know nothing of each other, but for these.
REMEDIES_THAT_MEET = {
    "boost.import_image": {"boost.image"},
    "boost.compile_bytecode": {"boost.import_image"},
    "boost.overlap": {"boost.image", "boost.pause_garbage_collection", "boost.cache_functions.wanted"},
}
# What of the agent the tool uses, besides plan and trace.
SHARED = {
    "AGENT_VERSION": "so that a plan is read by the agent that it was written for",
    "boost": "where the remedies lie",
    "boost.cache_functions.keep.entries": "entries of functions, and what their proofs have shown",
    "boost.cache_functions.keep.nearest": "what keys differ in, in words",
    "boost.folders": "the cache directory",
    "boost.image.index": "the folder of the import image",
    "boost.prefetch_pages": "reading ahead, which the tool does until the agent is there",
    "boost.program": "which program a start is of",
    "boost.store": "entries of the cache",
    "boost.upkeep": "entries as files",
    "frameworks.points": "the places of the frameworks, as data",
    "frameworks.versions": "what the remedies were tried on",
    "interpreters": "which Pythons the agent lets in",
    "marks": "the moments that a program may name",
    "observe": "the names of the observers",
    "plain_json": "the notation of plan and trace",
}


def room_of(name):
    """The room of a module, or of a name in one; None where it is no module of the agent's."""
    parts = name.split(".")
    if parts[0] != AGENT:
        return None
    for end in range(len(parts), 1, -1):
        room = ".".join(parts[1:end])
        if room in RANKS:
            return room
    if parts[1:2] == ["boost"] and len(parts) > 2 and is_module(".".join(parts[:3])):
        return ".".join(parts[1:3])
    return ".".join(parts[1:]) if len(parts) > 1 and is_module(name) else None


def rank_of(room):
    return RANKS[room] if room in RANKS else RANKS["boost.REMEDY"] if room.startswith("boost.") else None


def wrong(name, imports):
    """What the module `name` must not import. Its own packages are no rooms: what they say is said to all in them."""
    own = room_of(name)
    for each in imports:
        other = room_of(each)
        encloses = other is not None and name.startswith(f"{AGENT}.{other}.") and other not in RANKS and other != own
        if other in (None, own) or encloses or other in REMEDIES_THAT_MEET.get(own, ()):
            continue
        if rank_of(other) is None or rank_of(other) >= rank_of(own):
            yield each


@pytest.mark.parametrize("path", modules(AGENT), ids=lambda path: str(path.relative_to(SOURCES)))
def test_the_agent_imports_one_way(path):
    name = name_of(path)
    if path.name == "__init__.py" and room_of(name) not in RANKS and (path.parent / "hooks.py").exists() or name == AGENT:
        return  # it begins all that is in it
    if path.name == "sitecustomize.py" or name == f"{AGENT}.bootstrap":
        return  # runs before there is an agent
    if name == f"{AGENT}.boost":
        return
    assert not list(wrong(name, imported(path)))


@pytest.mark.parametrize("name, imports", [
    ("clock", "run"), ("frameworks.door", "boost.store"), ("boost.store", "boost.cache_functions.keep.entries"),
    ("boost.cache_functions.key.identity", "boost.cache_functions.reads.whole"),
    ("boost.cache_functions.keep.pending", "boost.cache_functions.answer.replay.StoredGraph"),
    ("boost.cache_functions.answer.lookup", "boost.cache_functions.hooks"),
    ("boost.keep_compiled", "boost.image.index"), ("boost.overlap", "boost.keep_compiled"), ("boost.overlap", "observe"),
])
def test_a_wrong_arrow_is_seen(name, imports):
    assert list(wrong(f"{AGENT}.{name}", [f"{AGENT}.{imports}"])) == [f"{AGENT}.{imports}"]


def test_relative_imports_are_read():
    path = SOURCES / AGENT / "boost" / "cache_functions" / "reads" / "watch" / "__init__.py"
    assert any(name.startswith(f"{AGENT}.boost.cache_functions.reads.") for name in imported(path))


@pytest.mark.parametrize("path", modules("firststep"), ids=lambda path: str(path.relative_to(SOURCES)))
def test_the_tool_uses_what_the_agent_shares(path):
    for name in imported(path):
        if name.startswith(AGENT + "."):
            inside = name[len(AGENT) + 1:]
            assert any(inside == shared or inside.startswith(shared + ".") for shared in SHARED if shared != "boost") \
                or any(shared.startswith(inside + ".") or inside == shared for shared in SHARED), name


def test_all_that_is_shared_is_used():
    used = {name for path in modules("firststep") for name in imported(path)}
    for shared in SHARED:
        assert any(name == f"{AGENT}.{shared}" or name.startswith(f"{AGENT}.{shared}.") for name in used), shared
