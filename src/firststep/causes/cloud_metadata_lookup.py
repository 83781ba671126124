"""The program asks a cloud for credentials that it is not in.

Symptom: seconds to minutes at the first access to `gs://` or `s3://`, or of a cloud's client library, on a laptop or in CI.

Why: without credentials in its settings a client asks the metadata server, which only exists inside the cloud; each attempt
waits for its time-out, and there are several.

Confirmed by: connections to, or look-ups of, the metadata servers' addresses.

Remedy: `NO_GCE_CHECK=true`, or `AWS_EC2_METADATA_DISABLED=true`, where the program is in no cloud; credentials named by a
file or a variable where it is.

Source: tensorflow/tensorflow#25463 (ten minutes of retries); the clouds' documentation of instance metadata.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.analyse.user_lines import stack_lines
from firststep.causes import _waiting
from firststep.causes._peers import METADATA
from firststep.model.findings import Found

GROUP = "outside"
WATCHED = ("network",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
DO = "set credentials, or NO_GCE_CHECK=true / AWS_EC2_METADATA_DISABLED=true"


def find(given: Facts) -> Found | None:
    return _waiting.found(given, "credentials are looked for", DO, lambda peer, what: _waiting.host(peer) in METADATA, "asked")
