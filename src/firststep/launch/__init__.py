"""Starts the program with the agent inside, waits for ready and for the end, and merges the parts of the trace."""
