"""Exit codes that scripts may rely on; a program that was run passes its own through. See docs/exit-codes.md.

firststep's own outcomes are 64 and above, where programs rarely go; 126 and 127 mean what they mean in a
shell.
"""

OK = 0
FAILED = 1
USAGE = 2

CANNOT_READ = 65
CANNOT_WRITE = 74

# prove: verdicts. `faster` and, without --strict, an unclear one are OK.
SLOWER = 80
RESULTS_DIFFER = 81
DEFERRED = 82
NO_DIFFERENCE_SHOWN = 83
NOT_REPRODUCIBLE = 84
FALSE_ALARM = 85

# boost: an answer of the function cache was not what a trace gives; the run was stopped. The agent knows it as well.
DISPROVED = 86

# diff: the two sides are not one thing measured twice.
INCOMPARABLE = 87

# prove: no comparison took place.
PROGRAM_FAILED = 90
TIMED_OUT = 91
NEVER_READY = 92
NOTHING_LIVE = 93
NOTHING_COMPARABLE = 94

NOT_EXECUTABLE = 126
NOT_FOUND = 127
