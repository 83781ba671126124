"""The causes of a slow start that can be seen in source, without running it."""
