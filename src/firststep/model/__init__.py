"""What passes between the stages: frozen dataclasses that import nothing of ours but each other."""
