"""A library of operations of one's own, which works its tables out when it is loaded. It is compiled when it is first wanted."""

import os
import subprocess
import tempfile

import tensorflow as tf

SOURCE = """
#include <math.h>
static double table[4000000];
__attribute__((constructor)) static void fill(void) {
    for (int round = 1; round <= 40; round++)
        for (int i = 0; i < 4000000; i++) table[i] += sin(i * 1e-3 * round);
}
double look_up(int i) { return table[i]; }
"""
LIBRARY = os.path.join(os.environ.get("ZOO_DATA", tempfile.gettempdir()), "zoo_tables.so")

if not os.path.exists(LIBRARY):
    made = f"{LIBRARY}.{os.getpid()}"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-x", "c", "-", "-o", made, "-lm"], input=SOURCE.encode(), check=True)
    os.replace(made, LIBRARY)
operations = tf.load_op_library(LIBRARY)  # slow
print(bool(operations), float(tf.reduce_sum(tf.ones([10]))))
