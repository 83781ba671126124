"""What leaves the machine is what is known to be harmless: a secret has no form by which it would have to be known."""

import gzip
import json
from pathlib import Path

import pytest

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.diagnose import diagnosis
from firststep.model.framework_named import WORDS
from firststep.model.ownership import AGENT as RUN_BY_US
from firststep.model.ownership import GENERATED, LIBRARY, USER, Ownership
from firststep.model.read_trace import parse_trace
from firststep.report.compose import compose
from firststep.report.own_words import LEFT_OUT, own_words
from firststep.report.redact import RECORDS, Redactor

AGENT = "firststep_agent"
RECORDED = sorted((Path(__file__).parents[1] / "traces").glob("*.trace.gz"))
SECRETS = [
    "--password=hunter2", "--password hunter2", '--password "two words here"', "-phunter2", "-p hunter2", "-u me:hunter2", "hunter2",
    "correct horse battery staple", "Authorization: Bearer abc.def.ghi", "authorization: Basic dXNlcjpwdw==", "Bearer hunter2token",
    "Cookie: session=abc123; id=7", "Set-Cookie: sid=31d4d96e407aad42; HttpOnly", "X-Api-Key: 0123456789abcdef", "https://me:hunter2@host.example/x",
    "postgres://me:hunter2@db.internal:5432/data", "redis://:hunter2@cache:6379", "mongodb+srv://me:hunter2@cluster0.example.net",
    "AKIAABCDEFGHIJKLMNOP", "ASIAABCDEFGHIJKLMNOP", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "github_pat_11ABCDEFG0abcdefghijkl", "glpat-abcdefghij0123456789", "sk-abcdefghijklmnopqrstuvwxyz", "sk-proj-abc_DEF-123", "hf_abcdefghijklmnopqrst",
    "xoxb-123456789012-abcdefghijkl", "ya29.a0AfH6SMBx", "AIzaSyA-1234567890abcdefghijklmnopqrstu", "npm_abcdefghijklmnopqrstuvwxyz012345",
    "pypi-AgEIcHlwaS5vcmcCJGFi", "SG.abcdefgh.ijklmnop", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "-----BEGIN PRIVATE KEY-----", "wandb_0123456789abcdef",
    "s3://company-secrets/bucket/train.csv", "gs://acme-private/models/1", "abfss://container@account.dfs.core.windows.net/x",
    "https://bucket.s3.amazonaws.com/k?X-Amz-Signature=0a1b2c&X-Amz-Credential=AKIA", "https://x.blob.core.windows.net/c?sig=abc%3D&se=2030",
    "https://storage.googleapis.com/b/o?GoogleAccessId=me&Signature=zzz", "/home/jane.doe/acme/train.py", "/Users/jane/projects/merger/train.py", "C:\\Users\\jane\\x",
    "/mnt/clients/acme-bank/train.py", "build-7.corp.example", "ip-10-1-2-3.ec2.internal", "10.11.12.13", "jane@example.com", "jane.doe", "acme-bank",
    "PASSWORD=hunter2", "AWS_SECRET_ACCESS_KEY=abc", "export TOKEN=abc", '{"password": "hunter2"}', "password: hunter2", "+49 170 1234567", "4111 1111 1111 1111",
    "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=", "\u202ehunter2", "hunter\u00ad2", "\x1b[8mhunter2",
    "DefaultEndpointsProtocol=https;AccountKey=abc==", "Server=db;User Id=sa;Password=hunter2;", "--header=X-Token: abc", "ssh-rsa AAAAB3NzaC1yc2E me@host",
    "/site-packages/acme_secret/model.py", "/opt/python/lib/python3.11/acme_secret.py", "acme_secret.module", "python-acme", "python3 --token abc",
]


def planted(value, secret):
    """The JSON value with the secret in every string and behind every string."""
    if isinstance(value, str):
        return secret
    if isinstance(value, list):
        return [planted(item, secret) for item in value]
    if isinstance(value, dict):
        return {key: planted(item, secret) for key, item in value.items()} | {secret: secret}
    return value


