"""Access paths from a traced callable, in both directions, with None for what is not there."""


def finder(function):
    """path_of(object) -> JSON-able path from the callable, or None."""
    from firststep_agent.boost.cache_functions import dependencies

    def path_of(target):
        try:
            return dependencies.access_path(function, target)
        except dependencies.Refused:
            return None

    return path_of


def resolver(function):
    """resolve(path) -> the object of this process, or None."""
    from firststep_agent.boost.cache_functions import dependencies

    def resolve(path):
        try:
            return dependencies.resolve(function, path)
        except LookupError:
            return None

    return resolve
