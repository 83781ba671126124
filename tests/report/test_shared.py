"""What is written for others: the same analysis, without where it ran, for whom and with which keys."""

import gzip
import json
from pathlib import Path

import pytest
from analyse.traces import PREFIX, SITE, process, span, trace

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.source_lines import source_lines
from firststep.diagnose import diagnosis
from firststep.model import framework_named
from firststep.model.ownership import Ownership
from firststep.model.read_trace import parse_trace
from firststep.model.trace import Frame, Mark, Sample, Spawn
from firststep.report.formats import ReportedStart, format_named, names
from firststep.report.places import place, source
from firststep.report.shared import shared
from report.test_redact import SECRETS

RECORDED = sorted((Path(__file__).parents[1] / "traces").glob("*.trace.gz"))
SECOND = 1_000_000_000
HOME = "/home/jane.doe/clients/acme-bank"
KEPT_TOKENS = ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "hf_abcdefghijklmnopqrst", "AKIAABCDEFGHIJKLMNOP",
               "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "sk-proj-abc_DEF-123", "xoxb-123456789012-abcdefghijkl",
               "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "glpat-abcdefghij0123456789", "AIzaSyA-1234567890abcdefghijklmnopqrstu")


@pytest.mark.parametrize("path", RECORDED[1::2], ids=lambda path: path.name)
def test_the_analysis_of_what_is_shared_is_that_of_the_trace(path):
    one = parse_trace(gzip.decompress(path.read_bytes()).decode("ascii"))
    plain, other = Facts(one), Facts(shared(one))
    assert other(partition).phases == plain(partition).phases
    findings = [(found.id, found.gain, found.severity) for found in plain(diagnosis).findings]
    assert [(found.id, found.gain, found.severity) for found in other(diagnosis).findings] == findings
    assert [line.total_ns for line in other(source_lines)] == [line.total_ns for line in plain(source_lines)]


def test_cells_of_a_notebook_and_other_threads_are_told_without_secrets():
    file = "/tmp/ipykernel_7/1.py"
    cell, secret = Frame(file, "<module>", 1, 1), KEPT_TOKENS[0]
    one = trace(process(samples=[Sample(SECOND, (cell,), "R", -1, 0, 0)], cells={file: (3, (f"key = '{secret}'  # jane's",))},
                        threads=((SECOND, f"loader {secret}", (cell,)),), called=((SECOND, (cell,)),)))
    other = shared(one)
    line = Facts(other)(source_lines)[0].line
    assert place(line, other) == "cell 3:1" and source(line, other).startswith("key = ")
    assert secret not in repr(other) and "jane's" not in repr(other)


@pytest.mark.parametrize("named", framework_named.WORDS)
def test_whether_a_framework_is_used_is_told_as_the_trace_tells_it(named):
    """Else a program that uses it is told that it does not."""
    held = Mark(3 * SECOND, "held-modules", {"holders": [["tensorflow", [""]]]})
    part = process([span("import", SECOND, 3 * SECOND, "tensorflow")], end=(4 * SECOND, "exit"), marks=(held,), code=(f"{HOME}/train.py",))
    one = trace(part, ended=4 * SECOND, framework_named=named)
    mine, others = ([(found.id, found.confidence, found.gain) for found in Facts(each)(diagnosis).findings] for each in (one, shared(one)))
    assert others == mine
    assert ("framework-imported-for-nothing" in [found[0] for found in mine]) is (named != framework_named.USED)
    assert "jane" not in repr(shared(one))


LETTER = '''
import json
letter = """
Dear Jane Miller of 12 Elm Street,
it's account 4711 \\"""
""" + json.dumps({})  # for Jane
address = "12 Elm Street \\
and Jane Miller"
print(letter)
'''


def test_strings_of_several_lines_go_from_code_and_from_cells():
    file, command = "/tmp/ipykernel_7/1.py", ["python", "-c", LETTER, "x"]
    cell = Frame(file, "<module>", 1, 1)
    one = shared(trace(process(samples=[Sample(SECOND, (cell,), "R", -1, 0, 0)], cells={file: (3, tuple(LETTER.split("\n")))}),
                       command=command))
    (number, shown), = one.processes[0].cells.values()
    assert number == 3 and len(shown) == len(LETTER.split("\n"))
    assert (shown[1], shown[-2]) == ("import json", "print(letter)")
    for text in ("\n".join(shown), one.header["command"][2]):
        assert "json.dumps({})" in text
        assert not [word for word in ("Jane", "Miller", "Elm", "4711", "account") if word in text], text


