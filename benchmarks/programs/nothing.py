"""Imports nothing and does nothing: what is left is what starting costs."""
