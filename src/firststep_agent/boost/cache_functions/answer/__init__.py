"""An entry is asked for, bound to this process, and called."""
