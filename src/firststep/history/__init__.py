"""Every run that was measured, in one local file: what it was, what it took, and when."""
