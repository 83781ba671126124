"""Keras models, layers, optimizers."""

from firststep_agent.observe.eagerness import eager, no_tape
from firststep_agent.observe.labels import argument
from firststep_agent.observe.labels.places import user_line


def own_name(args, kwargs):
    """The instance's name, else its class's."""
    name = vars(args[0]).get("_name") or vars(args[0]).get("name")
    return name if isinstance(name, str) else type(args[0]).__name__


def model_name(args, kwargs):
    return str(kwargs.get("name") or type(args[0]).__name__)


def model(args, kwargs, result):
    return {"name": args[0].name, "layers": len(args[0].layers), **user_line()}


def kind_of_call(args, kwargs):
    """A layer called on symbols builds a model; called on values outside of any function, it runs."""
    if not eager():
        return False
    first = args[1] if len(args) > 1 else next(iter(kwargs.values()), None)
    while isinstance(first, (list, tuple, dict)) and first:
        first = next(iter(first.values() if isinstance(first, dict) else first))
    if type(first).__name__ in ("KerasTensor", "SymbolicTensor"):
        return "model-build"
    return "first-execution"


def not_built(args, kwargs):
    return not args[0].built


def compiled(args, kwargs, result):
    made = args[0]
    return {
        "jit_compile": getattr(made, "_jit_compile", None),
        "run_eagerly": bool(getattr(made, "_run_eagerly", None)),
        "optimizer": type(getattr(made, "optimizer", None)).__name__,
        **user_line(),
    }


def weights(args, kwargs, result):
    given = argument(args, kwargs, 1, "weights") or ()
    return {"arrays": len(given), "bytes": sum(getattr(one, "nbytes", 0) for one in given), **user_line()}


def optimizer(args, kwargs, result):
    return {"variables": len(argument(args, kwargs, 1, "var_list") or ())}


def batches(args, kwargs, result):
    made = args[0]
    size = kwargs.get("batch_size")
    steps = getattr(made, "steps_per_execution", None) or getattr(made, "_steps_per_execution", None)
    return {"batch_size": size, "steps_per_execution": steps if isinstance(steps, int) else None,
            "tape": not no_tape()}