def one_of_each(text):
    """The header, a part's header, and one record of each type that a real trace has, as JSON values."""
    kinds = {}
    for line in text.splitlines():
        record = json.loads(line)
        key = tuple(sorted(record)) if isinstance(record, dict) else record[0]
        kinds.setdefault(key, record)
    return list(kinds.values())


@pytest.fixture(scope="module")
def records():
    found = [record for path in RECORDED for record in one_of_each(gzip.decompress(path.read_bytes()).decode())]
    examples = {"l": [1, "x"], "e": [1, "x", "y"], "m": [1, "x", {"a": "b"}], "result": [{"what": "history", "name": "n", "values": ["v"]}],
                "missing": ["x", "y"], "cell": ["/x", 1, ["x"]], "w": [1, [[1, "x", 1]]], "packages": [{"x": "1"}], "point": ["x", "y", "why"], "c": ["x", 1], "r": [1, "x", "refused", {"reason": "because"}],
                "o": [1, 1, [["a", "b", 1]]], "x": [1, 1, 1, ["x"]], "libraries": [[["/x", 1]]]}
    return [*found, *([kind, *items] for kind, items in examples.items())]


@pytest.mark.parametrize("secret", SECRETS, ids=range(len(SECRETS)))
def test_no_secret_leaves_from_wherever_it_stands(records, secret):
    kept = [record if isinstance(record, dict) else record[1:] for record in records]
    kinds = [None if isinstance(record, dict) else record[0] for record in records]
    texts = [json.dumps(planted(items, secret) if kind is None else [kind, *planted(items, secret)])
             for kind, items in zip(kinds, kept)]
    cleaned = Redactor().trace("\n".join(texts))
    assert secret not in cleaned and json.dumps(secret)[1:-1] not in cleaned
    words = [word for word in secret.replace("=", " ").replace(":", " ").replace("@", " ").replace("/", " ").split()
             if len(word) > 4 and word.lower() not in ("https", "python", "python3", "python3.11", "lib", "site-packages", "module", "words")]
    for word in words:
        assert f'"{word}"' not in cleaned, word


@pytest.mark.parametrize("secret", SECRETS, ids=range(len(SECRETS)))
@pytest.mark.parametrize("around", ["{}", "PermissionError: [Errno 13] Permission denied: '{}'", "ValueError: {} is not understood",
                                    "the cache directory {} cannot be read: {}", "RuntimeError: {}"])
def test_no_message_carries_one_out(secret, around):
    assert secret not in own_words(around.format(secret, secret))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_a_redacted_trace_is_a_trace_with_the_same_times(path):
    text = gzip.decompress(path.read_bytes()).decode()
    before, after = parse_trace(text), parse_trace(Redactor().trace(text))
    assert [len(process.spans) for process in after.processes] == [len(process.spans) for process in before.processes]
    assert (after.spawned, after.end) == (before.spawned, before.end)
    names = {span.name for process in after.processes for span in process.spans}
    assert "json" in {name.partition(".")[0] for name in names} or "tensorflow" in names, "what everybody has keeps its name"


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_a_redacted_trace_is_reported_as_the_trace_is(path):
    """Whose code a frame is, of which kind a span, is told from what is left; but for who was waited for, and modules of the program's."""
    text = gzip.decompress(path.read_bytes()).decode()
    before, after = (Facts(parse_trace(one)) for one in (text, Redactor().trace(text)))
    compose(after)
    assert not after(diagnosis).failed
    wall = before(partition).wall_ns
    for phase, ns in before(partition).phases.items():
        assert abs(after(partition).phases[phase] - ns) <= wall * 0.005, phase
    peers = {"blocked-on-network", "cloud-metadata-lookup", "slow-name-lookup"}
    modules = {"unused-heavy-import", "framework-imported-for-nothing"}
    assert {one.id for one in after(diagnosis).findings} ^ {one.id for one in before(diagnosis).findings} <= peers | modules


