"""A command that reads a file and prints what is in it: most of it is Python's own start."""

import json

print(json.loads('{"learning_rate": 0.1}'))
