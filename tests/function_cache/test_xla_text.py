"""Programs of XLA as text: any bytes come back, and what is not known stays as it is."""

import sys
from types import SimpleNamespace

import pytest
from firststep_agent.boost.cache_functions.keep.xla_text import as_text, comes_back

KEY = b"\x08\xff\x01\x10\x05\x1a\x03CPU\x22\x06a\"\\\n\0b"


class Module:
    """A message of XLA's that is as long as its bytes. What follows a `?` is known to nobody."""

    def __init__(self, content):
        self.content = content

    FromString = classmethod(lambda cls, content: cls(content))

    def ByteSize(self):
        return len(self.content)

    def DiscardUnknownFields(self):
        self.content = self.content.partition(b"?")[0]

    def __str__(self):
        return self.content.decode("ascii")


@pytest.fixture(autouse=True)
def module(monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow.compiler.xla.service.hlo_pb2", SimpleNamespace(HloModuleProto=Module))


def program(key=KEY, module=b"name: \"no_nan\"\n", executable=b"", more=b""):
    def part(number, content):
        assert len(content) < 1 << 14
        return bytes((number << 3 | 2, len(content) & 127 | 128, len(content) >> 7)) + content

    return part(1, key) + part(2, module) + part(3, executable) + more


def test_it_reads_as_its_fields():
    assert as_text(program(executable=b"machine code")) == (
        b'key { signature_fingerprint: 255 cluster_fingerprint: 5 device_type: "CPU" prefix: "a\\"\\\\\\n\\000b" }\n'
        b'hlo_module {\nname: "no_nan"\n}\nexecutable: "machine code"\n')


def test_any_bytes_come_back():
    wrappers = pytest.importorskip("google.protobuf.wrappers_pb2")
    text_format = pytest.importorskip("google.protobuf.text_format")
    executable = bytes(range(256)) + b"\\\\\0" + b"7\"\n\0" * 3
    written = as_text(program(executable=executable)).split(b"executable: ", 1)[1]
    assert text_format.Parse("value: " + written.decode("latin-1"), wrappers.BytesValue()).value.decode("utf-8") == executable.decode("latin-1")


def test_preferences_are_no_features_of_the_machine():
    features = b"+64bit,+avx2,+avx512f,+sse4.1,-avx512fp16,+prefer-no-scatter,+prefer-no-gather,-amx-bf16"
    said = as_text(program(executable=b"code +avx512f\0" + features + b"\0code"))
    assert b"+64bit,+avx2,-avx512f,+sse4.1,-avx512fp16,-prefer-no-scatter,-prefer-no-gather,-amx-bf16" in said
    assert b"code +avx512f" in said


@pytest.mark.parametrize(("held", "same"), [(b"\x0d\0\0\xc0\x7f", True), (b"\x0d\1\0\xc0\x7f", False), (b"\x0d\0\0\xc0\xff", False)])
def test_a_number_that_is_none_comes_back_where_it_is_the_one_that_is_read(held, same):
    wrappers = pytest.importorskip("google.protobuf.wrappers_pb2")
    pytest.importorskip("google.protobuf.text_format")
    message = wrappers.FloatValue.FromString(held)
    assert comes_back(message, str(message)) is same


@pytest.mark.parametrize("odd", [
    b"", b"\x0a", b"no message", program()[:-1] + b"\x90", program(more=b"\x20\x01"), program(more=b"\x25abcd"), program(key=KEY + b"\x30\x01"),
    program(module=b"f32s: nan\n"), program(module=b"f32s: -nan\n"), program(module=b"name: 1\n?99"), program(module="name: ä\n".encode()),
], ids=range(11))
def test_what_is_not_known_stays_as_it_is(odd):
    assert as_text(odd) == odd


def test_without_the_messages_of_xla_it_stays_as_it_is(monkeypatch):
    monkeypatch.delitem(sys.modules, "tensorflow.compiler.xla.service.hlo_pb2")
    assert as_text(program()) == program()
