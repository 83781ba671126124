"""Who is asked for: the key that one trace has in every process, and where a stored function may answer at all."""