def test_a_stand_in_lies_where_the_file_lay():
    """A report tells by that what is the program's own."""
    installed = ["/app/vendor/acme_tools", "/app/vendor/six.py"]
    header = {"magic": "firststep-trace", "schema": 1, "installed": installed, "prefix": "/home/jane/venv", "python": "3.11.7 (main)"}
    files = ["/home/jane/venv/lib/python3.11/site-packages/acme/model.py", "/app/vendor/acme_tools/a.py", "/app/vendor/six.py",
             "/app/train.py", "/home/jane/venv/lib/python3.11/json/decoder.py", "/tmp/__autograph_generated_filex1.py",
             f"/x/{AGENT}/run.py", f"/x/{AGENT}/acme.py"]
    lines = [header, *(["f", number, file, "main", 1, 2] for number, file in enumerate(files))]
    cleaned = [json.loads(line) for line in Redactor().trace("\n".join(map(json.dumps, lines))).splitlines()]
    owners = Ownership(cleaned[0])
    kinds = [owners.of(record[2]).kind for record in cleaned[1:]]
    assert kinds == [LIBRARY, LIBRARY, LIBRARY, USER, LIBRARY, GENERATED, RUN_BY_US, RUN_BY_US]
    assert "acme" not in json.dumps(cleaned) and "jane" not in json.dumps(cleaned)


def test_what_is_known_stays_and_the_same_name_gets_the_same_stand_in():
    redactor = Redactor()
    assert redactor.path("/x/lib/python3.11/site-packages/keras/src/trainer.py") == "/site-packages/keras/src/trainer.py"
    assert redactor.command(["/home/me/v/bin/python3.11", "-m", "acme", "--acme"]) == ["python3.11", "-m", "word-1", "word-2"]
    assert redactor.path("/home/me/a.py") == redactor.path("/home/me/a.py") != redactor.path("/home/me/b.py")
    assert redactor.packages({"tensorflow": "2.21.0", "acme": "1"}) == {"tensorflow": "2.21.0"}


def test_our_own_words_stay_and_what_was_filled_in_goes():
    assert own_words("the plan names no cache directory") == "the plan names no cache directory"
    said = own_words("the cache directory /home/jane/x is not a directory")
    assert "jane" not in said and said.startswith("the cache directory ") and said.endswith(" is not a directory")
    assert own_words("FileNotFoundError: [Errno 2] No such file or directory: '/home/jane'") == (
        f"FileNotFoundError: [Errno 2] No such file or directory{LEFT_OUT}")
    assert own_words("jane's laptop") == LEFT_OUT


def test_what_the_source_names_is_told_in_one_of_our_words():
    def told(word):
        return json.loads(Redactor().trace(json.dumps({"magic": "firststep-trace", "schema": 1, "framework_named": word})))["framework_named"]

    assert [told(word) for word in (*WORDS, "acme", None)] == [*WORDS, None, None]


def test_counters_keep_their_form_and_lose_names():
    lines = [["c", "machine", {"quota": 2.0, "acme": 3}], ["c", "later-call acme", [4, 5]], ["c", "afterwards trace", [6, 7]],
             ["c", "sampler_cpu_ns", 8]]
    cleaned = [json.loads(line) for line in Redactor().trace("\n".join(map(json.dumps, lines))).splitlines()]
    assert cleaned == [["c", "machine", {"quota": 2.0}], ["c", "later-call name-1", [4, 5]], ["c", "afterwards trace", [6, 7]],
                       ["c", "sampler_cpu_ns", 8]]


def test_every_type_of_record_has_its_rule():
    from firststep.model.limits import RECORD

    assert set(RECORD) - set(RECORDS) == {"point"}, "hook points of doctor are in its own text"
