"""Exit codes that scripts may rely on. A program that was run passes its own through. Documented in docs/exit-codes.md."""

CANNOT_WRITE = 74
NOT_EXECUTABLE = 126
NOT_FOUND = 127
