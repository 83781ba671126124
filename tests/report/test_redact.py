"""What leaves the machine holds no secret, home or name."""

import json
from pathlib import Path

import pytest

from firststep.report.redact import REDACTED, redact, redact_trace


@pytest.mark.parametrize(("text", "secret"), [
    ("--token=abc123def", "abc123def"),
    ('["train.py", "--api-key", "zzz999"]', "zzz999"),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUt", "wJalrXUt"),
    ('{"password": "hunter2"}', "hunter2"),
    ("https://me:pw@host/x", "me:pw"),
    ("ghp_abcdefghijklmnopqrstuvwx", "ghp_abcdefghijklmnopqrstuvwx"),
    ("AKIAABCDEFGHIJKLMNOP", "AKIAABCDEFGHIJKLMNOP"),
])
def test_secrets_go(text, secret):
    assert secret not in redact(text)
    assert REDACTED in redact(text)


def test_homes_go_and_names_of_files_stay():
    assert redact(f"{Path.home()}/project/train.py") == "~/project/train.py"
    assert redact("/home/someone/train.py") == "/home/user/train.py"


@pytest.mark.parametrize("text", ["train.py:12 model.fit", "keras/src/backend/tensorflow/trainer.py", "--epochs 3"])
def test_the_rest_stays(text):
    assert redact(text) == text


def test_a_trace_stays_a_trace():
    header = '{"magic": "firststep-trace", "command": ["train.py", "--token", "abc123"]}'
    frame = '["f",3,"a.py","tokenize",12,13]'
    cleaned = redact_trace(f"{header}\n{frame}\n").splitlines()
    assert json.loads(cleaned[0])["command"] == ["train.py", "--token", REDACTED]
    assert cleaned[1] == frame
