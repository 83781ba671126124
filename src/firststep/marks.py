"""The marks API, for programs in whose environment firststep is installed: it is the agent's (firststep_agent/marks.py)."""

from firststep_agent.marks import keras_callback, mark, phase, result

__all__ = ["keras_callback", "mark", "phase", "result"]
