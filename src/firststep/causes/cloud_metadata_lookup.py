"""The program asks a cloud for credentials that it is not in.

Symptom: seconds to minutes at the first access to `gs://` or `s3://`, or of a cloud's client library, on a laptop or in CI.

Why: without credentials in its settings a client asks the metadata server, which only exists inside the cloud; each attempt
waits for its time-out, and there are several.

Confirmed by: connections to, or look-ups of, the metadata servers' addresses by Python; or TensorFlow's own log line, that all
attempts to get a token have failed. How long native code took for these is not seen.

Remedy: `NO_GCE_CHECK=true`, or `AWS_EC2_METADATA_DISABLED=true`, where the program is in no cloud; credentials named by a
file or a variable where it is.

Source: tensorflow/tensorflow#25463 (ten minutes of retries); the clouds' documentation of instance metadata.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.log_lines import log_lines
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.analyse.user_lines import stack_lines
from firststep.causes import _waiting
from firststep.causes._logged import said
from firststep.causes._peers import METADATA
from firststep.model.findings import Evidence, Found, Gain

GROUP = "outside"
WATCHED = ("network",)
FACTS = (spans_by_kind, path, stack_lines, log_lines)
REMEDIES: tuple[str, ...] = ()
WHAT = "credentials are looked for"
DO = "set credentials, or NO_GCE_CHECK=true / AWS_EC2_METADATA_DISABLED=true"


def find(given: Facts) -> Found | None:
    asked = _waiting.found(given, WHAT, DO, lambda peer, what: _waiting.host(peer) in METADATA, "asked")
    if asked or not said(given, "no-bearer-token"):
        return asked
    return Found(WHAT, Evidence("TensorFlow got no token for Google Cloud, from files or from the metadata server"), DO, "high",
                 gain=Gain(0, 0), whatever_it_gains=True)
