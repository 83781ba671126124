"""What a trace depends on, besides its key.

A trace is Python code that ran once; the graph it left is right in another process only if everything that the code read
is equal there. `trace_reads` finds what that is on the learning run, `verify` checks it in a later process, `whole` looks at all
that is the program's own. What cannot be compared raises `Refused` with the reason.
"""
