"""What is raised where something that a trace depends on cannot be made part of the key."""


class Refused(Exception):
    """The function must not be kept. The message is for the user and leads to a fix: which object, why, where."""


class Passing(Refused):
    """A refusal whose cause lies in this run, not in the program: the next one may keep the function."""
