"""A client library looks for credentials: without any in its settings it asks the cloud that it might be in."""

import urllib.request

TOKEN = "http://169.254.169.254/latest/meta-data/iam/security-credentials/"


def credentials(attempts=3):
    for _ in range(attempts):
        try:
            with urllib.request.urlopen(TOKEN, timeout=1) as answer:  # slow
                return answer.read()
        except OSError:
            continue
    return None


print("anonymous" if credentials() is None else "signed")
