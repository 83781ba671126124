"""What the copy of the process that proves an answer may take and be seen by."""

import os

from firststep_agent.boost.cache_functions.proof import sandbox


def test_where_memory_runs_out_the_copy_is_ended_and_not_the_program():
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            sandbox.limit(1 << 30)
            with open("/proc/self/oom_score_adj", "rb") as file:
                os.write(writer, file.read())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as said:
        assert int(said.read()) == 1000
    os.waitpid(pid, 0)
