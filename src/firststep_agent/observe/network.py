"""Waits for other machines and processes through Python's sockets: connecting, looking names up, receiving, accepting.

A wait shorter than a millisecond is not kept, nor after very many of them one that is short beside the time so far. What native code
asks of the network without Python is not seen here. A wait on a connection that the program has accepted is told from one on a
connection that it has opened: the program serves there.
"""

from firststep_agent.clock import now
from firststep_agent.frameworks.listening import CALL
from firststep_agent.observe.enough import Enough
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SHORTEST_NS = 1_000_000
_served: "set[Any]" = set()  # where the program accepts connections: ports, and paths of sockets in the file system


def start(run: "Any", settings: "dict[str, Any]") -> None:
    run.after_import("socket", lambda module: _watch_sockets(run, module))
    run.after_import("ssl", lambda module: _watch_encrypted(run, module))


def _watch_sockets(run: "Any", module: "Any") -> None:
    for name in ("getaddrinfo", "gethostbyname", "gethostbyaddr", "getnameinfo"):
        _watch(run, module, name, "look-up", _first)
    owner = module.socket
    for name in ("connect", "connect_ex"):
        _watch(run, owner, name, "connect", _second)
    for name in ("recv", "recv_into", "recvfrom", "recvfrom_into", "recvmsg"):
        _watch(run, owner, name, "receive", _peer)
    _watch(run, owner, "accept", "accept", _own)
    run.listen(owner, "accept", _accepts, "network")


def _watch_encrypted(run: "Any", module: "Any") -> None:
    _watch(run, module.SSLSocket, "do_handshake", "handshake", _peer)
    _watch(run, module.SSLSocket, "read", "receive", _peer)


def _accepts(*args: "Any", **kwargs: "Any") -> "Any":
    _served.add(_place(args))
    yield CALL


def _first(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> "Any":
    value = args[0] if args else kwargs.get("host")
    return value[0] if isinstance(value, tuple) else value


def _second(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> "Any":
    return args[1]


def _peer(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> "Any":
    return args[0].getpeername()


def _own(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> "Any":
    return args[0].getsockname()


def _place(args: "tuple[Any, ...]") -> "Any":
    """The port of a socket's own end, or its path. A socket that accepts at every address has another address than what it accepts."""
    own = args[0].getsockname()
    return own[1] if isinstance(own, tuple) else own


def _serves(args: "tuple[Any, ...]", what: str) -> "dict[str, bool]":
    """{"served": True} for a wait on a connection that the program has accepted."""
    try:
        return {"served": True} if what in ("receive", "handshake") and _place(args) in _served else {}
    except Exception as error:
        if is_theirs(error):
            raise
        return {}


def _shown(peer_of: "Callable[..., Any]", args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    """host:port, a path, or "unknown"."""
    from firststep_agent.observe.labels.said import items, text  # most programs wait for no other

    try:
        peer = peer_of(args, kwargs)
    except Exception as error:
        if is_theirs(error):
            raise
        return "unknown"
    inner = items(peer) or ()
    return f"{text(inner[0])}:{text(inner[1])}" if len(inner) >= 2 else "unnamed" if peer is None else text(peer) or "unnamed"


def _watch(run: "Any", owner: "Any", name: str, what: str, peer_of: "Callable[..., Any]") -> None:
    from firststep_agent.observe.labels.places import user_line

    enough = Enough()

    def waited(*args, **kwargs):
        recorder = run.recorder
        token = recorder.begin("network", what)
        try:
            yield CALL
        finally:
            ended = now()
            if ended - token[2] < SHORTEST_NS or not enough.tells(token[2], ended):
                recorder.drop(token)
            else:
                recorder.end(token, {"what": what, "peer": _shown(peer_of, args, kwargs), **_serves(args, what), **user_line()})

    run.listen(owner, name, waited, "network")
