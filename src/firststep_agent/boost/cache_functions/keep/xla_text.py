"""A program of XLA as TensorFlow reads it without a word.

Its cache writes programs as binary messages and tries to read each as text first: an error on stderr for every program that is found.
On CPUs with AVX-512 XLA adds two preferences of its own to the machine's features, compares these with the machine's, and says on stderr
that there is no such feature and the program may fail (its newer versions leave preferences out: `cpu_aot_loader.cc`). So programs are
kept as text, and without the features that make XLA add preferences: what is compiled stays as it is, and is found on machines with the
same features alone (the key holds them).
"""

import re
import sys

from firststep_agent.wire import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# tensorflow/compiler/jit/xla_compilation_cache.proto: number -> name
_KEY = {1: "signature_fingerprint", 2: "cluster_fingerprint", 3: "device_type", 4: "prefix", 5: "compiled_using_pjrt"}
_PROGRAM = {1: "key", 2: "hlo_module", 3: "executable"}
_NAN = re.compile(r": -?nan")  # which one is not said: it is the one that `nan` is read as, or another
_FEATURES = re.compile(rb"[+-][a-z0-9.,+-]*,\+prefer-no-scatter[a-z0-9.,+-]*")
_MAKES_PREFERENCES = re.compile(rb"\+(?=avx512|prefer-no-)")


def as_text(program: bytes) -> bytes:
    """The same program as text. As it is where it has fields, or numbers, that this way does not know."""
    try:
        said = {_PROGRAM[number]: value for number, value in fields(program)}
        key = " ".join(f"{_KEY[number]}: {_word(number, value)}" for number, value in fields(said["key"]))
        module = _module(said["hlo_module"])
        return b"key { %s }\nhlo_module {\n%s}\nexecutable: %s\n" % (key.encode(), module, _quoted(_plain(said["executable"])))
    except (KeyError, ValueError, IndexError, TypeError, AttributeError, UnicodeDecodeError):
        return program


def _word(number: int, value: "Any") -> str:
    if isinstance(value, bytes):
        return _quoted(value).decode("ascii")
    return str(value) if number != 5 else str(bool(value)).lower()


def _module(message: bytes) -> bytes:
    """The program's operations, which TensorFlow compares with those of the function to be called."""
    hlo = sys.modules["tensorflow.compiler.xla.service.hlo_pb2"]
    module = hlo.HloModuleProto.FromString(message)
    size = module.ByteSize()
    module.DiscardUnknownFields()
    text = str(module)
    if module.ByteSize() != size or _NAN.search(text) and not comes_back(module, text):
        raise ValueError("it does not come back as it was")
    return text.encode("ascii")


def comes_back(message: "Any", text: str) -> bool:
    """Whether a message is read from its text as it is, to the last bit of each number."""
    again = sys.modules["google.protobuf.text_format"].Parse(text, type(message)())
    return bool(again.SerializeToString(deterministic=True) == message.SerializeToString(deterministic=True))


def _plain(executable: bytes) -> bytes:
    return _FEATURES.sub(lambda found: _MAKES_PREFERENCES.sub(b"-", found.group()), executable)


def _quoted(value: bytes) -> bytes:
    """Between quotes any byte stands for itself, but these."""
    for byte, written in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\0", b"\\000"), (b"\n", b"\\n")):
        value = value.replace(byte, written)
    return b'"%s"' % value
