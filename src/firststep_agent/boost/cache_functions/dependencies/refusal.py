"""What is raised where something that a trace depends on cannot be made part of the key."""


class Refused(Exception):
    """The function must not be kept. The message is for the user and leads to a fix: which object, why, where."""
