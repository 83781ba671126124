"""What doctor says of interpreters, with and without the agent inside."""

import subprocess
import zipfile

import pytest
from programs import FIRSTSTEP

from firststep.doctor.examine import examine


def test_where_the_agent_cannot_get_in_it_says_why(target):
    found = examine([target, "-E"])
    assert not found.entered
    assert any("-E" in limit for limit in found.limits)


def test_what_is_said_fits_into_a_terminal(target):
    done = subprocess.run([*FIRSTSTEP, "doctor", "--", target, "-E"], capture_output=True, text=True)
    assert max(map(len, done.stdout.splitlines())) <= 80, done.stdout


def test_an_interpreter_that_is_not_there_is_an_error_with_a_next_step():
    done = subprocess.run([*FIRSTSTEP, "doctor", "--", "no-such-python"], capture_output=True, text=True)
    assert done.returncode == 127
    assert "no such program" in done.stderr and "next:" in done.stderr


@pytest.mark.tensorflow
def test_every_hook_point_of_the_installed_versions_is_there(target):
    found = examine([target])
    assert found.entered and found.packages
    assert {name: state for name, state in found.points.items() if state is not True} == {}
    assert len(found.points) > 50


@pytest.mark.tensorflow
def test_the_support_bundle_holds_doctor_and_a_redacted_trace(record, target, tmp_path):
    got = record([target, "-c", "pass", "--token=abcdef123456"])
    bundle = tmp_path / "bug.zip"
    subprocess.run([*FIRSTSTEP, "bug", "-o", bundle, "--trace", got.path, "--", target], check=True)
    assert bundle.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(bundle) as opened:
        assert set(opened.namelist()) == {"version.txt", "doctor.txt", "redacted.trace"}
        assert b"abcdef123456" not in opened.read("redacted.trace")
