"""The program's objects: what can be reached from a function, by which steps, and what of it counts.

A walk (`walk`) goes from a function's `roots` through what `expand` says each object holds. Shared by the remedies that have to
know what a trace may read or change. What cannot be compared raises `refusal.Refused` with the reason.
"""
