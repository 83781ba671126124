"""Trace to facts: pure functions, one file for each fact."""
