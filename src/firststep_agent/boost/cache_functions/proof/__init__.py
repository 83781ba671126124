"""The proof of an answer: the real work, done from the very same state by a forked child, and everything compared.

`fork` makes a child that the program cannot tell, `sandbox` keeps it from any effect outside of itself, `state` says in
which state a process's user-visible world is, `work` is what the child does, `watch` follows the children to their verdicts.
"""
