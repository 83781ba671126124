"""Adds a recorded trace to this folder, paths and machine made neutral: python tests/traces/add.py FILE NAME"""

import gzip
import json
import sys
from pathlib import Path


def neutral(text):
    """The trace with its interpreter, its folders and its machine under other names."""
    head, part = (json.loads(line) for line in text.split("\n", 2)[:2])
    names = {
        part["prefix"]: "/home/user/venv",
        part["base_prefix"]: "/opt/python",
        str(Path(__file__).resolve().parents[2]): "/home/user/project",
        str(Path.home()): "/home/user",
        head["host"]["release"]: "6.1",
    }
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, names[name])
    return text


if __name__ == "__main__":
    source, name = sys.argv[1:]
    data = neutral(Path(source).read_text()).encode("ascii")
    (Path(__file__).parent / f"{name}.trace.gz").write_bytes(gzip.compress(data, 9, mtime=0))
