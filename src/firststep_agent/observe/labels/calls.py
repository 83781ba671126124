"""Functions executed by name: the first execution of each holds its optimisation, instantiation and compilation."""

_seen: set = set()


def is_first(args, kwargs):
    name = args[1]
    if name in _seen:
        return False
    _seen.add(name)
    return True


def function_name(args, kwargs):
    name = args[1]
    return name.decode() if isinstance(name, bytes) else str(name)


def function(args, kwargs, result):
    return {"inputs": len(args[2]), "outputs": args[3]}
