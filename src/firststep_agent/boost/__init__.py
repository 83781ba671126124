"""Remedies that act at run time: one module or package each, `ID` its name in the plan, `start(run,
settings)`.
"""