def private(secret="hunter2"):
    """A start of jane.doe's, at a client's, with a secret wherever one may be."""
    main = Frame(f"{HOME}/train.py", "main", 1, 7)
    elsewhere = Frame("/mnt/clients/acme-bank/shared/mine.py", "load", 1, 3)
    keras = Frame(f"{SITE}/keras/src/trainer.py", "Trainer.fit", 1, 9)
    spans = [
        span("weights-load", SECOND, 2 * SECOND, f"{HOME}/models/bank.h5", path="gs://acme-private/models/bank.h5", bytes=5_000_000),
        span("native", 2 * SECOND, 2 * SECOND + 5, "/mnt/clients/acme-bank/of acme-bank/My Data/lib x.so", module="/mnt/acme-bank x/y"),
        span("network", 2 * SECOND, 3 * SECOND, "connect", peer="db.acme-bank.internal:5432", what="connect"),
        span("network", 3 * SECOND, int(3.2 * SECOND), "connect", peer="10.11.12.13:443", what="connect"),
        span("trace", int(3.2 * SECOND), 4 * SECOND, "step", why=f"path: Python value '{secret}' -> '/data/acme-bank/x y.csv'",
             source=f"{HOME}/train.py:7"),
    ]
    samples = [Sample(SECOND + number * SECOND // 10, stack, "R", -1, 0, 0)
               for number, stack in enumerate([(main, keras), (main, elsewhere), (main,)] * 13)]
    words = ["/opt/python/bin/python", f"{HOME}/train.py", "--token", secret, f"--password={secret}", "--epochs", "3",
             "--data=/mnt/clients/acme-bank/My Data/x.csv", "s3://acme-private/bucket/train.csv", "jane@acme-bank.com"]
    part = process(spans, samples, ready=5 * SECOND, spawns=(Spawn(SECOND, SECOND + 5, 77, tuple(words)),),
                   errors=(f"network: cannot look at postgres://jane.doe:{secret}@db.acme-bank.internal/data",))
    part.header.update(cwd=HOME, argv=words[1:], executable="/opt/python/bin/python", prefix=PREFIX)
    source = {main.file: {"7": f'fit(load("{HOME}/a b.csv", token="{secret}"))  # for jane.doe', "8": f"password = '{secret}'"}}
    return trace(part, ended=6 * SECOND, command=words, source=source, lost=f"No space left on device: '{HOME}/x y'",
                 pth=[[f"{HOME}/venv/lib/python3.11/site-packages/a.pth", 5]])


@pytest.mark.parametrize("secret", ["hunter2", *KEPT_TOKENS])
def test_no_format_tells_where_for_whom_and_with_which_keys(secret):
    start = ReportedStart(shared(private(secret)), 5 * SECOND)
    text = "\n".join(format_named(name).text([start]) for name in names())
    for word in (secret, "jane", "clients", "acme-bank", "acme-private", "10.11.12.13", "My Data", "a b.csv"):
        assert word not in text, word


@pytest.mark.parametrize("secret", SECRETS, ids=range(len(SECRETS)))
def test_no_word_of_a_command_line_is_told(secret):
    words = ["/opt/python/bin/python", "train.py", secret, f"--x={secret}", "--y", secret]
    part = process([], [], ready=SECOND)
    part.header.update(argv=words)
    one = shared(trace(part, command=words))
    for kept in (one.header["command"], one.processes[0].header["argv"]):
        assert kept[:2] == ["/python/bin/python", "train.py"]
        if not secret.startswith(("/", "-")):
            assert secret not in " ".join(kept[2:])


def test_what_a_report_needs_stays():
    text = json.loads(format_named("json").text([ReportedStart(shared(private()), 0)]))
    assert text["command"] == ["/python/bin/python", "/program/train.py", "--token", "[…]", "--password=[…]", "--epochs", "3",
                               "--data=/elsewhere-1/x.csv", "[…]", "[…]"]
    lines = {(one["line"]["file"], one["line"]["line"]) for one in text["source_lines"]}
    assert ("/program/train.py", 7) in lines and any(file.endswith("/mine.py") for file, _ in lines)
    assert text["loads"][0]["path"] == "gs://bucket-1/…/bank.h5"
    assert [peer["name"] for peer in text["network"]] == ["host-1:5432", "host-2:443"]


@pytest.mark.parametrize("file", [
    f"{HOME}/firststep/src/firststep_agent/observe/samples.py", "/opt/tools/firststep_agent/run.py", f"{SITE}/firststep_agent/run.py",
    f"{HOME}/train.py", "/mnt/mine.py", f"{SITE}/keras/src/trainer.py", f"{PREFIX}/lib/python3.11/threading.py",
    "/tmp/__autograph_generated_fileabc.py", "<frozen importlib._bootstrap>", "<string>",
])
def test_whose_code_a_frame_is_stays(file):
    one = trace(process(samples=[Sample(SECOND, (Frame(file, "f", 1, 2),), "R", -1, 0, 0)]))
    mine, others = (each.processes[0] for each in (one, shared(one)))
    assert Ownership(others.header).of(others.samples[0].stack[0].file) == Ownership(mine.header).of(file)


def test_an_interpreters_options_hide_no_program():
    words = ["python3", "-W", "ignore", "-Xdev", "-X", "utf8", "-u", "train.py", "hunter2"]
    assert shared(trace(command=words)).header["command"] == ["python3", "-W", "[…]", "-Xdev", "-X", "[…]", "-u", "train.py", "[…]"]


def test_what_tells_one_device_or_one_account_of_all_the_world_from_others_goes():
    """Ids of GPUs, of pods and of runs, and keys that are written like them."""
    told = "8932f937-d72c-4106-c12f-20bd9faed9f6"
    gpu = {"environment": {"CUDA_VISIBLE_DEVICES": f"GPU-{told}"}}
    one = shared(trace(process(errors=(f"cannot read /run/pods/{told}/x of GPU-{told}",), gpu=gpu)))
    assert told not in repr(one)


def test_one_thing_has_one_stand_in():
    one = shared(private())
    peers = [span.labels["peer"] for span in one.processes[0].spans if span.kind == "network"]
    assert peers == ["host-1:5432", "host-2:443"]
    assert shared(private()) == one


@pytest.mark.parametrize("code", ["import tensorflow as tf", "x = layers.Dense(64, activation='relu')(x)", "model.compile('adam', \"mse\")",
                                  "return a / b / c", "y = x[..., ::2]", "tf.config.threading.set_inter_op_parallelism_threads(2)",
                                  "token = tokenizer(text)", "for epoch in range(3):", "loss = tf.reduce_mean(tf.square(y - p))",
                                  "from google.protobuf.internal import x", "with open(path) as f:", "keys = list(x.keys())"])
def test_source_without_secrets_stays_as_it_is(code):
    part = process([], [Sample(SECOND, (Frame("/home/me/a.py", "f", 1, 1),), "R", -1, 0, 0)], ready=SECOND)
    assert shared(trace(part, source={"/home/me/a.py": {"1": code}})).header["source"]["/program/a.py"]["1"] == code


@pytest.mark.parametrize("name", ["tensorflow.python.pywrap_tensorflow", "google.protobuf.internal.python_message", "threading.local",
                                  "_pywrap_cpu_feature_guard", "__inference_one_step_on_data_1234",
                                  "Trainer.fit.<locals>.wrapper", "generation 2",
                                  "sequential_12/dense_3/kernel", "lambda", "x: shape (32, 7) -> (64, 7)",
                                  "n: Python value 3 -> 4"])
def test_names_of_functions_and_modules_stay(name):
    one = shared(trace(process([span("import", 50, 60, name, why=name)], ready=SECOND)))
    assert one.processes[0].spans[0].name == name and one.processes[0].spans[0].labels["why"] == name


@pytest.mark.parametrize("code", ['os.environ["API_TOKEN"] = "hunter"', 'setdefault("TOKEN", "hunter")', "login(token='hunter')",
                                  'PASSWORD = "hunter"', 'x = {"secret": "hunter"}', 'read("/home/jane/x y/hunter")', 'open("hunter2.csv")',
                                  'connect("hunter.internal:80")', "f(1)  # hunter"])
def test_strings_of_the_source_that_may_be_secret_go(code):
    part = process([], [Sample(SECOND, (Frame("/home/me/a.py", "f", 1, 1),), "R", -1, 0, 0)], ready=SECOND)
    shown = shared(trace(part, source={"/home/me/a.py": {"1": code}})).header["source"]["/program/a.py"]["1"]
    assert "hunter" not in shown, shown


def test_an_argument_that_sounds_secret_has_a_shape():
    why = "tokens: shape (3,) -> (4,)"
    assert shared(trace(process([span("trace", 50, 60, "f", why=why)], ready=SECOND))).processes[0].spans[0].labels["why"] == why


def test_a_user_called_as_a_library_changes_no_library():
    part = process([span("import", 50, 60, "keras.src"), span("import", 60, 70, "x", path="/home/keras/secret/a.h5")], ready=SECOND)
    part.header.update(cwd="/home/keras/project")
    one = shared(trace(part))
    assert one.processes[0].spans[0].name == "keras.src"
    assert "secret" not in str(one.processes[0].spans[1].labels)


LONG = 1 << 20


@pytest.mark.parametrize("piece", ["a", "_", "-a", "/", "/a", "~", "~/", "'", '"', "\\'", "token", "token_", "a.", "a-a.", "@", "a@", "eyJ",
                                   "1:", "=", "Bearer ", "gs://", "a://", "C:\\", "/site-packages", "#", "/home/a", "\u202e", " "])
def test_no_text_however_long_keeps_the_sharing_busy(piece):
    text = piece * (LONG // len(piece))
    frame = Frame("/" + text, text, 1, 1)
    part = process([span("trace", 50, 60, text, why=text, peer=text, path=text)], [Sample(SECOND, (frame,), "R", -1, 0, 0)], ready=SECOND)
    part.header.update(argv=["python", text], cwd="/" + text)
    one = shared(trace(part, command=["python", text], source={text: {"1": text}}, lost=text))
    assert len(one.processes[0].spans[0].name) < LONG // 100
