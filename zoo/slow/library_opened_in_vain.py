"""Optional extensions that were built for another version of a library: each is mapped and linked, and then refused."""

import ctypes
import os
import subprocess
import tempfile

EXTENSIONS = ("decode", "resize", "rotate", "blur", "noise", "mix")
POINTERS = 4_000_000  # to be linked, before the function that is missing is found to be so
SOURCE = f"""
    .data
table:
    .rept {POINTERS}
    .quad table
    .endr
    .quad function_of_another_version
"""
FOLDER = os.path.join(os.environ.get("ZOO_DATA", tempfile.gettempdir()), "zoo-extensions")

if not os.path.isdir(FOLDER):
    made = f"{FOLDER}.{os.getpid()}"
    os.mkdir(made)
    subprocess.run(["cc", "-shared", "-x", "assembler", "-", "-o", f"{made}/common.so"], input=SOURCE.encode(), check=True)
    for name in EXTENSIONS:
        os.link(f"{made}/common.so", f"{made}/{name}.so")
    os.replace(made, FOLDER)

fast = []
for name in EXTENSIONS:
    try:
        fast.append(ctypes.CDLL(f"{FOLDER}/{name}.so"))  # slow
    except OSError:
        print("without", name)
print(len(fast), "extensions")
